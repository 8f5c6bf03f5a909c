// SPDX-License-Identifier: MIT
// A call of a shim recorded into a CUDA graph.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "shim/shim.hpp"

namespace fa2bench::test {

inline void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

template <typename Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, cudaError_t (*)(Handle)>;

struct Capture {
  int code = 0;
  std::string message;
  Owned<cudaGraphExec_t> graph{nullptr, cudaGraphExecDestroy};
};

/// One call, recorded on `stream`.
inline Capture capture(const Shim& shim, const PagedVarlenCall& call, cudaStream_t stream) {
  Capture result;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  const CallOutcome outcome = shim.call(call, stream);
  cudaGraph_t recorded = nullptr;
  const cudaError_t ended = cudaStreamEndCapture(stream, &recorded);
  const Owned<cudaGraph_t> graph(recorded, cudaGraphDestroy);
  result.code = outcome.code;
  result.message = outcome.message;
  if (outcome.code != 0) {
    (void)cudaGetLastError();
    return result;
  }
  check(ended);
  cudaGraphExec_t executable = nullptr;
  check(cudaGraphInstantiateWithFlags(&executable, recorded, 0));
  result.graph.reset(executable);
  return result;
}

}  // namespace fa2bench::test
