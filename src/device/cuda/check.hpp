// SPDX-License-Identifier: MIT
// CUDA's errors as exceptions.
#pragma once

#include <cuda_runtime_api.h>

namespace fa2bench::cuda {

/// Throws DeviceError, unless all went well; the device is lost after errors that are sticky.
void check(cudaError_t error, const char* what);

}  // namespace fa2bench::cuda
