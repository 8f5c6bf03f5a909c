// SPDX-License-Identifier: MIT
// What a GPU reaches at most, measured.
#pragma once

#include "device/device.hpp"

namespace fa2bench::cuda {

/// Of the CUDA device given; see Device::measure_ceilings.
Ceilings measure_ceilings(Device& device);

}  // namespace fa2bench::cuda
