// SPDX-License-Identifier: MIT
#include "measure/sampling.hpp"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>
#include <vector>

#include "base/nvtx.hpp"
#include "measure/blocks.hpp"
#include "measure/pace.hpp"
#include "measure/record.hpp"
#include "measure/stop_rule.hpp"
#include "stats/drift.hpp"
#include "stats/summary.hpp"
#include "stats/trials.hpp"

namespace fa2bench {
namespace {

using Clock = std::chrono::steady_clock;

/// How long the device works to empty its cache.
Microseconds sweep_time(Device& device) {
  const auto sweep = [&] {
    device.evict_cache();
    return 0;
  };
  (void)device.time_call(sweep);  // the first allocates
  return device.time_call(sweep).device;
}

class Sampler {
 public:
  Sampler(Device& device, const Series& series, const SamplingLimits& limits,
          const std::stop_token& stop)
      : device_(device),
        series_(series),
        limits_(limits),
        stop_(stop),
        start_(Clock::now()),
        duty_(limits.duty) {
    samples_.mode = series.mode;
    samples_.cache = series.cache;
    samples_.calls = series.calls;
    samples_.gated = device.has_gate();
    if (series.cache == CacheState::swept) sweep_ = sweep_time(device);
  }

  Samples run() {
    for (std::size_t trial = 0; run_trial(trial) && !is_over(); ++trial) {
    }
    if (!samples_.trials.empty()) watch(true);
    samples_.wall_s = since(start_).count();
    return std::move(samples_);
  }

 private:
  [[nodiscard]] bool out_of_time() const { return since(start_) >= limits_.time_limit; }

  bool wrong() {
    samples_.stop = Stop::call_wrong;
    return false;
  }

  void flush() {
    const NvtxRange range(kFlushRange);
    series_.before();
    if (series_.cache == CacheState::swept) device_.evict_cache();
  }

  bool passes() {
    const NvtxRange range(kCheckRange);
    return series_.passes();
  }

  /// One sample; false if a call failed or what it left did not pass.
  bool time(CallTime& time) {
    const Clock::time_point begin = Clock::now();
    flush();
    // A trial's first may load code or allocate, which waits for the device; held, that would be
    // for ever.
    const bool gate = samples_.gated && !first_;
    first_ = false;
    time = gate ? device_.time_gated_call(series_.call) : device_.time_call(series_.call);
    if (!did_well(time, samples_)) return false;
    if (!passes()) return wrong();
    if (gate && time.blocked) {
      // It waits for the device: all over again, without the gate. Samples are never of two kinds.
      samples_.gated = false;
      samples_.host_blocking = true;
      samples_.device_us.clear();
      samples_.host_us.clear();
      samples_.trials.clear();
      samples_.telemetry.clear();
      medians_.clear();
      look_ = 0;
      return this->time(time);
    }
    if (duty_ < 1.0) pause_for(pause_left(time.device + sweep_, since(begin), duty_));
    return true;
  }

  /// The first trial's until the times have settled, but no longer than a share of the time; a
  /// later one's goes on from there, on other memory.
  bool warm_up(Trial& trial, bool first_trial) {
    constexpr std::size_t kCalls = 3;
    const Seconds most = limits_.time_limit / 5.0;
    const Clock::time_point begin = Clock::now();
    std::vector<double> times;
    CallTime last;
    bool enough = false;
    while (!enough && !stop_.stop_requested()) {
      if (!time(last)) return false;
      times.push_back(last.device.count());
      if (first_trial) samples_.settled = settled(times);
      enough = last.device >= most || (times.size() >= kCalls &&
                                       (!first_trial || samples_.settled || since(begin) >= most));
    }
    trial.warm_up_calls = times.size();
    return true;
  }

  /// False if the series is over: something failed, was wrong or was interrupted.
  bool run_trial(std::size_t number) {
    // A stop request still leaves the samples taken so far.
    if (stop_.stop_requested()) return interrupted();
    if (number > 0 && !place(number)) return false;
    first_ = true;
    Trial trial;
    trial.duty = duty_;
    trial.stream = device_.stream_number();
    if (!warm_up(trial, number == 0)) return false;
    const bool whole = sample(trial);
    if (trial.samples > 0) keep(trial);
    if (!whole) return false;
    left_ = Clock::now();
    watch(false);
    return series_.leave() || wrong();
  }

