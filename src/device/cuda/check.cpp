// SPDX-License-Identifier: MIT
#include "device/cuda/check.hpp"

#include <fmt/format.h>

#include "device/device.hpp"

namespace fa2bench::cuda {
namespace {

/// Errors after which the context still works; any other is sticky.
bool is_recoverable(cudaError_t error) {
  switch (error) {
    case cudaErrorInvalidValue:
    case cudaErrorMemoryAllocation:
    case cudaErrorInvalidConfiguration:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorLaunchOutOfResources:
      return true;
    default:
      return false;
  }
}

}  // namespace

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  throw DeviceError(
      fmt::format("{}: {} ({})", what, cudaGetErrorString(error), cudaGetErrorName(error)),
      !is_recoverable(error));
}

}  // namespace fa2bench::cuda
