// SPDX-License-Identifier: MIT
// Telemetry for who has not opened the device, as the session has not: its workers have.
#pragma once

#include "device/device.hpp"

namespace fa2bench {

/// Of the device with these facts; a GPU is found by its UUID.
Telemetry outside_telemetry(const DeviceFacts& facts);

}  // namespace fa2bench
