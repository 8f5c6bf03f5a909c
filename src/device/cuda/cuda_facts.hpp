// SPDX-License-Identifier: MIT
// What CUDA says of a device.
#pragma once

#include "device/device.hpp"

namespace fa2bench::cuda {

/// Makes no context. Throws DeviceError.
DeviceFacts cuda_facts(int index);

}  // namespace fa2bench::cuda
