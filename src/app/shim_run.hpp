// SPDX-License-Identifier: MIT
// One shim on one workload whose buffers are ready: verify, time, verify again.
#pragma once

#include <stop_token>
#include <string>

#include "app/checked_calls.hpp"
#include "measure/in_turns.hpp"

namespace fa2bench {

/// Why the shim says that it has no code for the shape, or "".
std::string shape_obstacle(const ShimDescription& described, const HeadShape& shape);

/// The label and the rates of the result are left to the caller. Throws DeviceError.
Ran run_shim_on(const Shim& shim, const WorkloadOnDevice& target, const RunRequest& request,
                const PhaseListener& listener, const std::stop_token& stop,
                const NextTurn& next_turn);

}  // namespace fa2bench
