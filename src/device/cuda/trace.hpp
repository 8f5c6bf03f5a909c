// SPDX-License-Identifier: MIT
// Calls that are looked on: one by CUPTI, some by a profiler.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>

#include "device/cuda/gate.hpp"
#include "device/kernel_trace.hpp"

namespace fa2bench::cuda {

/// See Device::trace_kernels. `gate` may be null; `device` is the one that the stream is of. Throws
/// DeviceError.
KernelTrace trace_call(int device, cudaStream_t stream, StreamGate* gate,
                       const std::function<int()>& call);

/// See Device::start_profiler.
void start_profiler(cudaStream_t stream);
/// Never throws: it also ends what went wrong.
void stop_profiler(cudaStream_t stream);

}  // namespace fa2bench::cuda
