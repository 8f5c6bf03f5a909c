// SPDX-License-Identifier: MIT
// NVML, opened at run time where present: what the CUDA runtime does not tell.
#pragma once

#include <string>

namespace fa2bench::cuda {

/// The driver's version, "580.159.04"; "" where NVML is absent.
std::string nvml_driver_version();

}  // namespace fa2bench::cuda
