// SPDX-License-Identifier: MIT
// The shims of a run, loaded: alone, one after the other, or to be compared.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/contest.hpp"
#include "app/launch_class.hpp"
#include "app/session.hpp"
#include "cli/options.hpp"

namespace fa2bench {

/// Whether the run compares its shims. Throws Error(usage) for what cannot be compared so.
bool is_contest(const RunOptions& options);

/// For all runners of a run; null where a process is as good as another. `auto` may yet be a GPU.
std::shared_ptr<LaunchClass> launch_class(const RunOptions& options, bool profiled);

/// One of the two, as is_contest() says.
struct OpenedShims {
  std::vector<SessionShim> alone;
  std::vector<Contestant> contestants;  ///< with their first process each
  std::optional<Bytes> free;            ///< memory of the device, the least that any process saw
};

/// Loads every shim; device and ceilings come from the first that loads. One that does not is noted
/// in its record; if none does, the first one's Error is thrown.
OpenedShims open_shims(const RunOptions& options, const std::stop_token& stop,
                       const std::function<void(const std::string&)>& note,
                       const std::shared_ptr<LaunchClass>& launches, Report& report);

/// The other processes of report.limits.processes, one after the other: many that start on a GPU at
/// once wait for each other. One in which a shim does not load says so once it is to be timed.
void open_other_processes(const RunOptions& options, const Report& report,
                          const std::stop_token& stop, const std::shared_ptr<LaunchClass>& launches,
                          OpenedShims& shims);

/// Which shims are one build under several labels: links, copies, the same path twice. A line each.
std::vector<std::string> equal_builds(const std::vector<ShimRecord>& shims);

}  // namespace fa2bench
