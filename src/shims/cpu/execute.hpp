// SPDX-License-Identifier: MIT
// Runs a schedule on all cores.
#pragma once

#include "shims/cpu/attention.hpp"
#include "shims/cpu/schedule.hpp"

namespace fa2bench::shims::cpu {

/// Returns when every row is written. Starts schedule.threads - 1 threads, fewer where the system
/// refuses them, and joins them. Which thread runs an item does not change its bits.
/// Throws std::bad_alloc before any work is done.
void execute(const Problem& problem, const Schedule& schedule, const Kernel& kernel);

}  // namespace fa2bench::shims::cpu
