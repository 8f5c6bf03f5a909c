// SPDX-License-Identifier: MIT
#include <cstddef>

#include "base/nvtx.hpp"
#include "measure/record.hpp"
#include "measure/sampling.hpp"

namespace fa2bench {
namespace {

constexpr std::size_t kWarmUpCalls = 3;
constexpr std::size_t kSamples = 10;

/// The profiler records as long as this lives.
class Recording {
 public:
  explicit Recording(Device& device) : device_(device) { device_.start_profiler(); }
  ~Recording() { device_.stop_profiler(); }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

 private:
  Device& device_;
};

class Profiled {
 public:
  Profiled(Device& device, const Series& series, const SamplingLimits& limits,
           const std::stop_token& stop)
      : device_(device), series_(series), limits_(limits), stop_(stop) {
    samples_.mode = series.mode;
    samples_.cache = series.cache == CacheState::swept ? CacheState::as_left : series.cache;
    samples_.calls = series.calls;
  }

  Samples run() {
    Trial trial;
    if (warm_up(trial)) {
      series_.before();
      const bool called = take(trial);
      if (trial.samples > 0) {
        samples_.telemetry.push_back({0, device_.telemetry()});
        samples_.trials.push_back(trial);
      }
      if (called && trial.samples > 0 && !series_.passes()) samples_.stop = Stop::call_wrong;
    }
    return std::move(samples_);
  }

 private:
  /// False if the call failed.
  bool time(CallTime& time) {
    time = device_.time_call(series_.call);
    return did_well(time, samples_);
  }

  bool warm_up(Trial& trial) {
    CallTime ignored;
    while (trial.warm_up_calls < kWarmUpCalls && !stop_.stop_requested()) {
      series_.before();
      if (!time(ignored)) return false;
      if (!series_.passes()) {
        samples_.stop = Stop::call_wrong;
        return false;
      }
      ++trial.warm_up_calls;
    }
    return true;
  }

  bool take(Trial& trial) {
    const Recording recording(device_);
    const NvtxRange range(kTimedRange);
    CallTime last;
    while (trial.samples < limits_.max_samples) {
      if (stop_.stop_requested()) {
        samples_.stop = Stop::interrupted;
        return true;
      }
      const NvtxRange call("call");
      if (!time(last)) return false;
      record(last, samples_, trial);
    }
    samples_.stop = Stop::max_samples;
    return true;
  }

  Device& device_;
  const Series& series_;
  const SamplingLimits& limits_;
  const std::stop_token& stop_;
  Samples samples_;
};

}  // namespace

Samples take_profiled(Device& device, const Series& series, const SamplingLimits& limits,
                      const std::stop_token& stop) {
  return Profiled(device, series, limits, stop).run();
}

SamplingLimits profiling_limits(const SamplingLimits& limits) {
  SamplingLimits few = limits;
  few.min_trials = few.max_trials = 1;
  few.min_samples = few.max_samples = kSamples;
  few.duty = 1.0;
  return few;
}

}  // namespace fa2bench
