// SPDX-License-Identifier: MIT
// A launch as planned, and CUDA's errors as the contract's codes and texts.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "shims/arguments.hpp"
#include "shims/cuda/place.cuh"
#include "shims/cuda/plan.hpp"

namespace fa2bench::shims::cuda {

inline int launch_failed(ErrorText text, const char* what, cudaError_t error) {
  return fail(FERRUM_FA2_LAUNCH_FAILED, text, "%s: %s (%s)", what, cudaGetErrorString(error),
              cudaGetErrorName(error));
}

/// Takes the error of the call just made, so that it is not blamed on the next one.
inline int check(cudaError_t error, const char* what, ErrorText text) {
  if (error == cudaSuccess) return FERRUM_FA2_OK;
  (void)cudaGetLastError();
  return launch_failed(text, what, error);
}

using Kernel = void (*)(Params);

/// Per device, and cheap; asking each time needs no memory of which devices were seen.
inline cudaError_t raise_shared_limit(Kernel kernel, int bytes) {
  if (bytes <= 48 * 1024) return cudaSuccess;
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}

struct Launch {
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute cluster = {};

  Launch(const Plan& plan, cudaStream_t stream) {
    config.gridDim.x = static_cast<unsigned>(plan.blocks);
    config.blockDim.x = static_cast<unsigned>(plan.warps) * 32;
    config.dynamicSmemBytes = static_cast<std::size_t>(plan.shared_bytes);
    config.stream = stream;
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {static_cast<unsigned>(plan.cluster), 1, 1};
    config.attrs = &cluster;
    config.numAttrs = plan.cluster > 1 ? 1 : 0;
  }
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;
};

inline int launch(Kernel kernel, const Params& p, const Plan& plan, cudaStream_t stream,
                  ErrorText text) {
  if (const int code =
          check(raise_shared_limit(kernel, plan.shared_bytes), "cudaFuncSetAttribute", text)) {
    return code;
  }
  const Launch launch(plan, stream);
  return check(cudaLaunchKernelEx(&launch.config, kernel, p), "launch of the attention kernel",
               text);
}

}  // namespace fa2bench::shims::cuda
