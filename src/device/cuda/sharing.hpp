// SPDX-License-Identifier: MIT
// Device memory that other processes can open too: CUDA IPC.
#pragma once

#include <string>

#include "device/device.hpp"

namespace fa2bench::cuda {

/// Whole pages of 2 MiB, as the CUDA documentation advises: smaller allocations share a page, and
/// with it all of each other.
Bytes shareable_size(Bytes size);
/// The handle of what cudaMalloc gave, in hexadecimal digits. Throws DeviceError with the reason
/// where IPC is refused, as in some containers and on some platforms.
std::string share(void* memory);
/// On the current device, in another process than the one that shared it. Throws DeviceError.
DeviceMemory open_shared(const std::string& handle);

}  // namespace fa2bench::cuda
