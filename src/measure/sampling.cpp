// SPDX-License-Identifier: MIT
#include "measure/sampling.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

#include "measure/pace.hpp"
#include "measure/stop_rule.hpp"
#include "stats/drift.hpp"
#include "stats/summary.hpp"

namespace fa2bench {
namespace {

using Clock = std::chrono::steady_clock;

Seconds since(Clock::time_point start) { return Clock::now() - start; }

/// In µs, rounded to the nanosecond: no clock here is finer, and the result file stays lossless.
double to_nanosecond(Microseconds time) { return std::round(time.count() * 1e3) / 1e3; }

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
      : device_(device), series_(series), limits_(limits), stop_(stop), start_(Clock::now()) {
    samples_.mode = series.mode;
    samples_.cache = series.cache;
    samples_.calls = series.calls;
    samples_.gated = device.has_gate();
    if (series.cache == CacheState::swept) sweep_ = sweep_time(device);
  }

  Samples run() {
    for (std::size_t trial = 0; run_trial(trial) && !is_over(); ++trial) {
    }
    samples_.wall_s = since(start_).count();
    return std::move(samples_);
  }

 private:
  [[nodiscard]] bool out_of_time() const { return since(start_) >= limits_.time_limit; }

  bool wrong() {
    samples_.stop = Stop::call_wrong;
    return false;
  }

  /// One sample; false if a call failed or what it left did not pass.
  bool time(CallTime& time) {
    const Clock::time_point begin = Clock::now();
    series_.before();
    if (series_.cache == CacheState::swept) device_.evict_cache();
    // The first may load code, which waits for the device; held, that would be for ever.
    const bool gate = samples_.gated && !first_;
    first_ = false;
    time = gate ? device_.time_gated_call(series_.call) : device_.time_call(series_.call);
    if (time.code != 0) {
      samples_.stop = Stop::call_failed;
      samples_.code = time.code;
      return false;
    }
    if (!series_.passes()) return wrong();
    if (gate && time.blocked) {
      // It waits for the device: all over again, without the gate. Samples are never of two kinds.
      samples_.gated = false;
      samples_.host_blocking = true;
      samples_.device_us.clear();
      samples_.host_us.clear();
      samples_.trials.clear();
      medians_.clear();
      return this->time(time);
    }
    if (limits_.duty < 1.0) pause_for(pause_left(time.device + sweep_, since(begin), limits_.duty));
    return true;
  }

  /// Until the times have settled, but no longer than its share of the time.
  bool warm_up(Trial& trial, bool first_trial) {
    constexpr std::size_t kCalls = 3;
    const Seconds most = first_trial ? limits_.time_limit / 5.0 : limits_.trial_time / 2.0;
    const Clock::time_point begin = Clock::now();
    std::vector<double> times;
    CallTime last;
    do {
      if (!time(last)) return false;
      times.push_back(last.device.count());
      trial.settled = settled(times);
      if (last.device >= most) break;
    } while (!stop_.stop_requested() &&
             (times.size() < kCalls || (!trial.settled && since(begin) < most)));
    trial.warm_up_calls = times.size();
    return true;
  }

  /// False if the series is over: something failed, was wrong or was interrupted.
  bool run_trial(std::size_t number) {
    // A stop request still leaves the samples taken so far.
    if (stop_.stop_requested()) return interrupted();
    if (number > 0 && !place(number)) return false;
    Trial trial;
    trial.duty = limits_.duty;
    if (!warm_up(trial, number == 0)) return false;
    const bool whole = sample(trial);
    if (trial.samples > 0) keep(trial);
    if (!whole) return false;
    left_ = Clock::now();
    return series_.leave() || wrong();
  }

  bool place(std::size_t number) {
    const bool placed = series_.place(number);
    placement_ = std::max(placement_, since(left_));
    return placed || wrong();
  }

  void keep(const Trial& trial) {
    const auto& all = samples_.device_us;
    std::vector<double> own(all.end() - static_cast<std::ptrdiff_t>(trial.samples), all.end());
    std::sort(own.begin(), own.end());
    medians_.push_back(quantile(own, 0.5));
    samples_.trials.push_back(trial);
  }

  bool interrupted() {
    samples_.stop = Stop::interrupted;
    return false;
  }

  bool sample(Trial& trial) {
    const Clock::time_point begin = Clock::now();
    const Seconds share = limits_.time_limit * 0.8 / static_cast<double>(limits_.min_trials);
    CallTime last;
    while (true) {
      if (stop_.stop_requested()) return interrupted();
      const bool was_gated = samples_.gated;
      if (!time(last)) return false;
      if (was_gated != samples_.gated) trial.samples = 0;
      samples_.device_us.push_back(to_nanosecond(last.device));
      samples_.host_us.push_back(to_nanosecond(last.host));
      ++trial.samples;
      const Seconds spent = since(begin);
      const bool enough = trial.samples >= limits_.min_samples && spent >= limits_.trial_time &&
                          (limits_.max_trials > 1 || precise_alone(trial.samples));
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
    const auto interval = median_interval(sorted, 0.95);
    alone_ =
        interval && interval->high - interval->low <= limits_.precision * quantile(sorted, 0.5);
    return alone_;
  }

  /// Whether no further trial is needed, or can be had.
  bool is_over() {
    const TrialStop decided =
        decide(medians_, {limits_.precision, limits_.min_trials, limits_.max_trials});
    if (decided == TrialStop::precise || alone_) {
      samples_.stop = Stop::precise;
    } else if (since(start_) + placement_ >= limits_.time_limit) {
      samples_.stop = Stop::time_limit;
    } else if (all_taken()) {
      samples_.stop = Stop::max_samples;
    } else if (decided == TrialStop::max_trials) {
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
