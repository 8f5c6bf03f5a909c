// SPDX-License-Identifier: MIT
// One sample with everything around it, whoever says when and how many: sweep and poison before it,
// the gate, the check of what it left, and the rest after it.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>

#include "measure/sampling.hpp"

namespace fa2bench {

/// Gathers the samples of one series. Borrows everything.
class SampleTaker {
 public:
  SampleTaker(Device& device, const Series& series, double duty);

  /// A trial begins, on the memory as it lies now: its first call is never gated.
  [[nodiscard]] Trial begin_trial();
  /// One sample; false if a call failed or what it left did not pass. It may find out that the call
  /// waits for the device, if it does so twice running: then all samples so far are gone, and from
  /// now on none is gated.
  [[nodiscard]] bool time(CallTime& time);
  /// At least `calls`, and until the times have settled if `most` is given, which bounds that; but
  /// no further call once one took `longest`. False like time(), never of a stop request.
  struct WarmUp {
    std::size_t calls = 3;
    bool until_settled = false;
    Seconds most{};
    Seconds longest{};
  };
  [[nodiscard]] bool warm_up(const WarmUp& how, const std::stop_token& stop, Trial& trial);
  /// Closes a trial that has samples.
  void keep(const Trial& trial) { samples_.trials.push_back(trial); }
  /// What the device says of itself after the last trial kept, every so often, with the clock of
  /// one more call. While power or heat hold it back, it is given more rest. False like time().
  [[nodiscard]] bool watch();
  /// The same at the end, in any case, and without a call.
  void watch_end();

  /// False, for the caller to return.
  bool wrong() { return over(Stop::call_wrong); }
  bool over(Stop stop) {
    samples_.stop = stop;
    return false;
  }

  [[nodiscard]] Samples& samples() { return samples_; }
  [[nodiscard]] const Samples& samples() const { return samples_; }

 private:
  void flush();
  [[nodiscard]] bool call(bool gate, CallTime& time);
  [[nodiscard]] bool passes();
  [[nodiscard]] bool is_watched() const;
  [[nodiscard]] bool clock(std::optional<double>& sm_mhz);
  void look(std::optional<double> sm_mhz);

  Device& device_;
  const Series& series_;
  double duty_;
  std::chrono::steady_clock::time_point watched_;
  Microseconds sweep_{};  ///< how long the device works to empty its cache
  bool first_ = true;     ///< of a trial
  Samples samples_;
};

}  // namespace fa2bench
