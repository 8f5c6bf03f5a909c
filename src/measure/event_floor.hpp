// SPDX-License-Identifier: MIT
// What a time holds besides the kernel's own: the floor under every event pair.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "device/device.hpp"

namespace fa2bench {

/// Times of `count` calls of `enqueue` in µs, in the order taken. A first one, which may load code,
/// does not count. Where the gate lets one go before it is queued, as where launches wait for the
/// device, none is gated. Throws DeviceError.
std::vector<double> times_of(Device& device, const std::function<void()>& enqueue, bool gated,
                             std::size_t count);

/// The median of 30 null kernels, gated as the calls are that it is part of: about 2.8 µs on an
/// H200. It is the constant that every time of one kernel carries on top of the kernel's own. Takes
/// a millisecond. Throws DeviceError.
Microseconds measure_event_floor(Device& device, bool gated);

}  // namespace fa2bench
