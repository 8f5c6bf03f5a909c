// SPDX-License-Identifier: MIT
#include "measure/sample_taker.hpp"

#include <algorithm>
#include <vector>

#include "base/nvtx.hpp"
#include "measure/pace.hpp"
#include "measure/record.hpp"
#include "stats/drift.hpp"

namespace fa2bench {
namespace {

using Clock = std::chrono::steady_clock;

Microseconds sweep_time(Device& device) {
  const auto sweep = [&] {
    device.evict_cache();
    return 0;
  };
  (void)device.time_call(sweep);  // the first allocates
  return device.time_call(sweep).device;
}

}  // namespace

SampleTaker::SampleTaker(Device& device, const Series& series, double duty)
    : device_(device), series_(series), duty_(duty) {
  samples_.mode = series.mode;
  samples_.cache = series.cache;
  samples_.calls = series.calls;
  samples_.gated = device.has_gate();
  if (series.cache == CacheState::swept) sweep_ = sweep_time(device);
}

Trial SampleTaker::begin_trial() {
  first_ = true;
  Trial trial;
  trial.duty = duty_;
  trial.stream = device_.stream_number();
  return trial;
}

void SampleTaker::flush() {
  const NvtxRange range(kFlushRange);
  series_.before();
  if (series_.cache == CacheState::swept) device_.evict_cache();
}

bool SampleTaker::passes() {
  const NvtxRange range(kCheckRange);
  return series_.passes();
}

/// Flushed before, checked after it.
bool SampleTaker::call(bool gate, CallTime& time) {
  flush();
  time = gate ? device_.time_gated_call(series_.call) : device_.time_call(series_.call);
  return did_well(time, samples_) && (passes() || wrong());
}

bool SampleTaker::time(CallTime& time) {
  const Clock::time_point begin = Clock::now();
  // A trial's first may load code or allocate, which waits for the device; held, that would be for
  // ever.
  const bool gate = samples_.gated && !first_;
  first_ = false;
  if (!call(gate, time)) return false;
  // A host that stood still for a moment looks the same; a call that waits does so again.
  if (gate && time.blocked && !call(gate, time)) return false;
  if (gate && time.blocked) {
    // It waits for the device: all over again, without the gate. Samples are never of two kinds.
    samples_.gated = false;
    samples_.host_blocking = true;
    samples_.device_us.clear();
    samples_.host_us.clear();
    samples_.trials.clear();
    samples_.telemetry.clear();
    return this->time(time);
  }
  if (duty_ < 1.0) pause_for(pause_left(time.device + sweep_, since(begin), duty_));
  return true;
}

bool SampleTaker::warm_up(const WarmUp& how, const std::stop_token& stop, Trial& trial) {
  const Clock::time_point begin = Clock::now();
  std::vector<double> times;
  CallTime last;
  bool enough = false;
  while (!enough && !stop.stop_requested()) {
    if (!time(last)) return false;
    times.push_back(last.device.count());
    if (how.until_settled) samples_.settled = settled(times);
    enough = last.device >= how.longest ||
             (times.size() >= how.calls &&
              (!how.until_settled || samples_.settled || since(begin) >= how.most));
  }
  trial.warm_up_calls = times.size();
  return true;
}

/// Whether the last trial has its telemetry, or is none.
bool SampleTaker::is_watched() const {
  return samples_.trials.empty() || (!samples_.telemetry.empty() &&
                                     samples_.telemetry.back().trial == samples_.trials.size() - 1);
}

/// A call like a sample, but with the clock between the events.
bool SampleTaker::clock(std::optional<double>& sm_mhz) {
  if (!device_.has_sm_clock()) return true;
  flush();
  const ClockedCall clocked = device_.clock_call(series_.call, samples_.gated);
  sm_mhz = clocked.sm_mhz;
  return did_well(clocked.call, samples_) && (passes() || wrong());
}

bool SampleTaker::watch() {
  constexpr Seconds kEvery{0.1};
  if (is_watched() || (!samples_.telemetry.empty() && since(watched_) < kEvery)) return true;
  std::optional<double> sm_mhz;
  if (!clock(sm_mhz)) return false;
  look(sm_mhz);
  return true;
}

void SampleTaker::watch_end() {
  if (!is_watched()) look(std::nullopt);
}

void SampleTaker::look(std::optional<double> sm_mhz) {
  constexpr double kLeastDuty = 0.1;
  watched_ = Clock::now();
  samples_.telemetry.push_back({samples_.trials.size() - 1, device_.telemetry()});
  TrialTelemetry& after = samples_.telemetry.back();
  after.telemetry.sm_mhz_in_call = sm_mhz;
  if (is_throttled(after.telemetry)) {
    duty_ = std::min(duty_, std::max(kLeastDuty, duty_ / 2.0));
  }
}

}  // namespace fa2bench
