// SPDX-License-Identifier: MIT
// What Linux says of this machine's processor and memory.
#pragma once

#include "base/units.hpp"
#include "device/device.hpp"

namespace fa2bench {

DeviceFacts host_facts();

/// MemAvailable, bounded by what the control group still allows.
Bytes available_host_memory();

}  // namespace fa2bench
