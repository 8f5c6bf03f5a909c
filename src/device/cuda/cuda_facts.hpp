// SPDX-License-Identifier: MIT
// What the CUDA runtime and NVML know of a device.
#pragma once

#include "device/device.hpp"

namespace fa2bench::cuda {

/// Throws DeviceError.
DeviceFacts cuda_facts(int index);

}  // namespace fa2bench::cuda