  /// What the device says of itself, every so often and at the end. While power or heat hold it
  /// back, it is given more rest.
  void watch(bool last) {
    constexpr Seconds kEvery{0.1};
    constexpr double kLeastDuty = 0.1;
    const std::size_t trial = samples_.trials.size() - 1;
    const bool has_it = !samples_.telemetry.empty() && samples_.telemetry.back().trial == trial;
    if (has_it || (!last && !samples_.telemetry.empty() && since(watched_) < kEvery)) return;
    watched_ = Clock::now();
    samples_.telemetry.push_back({trial, device_.telemetry()});
    if (is_throttled(samples_.telemetry.back().telemetry)) {
      duty_ = std::min(duty_, std::max(kLeastDuty, duty_ / 2.0));
    }
  }

  bool place(std::size_t number) {
    const bool placed = series_.place(number);
    placement_ = std::max(placement_, since(left_));
    return placed || wrong();
  }

  void keep(const Trial& trial) {
    const auto& all = samples_.device_us;
    medians_.push_back(median(std::span(all).last(trial.samples)));
    samples_.trials.push_back(trial);
  }

  bool interrupted() {
    samples_.stop = Stop::interrupted;
    return false;
  }

  bool sample(Trial& trial) {
    const NvtxRange range(kTimedRange);
    const Clock::time_point begin = Clock::now();
    const Seconds share = limits_.time_limit * 0.8 / static_cast<double>(limits_.min_trials);
    CallTime last;
    while (true) {
      if (stop_.stop_requested()) return interrupted();
      const bool was_gated = samples_.gated;
      const bool good = time(last);
      if (was_gated != samples_.gated) trial.samples = 0;
      if (!good) return false;
      record(last, samples_, trial);
      const Seconds spent = since(begin);
      const bool enough =
          trial.samples >= limits_.min_samples &&
          (limits_.max_trials > 1 ? spent >= std::min<Seconds>(placement_, limits_.trial_time)
                                  : precise_alone(trial.samples));
      if (enough || spent >= share || out_of_time() || all_taken()) return true;
    }
  }

  [[nodiscard]] bool all_taken() const { return samples_.device_us.size() >= limits_.max_samples; }

  /// Whether the samples of the only trial say enough, looked at every tenth more of them: the
  /// interval narrows with the square root of their count.
  bool precise_alone(std::size_t count) {
    if (count < look_) return false;
    look_ = count + std::max<std::size_t>(1, count / 10);
    std::vector<double> sorted = samples_.device_us;
    std::sort(sorted.begin(), sorted.end());
    alone_ = is_narrow(median_interval(sorted, 0.95), quantile(sorted, 0.5), limits_.precision);
    return alone_;
  }

  /// Whether the interval is narrow enough and enough time was spent.
  [[nodiscard]] bool is_precise() const {
    if (alone_) return true;
    if (since(start_) < std::min(limits_.least_time, limits_.time_limit)) return false;
    if (independent_block(samples_.trials) == Block::trials) {
      return decide(medians_, {limits_.precision, limits_.min_trials, limits_.max_trials}) ==
             TrialStop::precise;
    }
    if (medians_.size() < limits_.min_trials) return false;
    const Center center = estimate_center(independent_values(medians_, samples_.trials));
    return is_narrow(center.interval, center.value, limits_.precision);
  }

  /// Whether no further trial is needed, or can be had.
  bool is_over() {
    if (is_precise()) {
      samples_.stop = Stop::precise;
    } else if (since(start_) + placement_ >= limits_.time_limit) {
      samples_.stop = Stop::time_limit;
    } else if (all_taken()) {
      samples_.stop = Stop::max_samples;
    } else if (samples_.trials.size() >= limits_.max_trials) {
      samples_.stop = Stop::max_trials;
    } else {
      return false;
    }
    return true;
  }

  Device& device_;
  const Series& series_;
  const SamplingLimits& limits_;
  const std::stop_token& stop_;
  Clock::time_point start_;
  double duty_;
  Clock::time_point watched_;
  Microseconds sweep_{};
  Seconds placement_{};          ///< how long the longest took, with the check before it
  std::vector<double> medians_;  ///< of the trials
  Clock::time_point left_;       ///< when the last trial's samples were all taken
  std::size_t look_ = 0;         ///< samples at which precise_alone() looks next
  bool alone_ = false;           ///< what it saw
  bool first_ = true;
  Samples samples_;
};

}  // namespace

Samples take_samples(Device& device, const Series& series, const SamplingLimits& limits,
                     const std::stop_token& stop) {
  return Sampler(device, series, limits, stop).run();
}

}  // namespace fa2bench
