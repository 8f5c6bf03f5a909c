// SPDX-License-Identifier: MIT
// Whether a shim is right when replayed from a CUDA graph, as engines call it in decode. The times
// are of plain calls, so what is found here voids none.
#pragma once

#include "app/checked_calls.hpp"

namespace fa2bench {

/// Fills run.verify->constancy.graph of a shim that was right so far. Returns whether the shim's
/// library may hold errors of it, so that this process should not call it again.
bool check_graph(const Shim& shim, const WorkloadOnDevice& target, CheckedCalls& calls);

}  // namespace fa2bench
