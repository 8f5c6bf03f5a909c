// SPDX-License-Identifier: MIT
// How long this process's launches take on the GPU: by it processes fall into classes, see
// app/launch_class.hpp.
#pragma once

#include <cuda_runtime_api.h>

#include <optional>

#include "base/units.hpp"
#include "device/cuda/gate.hpp"

namespace fa2bench::cuda {

/// From one launch to the next in a chain of empty kernels of `blocks` blocks that is queued behind
/// the gate, so that the host has no part in it: the median of a few chains, 3 ms in all. Nothing
/// where the stream cannot be held until the chain is queued. Waits. Throws DeviceError.
std::optional<Microseconds> measure_launch(cudaStream_t stream, StreamGate& gate, int blocks);

}  // namespace fa2bench::cuda
