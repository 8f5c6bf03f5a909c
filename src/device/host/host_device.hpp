// SPDX-License-Identifier: MIT
// The CPU as a device: plain memory, all cores for fills and checks, the steady clock.
#pragma once

#include <memory>

#include "device/device.hpp"

namespace fa2bench {

std::unique_ptr<Device> make_host_device();

}  // namespace fa2bench
