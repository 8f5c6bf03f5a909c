// SPDX-License-Identifier: MIT
// One run: workloads and shims in, report out, told of every finished workload.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/shim_runner.hpp"
#include "base/error.hpp"
#include "result/report.hpp"

namespace fa2bench {

/// A shim of the run; in the order of Report::shims, which says whether it could be loaded.
struct SessionShim {
  std::string label;
  std::unique_ptr<ShimRunner> runner;
};

struct SessionSettings {
  std::vector<Mode> modes{Mode::cold};
  SamplingLimits limits;
  bool check_graph = false;    ///< see RunRequest
  bool trace_kernels = false;  ///< see RunRequest
  bool profile = false;        ///< see RunRequest
  ComparisonRules rules;       ///< where shims are compared
  /// Memory of the device, once all processes of shims that are compared have opened it.
  std::optional<Bytes> free = std::nullopt;
};

/// What the session tells while it works.
struct SessionEvents {
  /// `done` of `total` (workload, shim) pairs are over; `now` is in this phase.
  std::function<void(std::size_t done, std::size_t total, const std::string& now,
                     const std::string& phase)>
      progress;
  /// The report has one more finished workload.
  std::function<void(const Report&)> save;
};

/// What one of the processes of a shim is asked for: its share of the time, and what one process is
/// enough for.
RunRequest request_of(const SessionSettings& settings, const Workload& workload, int process,
                      int processes);

/// Runs every workload with every shim, one shim after the other, and appends to report.workloads.
/// A workload that fails is a status; the next one runs. On a stop request the rest is `not_run`
/// and report.complete stays false.
void run_session(const std::vector<Workload>& workloads, const std::vector<SessionShim>& shims,
                 const SessionSettings& settings, const SessionEvents& events,
                 const std::stop_token& stop, Report& report);

/// By the order of design: 3, 5, 4, and of a comparison 6, 7 if anything of that kind happened,
/// else 0. Unsupported and does_not_fit are answers, not failures.
ExitCode exit_code(const Report& report);

}  // namespace fa2bench
