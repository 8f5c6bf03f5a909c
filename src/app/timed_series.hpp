// SPDX-License-Identifier: MIT
// The calls that are timed, in one mode after the other: each one's outputs are looked at, so that
// nothing unverified is timed.
#pragma once

#include <stop_token>

#include "app/checked_calls.hpp"
#include "measure/in_turns.hpp"

namespace fa2bench {

/// Times a shim that was right so far in the modes of the request that need no graph. False, with
/// the run's status, if a call failed, was wrong, or none was made; else the run has a timing for
/// each of these modes, or says why not. `next_turn` is asked if the request wants turns.
bool take_timings(const Shim& shim, const WorkloadOnDevice& target, const RunRequest& request,
                  const PhaseListener& listener, const std::stop_token& stop,
                  const NextTurn& next_turn, CheckedCalls& calls);

/// The same for the modes that replay a graph, of a run that is `ok`. What goes wrong in one costs
/// the run that timing only. True if device or shim may hold errors afterwards.
bool take_graph_timings(const Shim& shim, const WorkloadOnDevice& target, const RunRequest& request,
                        const PhaseListener& listener, const std::stop_token& stop,
                        const NextTurn& next_turn, CheckedCalls& calls);

}  // namespace fa2bench
