// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/nvtx.hpp"
#include "measure/record.hpp"
#include "measure/sampling.hpp"

namespace fa2bench {
namespace {

using Clock = std::chrono::steady_clock;

/// A sample is long enough that checking what it left takes about a hundredth of the time, a trial
/// long enough that telemetry follows it.
constexpr Microseconds kSample{2e4};
constexpr Seconds kTrial{0.25};
constexpr int kMostCalls = 100'000;

class Sustained {
 public:
  Sustained(Device& device, const Series& series, Seconds time, const std::stop_token& stop)
      : device_(device), series_(series), time_(time), stop_(stop), start_(Clock::now()) {
    samples_.mode = Mode::sustained;
    samples_.cache = series.cache;
  }

  Samples run() {
    if (choose_calls()) {
      while (run_trial()) {
      }
    }
    samples_.settled_from = samples_.trials.size() / 2;
    samples_.wall_s = since(start_).count();
    return std::move(samples_);
  }

 private:
  /// One sample of samples_.calls calls; false if one failed or what the last left did not pass.
  bool sample(CallTime& time) {
    {
      const NvtxRange range(kFlushRange);
      series_.before();
    }
    time = device_.time_call([this] {
      int code = 0;
      for (int i = 0; i < samples_.calls && code == 0; ++i) code = series_.call();
      return code;
    });
    if (!did_well(time, samples_)) return false;
    const NvtxRange range(kCheckRange);
    if (series_.passes()) return true;
    samples_.stop = Stop::call_wrong;
    return false;
  }

  /// As many calls as fill a sample, from the time of a few.
  bool choose_calls() {
    CallTime time;
    for (const int calls : {1, 4, 16}) {
      samples_.calls = calls;
      if (!sample(time)) return false;
      if (time.device >= kSample) return true;
    }
    const double one = std::max(time.device.count() / samples_.calls, 1e-3);
    samples_.calls = static_cast<int>(
        std::clamp(std::ceil(kSample.count() / one), 1.0, static_cast<double>(kMostCalls)));
    return true;
  }

  bool run_trial() {
    const NvtxRange range(kTimedRange);
    const Clock::time_point begin = Clock::now();
    Trial trial;
    trial.stream = device_.stream_number();
    CallTime time;
    bool goes_on = true;
    while (goes_on && since(begin) < kTrial) {
      if (stop_.stop_requested()) {
        samples_.stop = Stop::interrupted;
        goes_on = false;
      } else if (!sample(time)) {
        goes_on = false;
      } else {
        record(time, samples_, trial);
        if (since(start_) >= time_) {
          samples_.stop = Stop::completed;
          goes_on = false;
        }
      }
    }
    if (trial.samples > 0) {
      samples_.telemetry.push_back({samples_.trials.size(), device_.telemetry()});
      samples_.trials.push_back(trial);
    }
    return goes_on;
  }

  Device& device_;
  const Series& series_;
  Seconds time_;
  const std::stop_token& stop_;
  Clock::time_point start_;
  Samples samples_;
};

}  // namespace

Samples take_sustained(Device& device, const Series& series, Seconds time,
                       const std::stop_token& stop) {
  return Sustained(device, series, time, stop).run();
}

}  // namespace fa2bench
