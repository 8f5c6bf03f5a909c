// SPDX-License-Identifier: MIT
// Whether emptying the cache empties it, measured.
#pragma once

#include "device/device.hpp"

namespace fa2bench {

/// Medians of the time of one walk through a third of the last-level cache, in µs. The walk waits
/// for every line, so that its time is the latency of where the lines lay.
struct FlushEffect {
  double warm_us = 0.0;     ///< after the same walk
  double emptied_us = 0.0;  ///< after Device::evict_cache
  double cold_us = 0.0;     ///< after four times the cache was written, by a sweep of our own
};

/// Waits. Throws OutOfMemory, DeviceError.
FlushEffect measure_flush_effect(Device& device);

}  // namespace fa2bench
