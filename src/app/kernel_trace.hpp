// SPDX-License-Identifier: MIT
// Which kernels each call launches. Taken from calls of its own, since tracing costs time: no time
// that is reported elsewhere is of a traced call.
#pragma once

#include "app/checked_calls.hpp"

namespace fa2bench {

/// Fills run.kernels of a shim that was right so far, from some cold calls. A call that fails under
/// the trace is an obstacle; one that is wrong is a wrong shim, and the run says so. Throws
/// DeviceError.
void trace_kernels(const Shim& shim, const WorkloadOnDevice& target, CheckedCalls& calls);

}  // namespace fa2bench
