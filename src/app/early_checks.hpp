// SPDX-License-Identifier: MIT
// What a shim must get right before it is timed.
#pragma once

#include "app/checked_calls.hpp"

namespace fa2bench {

/// Calls with another q, then on other pages, then as it will be timed, and that some more times;
/// looks whether work stays on the stream. False, with the run's status, unless all was right. K
/// and V then lie where target.table says.
bool passes_early_checks(const Shim& shim, const WorkloadOnDevice& target,
                         const PhaseListener& listener, CheckedCalls& calls);

}  // namespace fa2bench
