// SPDX-License-Identifier: MIT
#include <cuda_runtime_api.h>

#include <cmath>

#include "delay.hpp"

namespace fa2bench::slow {
namespace {

// Launched for no delay too: what a launch costs is then no part of the difference.
__global__ void spin(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

/// Of the SMs at their highest clock, which paced calls run at; at a lower one the delay grows as
/// other work on the SMs does.
double cycles_per_us() {
  static const double rate = [] {
    int device = 0;
    int khz = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, device) != cudaSuccess) {
      return 0.0;
    }
    return khz / 1e3;
  }();
  return rate;
}

}  // namespace

std::string delay(double us, void* stream) {
  if (cycles_per_us() <= 0.0) return "the clock of the SMs is not known";
  spin<<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>(std::llround(us * cycles_per_us()));
  const cudaError_t error = cudaGetLastError();
  return error == cudaSuccess ? "" : cudaGetErrorString(error);
}

}  // namespace fa2bench::slow
