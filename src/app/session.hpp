// SPDX-License-Identifier: MIT
// One run: workloads in, report out, told of every finished workload.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "device/device.hpp"
#include "result/report.hpp"
#include "shim/shim.hpp"

namespace fa2bench {

struct LabelledShim {
  std::string label;
  Shim shim;
};

struct SessionSettings {
  std::vector<CacheMode> modes{CacheMode::cold};
  SamplingLimits limits;
};

/// What the session tells while it works.
struct SessionEvents {
  /// `done` of `total` (workload, shim) pairs are over; `now` is begun.
  std::function<void(std::size_t done, std::size_t total, const std::string& now)> progress;
  /// The report has one more finished workload. Not called for workloads left out after a stop
  /// request.
  std::function<void(const Report&)> save;
};

/// Runs every workload with every shim, one shim after the other, and appends to report.workloads.
/// A workload that fails is a status; the next one runs. On a stop request the rest is `not_run`
/// and report.complete stays false. Throws only what ends the run.
void run_session(Device& device, const std::vector<Workload>& workloads,
                 const std::vector<LabelledShim>& shims, const SessionSettings& settings,
                 const SessionEvents& events, const std::stop_token& stop, Report& report);

/// Everything that a run of the workload allocates on the device.
Bytes device_memory_needed(const Plan& plan, const HeadShape& shape, Bytes l2);

/// By the order of design: 3, 5, 4 if anything of that kind happened, else 0. Unsupported and
/// does_not_fit are answers, not failures.
ExitCode exit_code(const Report& report);

}  // namespace fa2bench
