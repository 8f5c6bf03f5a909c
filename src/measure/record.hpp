// SPDX-License-Identifier: MIT
// What every way of sampling does with a time.
#pragma once

#include <chrono>
#include <cmath>

#include "base/units.hpp"
#include "device/device.hpp"
#include "measure/samples.hpp"

namespace fa2bench {

inline Seconds since(std::chrono::steady_clock::time_point start) {
  return std::chrono::steady_clock::now() - start;
}

/// In µs, rounded to the nanosecond: no clock here is finer, and the result file stays lossless.
inline double to_nanosecond(Microseconds time) { return std::round(time.count() * 1e3) / 1e3; }

/// One more sample of the trial.
inline void record(const CallTime& time, Samples& samples, Trial& trial) {
  samples.device_us.push_back(to_nanosecond(time.device));
  samples.host_us.push_back(to_nanosecond(time.host));
  ++trial.samples;
}

/// False, with the reason, if the call returned a code other than 0.
inline bool did_well(const CallTime& time, Samples& samples) {
  if (time.code == 0) return true;
  samples.stop = Stop::call_failed;
  samples.code = time.code;
  return false;
}

}  // namespace fa2bench
