// SPDX-License-Identifier: MIT
#include <cuda_runtime_api.h>

#include <cmath>

#include "delay.hpp"

namespace fa2bench::slow {
namespace {

// In every call, so that it is no part of the difference: the launch, and as long a spin that what
// the device does meanwhile (it ends the launch and fetches what follows, about 1.4 us) is hidden
// behind it. Of a shorter spin only the part beyond that would be seen.
constexpr double kAlwaysUs = 4.0;

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
  spin<<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>(
      std::llround((kAlwaysUs + us) * cycles_per_us()));
  const cudaError_t error = cudaGetLastError();
  return error == cudaSuccess ? "" : cudaGetErrorString(error);
}

}  // namespace fa2bench::slow
