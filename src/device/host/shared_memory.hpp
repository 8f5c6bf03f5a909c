// SPDX-License-Identifier: MIT
// Host memory that other processes of the same user can map too.
#pragma once

#include <string>

#include "device/device.hpp"

namespace fa2bench {

/// An anonymous file in memory (memfd). The handle is its path under /proc, which is gone with this
/// process or with the memory, so that nothing is ever left behind. Throws OutOfMemory,
/// DeviceError.
SharedMemory share_host_memory(Bytes size);
/// Maps it, in this process or another. Throws DeviceError.
DeviceMemory open_host_memory(const std::string& handle);

}  // namespace fa2bench
