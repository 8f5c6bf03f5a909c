// SPDX-License-Identifier: MIT
// A kernel in a file of its own, which CMake compiles for an architecture that the rest of the shim
// is not for, and without PTX: "no kernel image is available".
#include <cuda_runtime.h>

#include "cuda/attention.hpp"

namespace fa2bench::faulty {
namespace {

__global__ void foreign_kernel() {}

}  // namespace

cudaError_t queue_foreign(cudaStream_t stream) {
  foreign_kernel<<<1, 1, 0, stream>>>();
  return cudaPeekAtLastError();
}

}  // namespace fa2bench::faulty
