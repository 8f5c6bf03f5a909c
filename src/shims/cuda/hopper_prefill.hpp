// SPDX-License-Identifier: MIT
// The prefill path for compute capability 9.0, in a translation unit of its own that is compiled
// for sm_90a alone.
#pragma once

#include <cuda_runtime.h>

#include "shims/arguments.hpp"
#include "shims/cuda/hopper_plan.hpp"

namespace fa2bench::shims::cuda {

/// Launches the plan's kernels on the current device. `workspace` is device memory of the plan's
/// workspace_bytes, null without a split. Returns a code of ferrum_fa2_shim.h.
int launch_hopper_prefill(const Arguments& a, const HopperPlan& plan, void* workspace,
                          cudaStream_t stream, ErrorText text);

}  // namespace fa2bench::shims::cuda
