// SPDX-License-Identifier: MIT
// Takes the samples of one mode: placement trials, warm-up until settled, pace, and when to stop.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

#include "device/device.hpp"
#include "measure/samples.hpp"

namespace fa2bench {

/// What is timed, and what is done around it, outside the interval. False of a function ends the
/// series as `call_wrong`.
struct Series {
  Mode mode = Mode::cold;
  CacheState cache = CacheState::swept;  ///< with `swept` the sampler empties the cache
  int calls = 1;                         ///< of the shim in a sample
  /// Enqueues a sample's calls and returns the first code other than 0.
  std::function<int()> call;
  /// Puts the memory elsewhere, before each trial but the first (`trial` from 1).
  std::function<bool(std::size_t trial)> place = [](std::size_t) { return true; };
  std::function<void()> before = [] {};  ///< each sample, warm-up included; enqueues
  /// Looks at what a sample's calls left, once they are done.
  std::function<bool()> passes = [] { return true; };
  /// Looks at the memory after each trial.
  std::function<bool()> leave = [] { return true; };
};

/// Any mode but sustained. Warms up, then samples, in one trial after the other. The event floor is
/// left to the caller. Throws DeviceError.
Samples take_samples(Device& device, const Series& series, const SamplingLimits& limits,
                     const std::stop_token& stop);

/// Mode sustained, `time` long: every sample is so many calls of the series back to back that what
/// is done around them takes no share of the time; a trial is a stretch of it. `series.call` makes
/// one call. Throws DeviceError.
Samples take_sustained(Device& device, const Series& series, Seconds time,
                       const std::stop_token& stop);

}  // namespace fa2bench
