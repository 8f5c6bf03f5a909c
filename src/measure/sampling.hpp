// SPDX-License-Identifier: MIT
// What one sample is, how many are taken, and when that is enough.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "device/device.hpp"

namespace fa2bench {

/// State of the last-level cache before a timed call.
enum class CacheMode {
  cold,  ///< emptied before each call, outside the interval
  warm,  ///< as the same call left it
};
const char* to_text(CacheMode mode);

struct SamplingLimits {
  Seconds time_limit{2.0};   ///< of sampling, warm-up included; at least one sample is taken
  double precision = 0.005;  ///< relative width of the 95 % interval of the median that is enough
  std::size_t min_samples = 30;
  std::size_t max_samples = 20000;
};

/// Why sampling ended.
enum class Stop {
  precise,      ///< the interval was narrow enough
  time_limit,   ///< it was not, within the time limit
  max_samples,  ///< it was not, within max_samples
  interrupted,  ///< the user asked to stop
  call_failed,  ///< a call returned a code other than 0
  call_wrong,   ///< what a call left did not pass
};
const char* to_text(Stop stop);

struct Samples {
  CacheMode mode = CacheMode::cold;
  std::vector<double> device_us;  ///< in the order taken
  std::vector<double> host_us;    ///< time until the call returned, same order
  double first_call_us = 0.0;     ///< of the first warm-up call, lazy loading included
  std::size_t warm_up_calls = 0;
  bool gated = false;          ///< no delay of the host is in device_us (see Device::has_gate)
  bool host_blocking = false;  ///< the call waits for the device, so it could not be gated
  Stop stop = Stop::time_limit;
  int code = 0;  ///< with call_failed
  double wall_s = 0.0;
};

/// Done around every call of a series, warm-up included, outside the interval.
struct AroundCall {
  std::function<void()> before = [] {};  ///< enqueues
  /// Looks at what the call left, once it is done; false ends the series.
  std::function<bool()> passes = [] { return true; };
};

/// Warms up (at least three calls and a twentieth of the time limit, or one call that is as long),
/// then samples. `call` enqueues one call on the device's stream and returns its code. Throws
/// DeviceError.
Samples take_samples(Device& device, const std::function<int()>& call, CacheMode mode,
                     const SamplingLimits& limits, const std::stop_token& stop,
                     const AroundCall& around = {});

}  // namespace fa2bench
