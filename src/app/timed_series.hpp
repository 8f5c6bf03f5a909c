// SPDX-License-Identifier: MIT
// The calls that are timed: each one's outputs are looked at, so that nothing unverified is timed.
#pragma once

#include <stop_token>

#include "app/checked_calls.hpp"

namespace fa2bench {

/// Times a shim that was right so far, in every mode of the request. False, with the run's status,
/// if a call failed, was wrong, or none was made; else the run has a timing for each mode.
bool take_timings(const Shim& shim, const WorkloadOnDevice& target, const RunRequest& request,
                  const PhaseListener& listener, const std::stop_token& stop, CheckedCalls& calls);

}  // namespace fa2bench
