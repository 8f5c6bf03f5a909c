// SPDX-License-Identifier: MIT
// One run in which several shims are compared: each in processes of its own, which are all there
// from the start and take turns.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/memory_holder.hpp"
#include "app/session.hpp"

namespace fa2bench {

inline constexpr std::size_t kMostContestants = 8;

/// A shim of the run; in the order of Report::shims. The first is the baseline.
struct Contestant {
  std::string label;
  std::vector<std::unique_ptr<TurnRunner>> processes;  ///< as many as of the others
};

/// Runs every workload with every shim, and appends to report.workloads and report.comparison. In
/// each mode the shims take turns (app/turns.hpp), for as long together as each alone would be
/// timed. A shim that fails in one process has failed in the workload; the others go on.
/// Interrupted, the workload that was being worked on is `not_run`. `memory` gives what all are
/// timed on; null: each process allocates its own.
void run_contest(const std::vector<Workload>& workloads, const std::vector<Contestant>& shims,
                 const SessionSettings& settings, const SessionEvents& events,
                 const std::stop_token& stop, MemoryHolder* memory, Report& report);

}  // namespace fa2bench
