// SPDX-License-Identifier: MIT
#pragma once
#include "device/device.hpp"
namespace fa2bench {
inline double measure_event_floor(Device&) { return 0.0; }
}
