// SPDX-License-Identifier: MIT
#include "measure/sampling.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "stats/summary.hpp"

namespace fa2bench {
namespace {

using Clock = std::chrono::steady_clock;

bool precise_enough(std::vector<double> samples, double precision) {
  std::sort(samples.begin(), samples.end());
  const auto interval = median_interval(samples, 0.95);
  return interval && interval->high - interval->low <= precision * quantile(samples, 0.5);
}

/// The interval narrows with the square root of the count: looking again only after a tenth more
/// samples costs little time and few false stops.
std::size_t next_look(std::size_t count) { return count + std::max<std::size_t>(1, count / 10); }

/// In µs, rounded to the nanosecond: no clock here is finer, and the result file stays lossless.
double to_nanosecond(Microseconds time) { return std::round(time.count() * 1e3) / 1e3; }

class Sampler {
 public:
  Sampler(Device& device, const std::function<int()>& call, CacheMode mode,
          const SamplingLimits& limits, const std::stop_token& stop, const AroundCall& around)
      : device_(device),
        call_(call),
        limits_(limits),
        stop_(stop),
        around_(around),
        start_(Clock::now()) {
    samples_.mode = mode;
    samples_.gated = device.has_gate();
  }

  Samples run() {
    if (warm_up()) sample();
    samples_.wall_s = elapsed().count();
    return std::move(samples_);
  }

 private:
  [[nodiscard]] Seconds elapsed() const { return Clock::now() - start_; }

  /// One call in the mode; false if it failed or did not pass.
  bool time(CallTime& time) {
    around_.before();
    if (samples_.mode == CacheMode::cold) device_.evict_cache();
    time = samples_.gated ? device_.time_gated_call(call_) : device_.time_call(call_);
    if (time.code != 0) {
      samples_.stop = Stop::call_failed;
      samples_.code = time.code;
      return false;
    }
    if (!around_.passes()) {
      samples_.stop = Stop::call_wrong;
      return false;
    }
    if (!time.blocked) return true;
    // It waits for the device: all over again, without the gate. Samples are never of two kinds.
    samples_.gated = false;
    samples_.host_blocking = true;
    samples_.device_us.clear();
    samples_.host_us.clear();
    return this->time(time);
  }

  bool warm_up() {
    constexpr std::size_t kCalls = 3;
    const Seconds enough = limits_.time_limit / 20.0;
    CallTime last;
    do {
      if (!time(last)) return false;
      if (samples_.warm_up_calls++ == 0) samples_.first_call_us = last.device.count();
      if (last.device >= enough) break;
    } while (!stop_.stop_requested() && (samples_.warm_up_calls < kCalls || elapsed() < enough));
    return true;
  }

  void sample() {
    std::size_t look = limits_.min_samples;
    CallTime last;
    while (true) {
      // A stop request still leaves the samples taken so far.
      if (stop_.stop_requested()) {
        samples_.stop = Stop::interrupted;
        return;
      }
      if (!time(last)) return;
      samples_.device_us.push_back(to_nanosecond(last.device));
      samples_.host_us.push_back(to_nanosecond(last.host));
      const std::size_t count = samples_.device_us.size();
      if (count >= look) {
        if (precise_enough(samples_.device_us, limits_.precision)) {
          samples_.stop = Stop::precise;
          return;
        }
        look = next_look(count);
      }
      if (elapsed() >= limits_.time_limit) {
        samples_.stop = Stop::time_limit;
        return;
      }
      if (count >= limits_.max_samples) {
        samples_.stop = Stop::max_samples;
        return;
      }
    }
  }

  Device& device_;
  const std::function<int()>& call_;
  const SamplingLimits& limits_;
  const std::stop_token& stop_;
  const AroundCall& around_;
  Clock::time_point start_;
  Samples samples_;
};

}  // namespace

const char* to_text(CacheMode mode) { return mode == CacheMode::cold ? "cold" : "warm"; }

const char* to_text(Stop stop) {
  switch (stop) {
    case Stop::precise:
      return "precise";
    case Stop::time_limit:
      return "time_limit";
    case Stop::max_samples:
      return "max_samples";
    case Stop::interrupted:
      return "interrupted";
    case Stop::call_failed:
      return "call_failed";
    case Stop::call_wrong:
      break;
  }
  return "call_wrong";
}

Samples take_samples(Device& device, const std::function<int()>& call, CacheMode mode,
                     const SamplingLimits& limits, const std::stop_token& stop,
                     const AroundCall& around) {
  return Sampler(device, call, mode, limits, stop, around).run();
}

}  // namespace fa2bench
