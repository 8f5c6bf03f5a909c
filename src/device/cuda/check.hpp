// SPDX-License-Identifier: MIT
// Every CUDA call is checked; this is how.
#pragma once

#include <cuda_runtime_api.h>

namespace fa2bench::cuda {

/// Throws DeviceError, "upload: invalid argument (cudaErrorInvalidValue)", unless it succeeded.
void check(cudaError_t error, const char* what);

}  // namespace fa2bench::cuda
