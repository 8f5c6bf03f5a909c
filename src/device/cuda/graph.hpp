// SPDX-License-Identifier: MIT
// A call captured into a CUDA graph, as engines do with their decode steps.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>

#include "device/device.hpp"

namespace fa2bench::cuda {

/// Captures what `call` enqueues on `stream` from this thread; the graph is launched on the same.
/// `stream` must be idle. An obstacle is text, never a thrown error.
CallGraph capture(cudaStream_t stream, const std::function<int()>& call);

}  // namespace fa2bench::cuda
