// SPDX-License-Identifier: MIT
// A CUDA GPU as a device: its primary context, one non-blocking stream, events.
#pragma once

#include <memory>
#include <string>

#include "device/device.hpp"

namespace fa2bench {

/// Why no CUDA device can be used, or "".
std::string cuda_device_obstacle();
/// Throws Error(environment).
std::unique_ptr<Device> make_cuda_device(int index, bool used_before = false);

}  // namespace fa2bench
