// SPDX-License-Identifier: MIT
// One call with CUPTI listening.
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

}  // namespace fa2bench::cuda
