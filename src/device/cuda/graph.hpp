// SPDX-License-Identifier: MIT
// A call captured into a CUDA graph, as engines do with their decode steps.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>

#include "device/device.hpp"

namespace fa2bench::cuda {

/// Captures what `call` enqueues on `stream` from this thread, and launches the graph once on it,
/// and waits. `stream` must be idle. An obstacle is text, never a thrown error.
GraphCall launch_captured(cudaStream_t stream, const std::function<int()>& call);

}  // namespace fa2bench::cuda
