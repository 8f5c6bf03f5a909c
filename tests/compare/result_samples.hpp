// SPDX-License-Identifier: MIT
// Small results of a GPU, made by hand, to be held against each other.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "compare/differences.hpp"
#include "result/report.hpp"

namespace fa2bench::test {

/// Five processes of two trials each, around `us`; they scatter by a part `scatter` to each side.
inline Timing sample_timing(double us, double scatter = 0.001, Mode mode = Mode::cold) {
  Samples samples;
  samples.mode = mode;
  samples.cache = mode == Mode::warm ? CacheState::as_left : CacheState::swept;
  samples.gated = true;
  for (int process = 0; process < 5; ++process) {
    const double own = us * (1.0 + scatter * (process - 2) / 2.0);
    for (int trial = 0; trial < 2; ++trial) {
      for (const double factor : {0.999, 1.0, 1.001}) samples.device_us.push_back(own * factor);
      samples.trials.push_back({3, 1, 0.5, 0, process, samples.trials.size()});
    }
  }
  samples.host_us.assign(samples.device_us.size(), 1.0);
  return summarize_samples(std::move(samples));
}

inline WorkloadResult sample_result(const std::string& name, const std::string& id,
                                    std::vector<Timing> timings, const std::string& shim = "shim") {
  WorkloadResult result;
  result.workload.name = name;
  result.workload.id = id;
  Run run;
  run.shim = shim;
  run.status = Status::ok;
  run.timings = std::move(timings);
  result.runs.push_back(std::move(run));
  return result;
}

/// A complete run of one shim on a GPU.
inline NamedReport sample_named(const std::string& name, std::vector<WorkloadResult> workloads) {
  NamedReport named;
  named.name = name;
  Report& report = named.report;
  report.complete = true;
  report.device.kind = DeviceKind::cuda;
  report.device.name = "Example GPU";
  report.device.mig = false;
  report.device.processors = 132;
  ShimRecord shim;
  shim.label = "shim";
  shim.fingerprint.sha256 = std::string(64, 'a');
  report.shims = {shim};
  report.workloads = std::move(workloads);
  return named;
}

/// `count` workloads w0, w1, … that all take `us`.
inline NamedReport sample_rows(const std::string& name, int count, double us) {
  std::vector<WorkloadResult> workloads;
  for (int i = 0; i < count; ++i) {
    workloads.push_back(
        sample_result(fmt::format("w{}", i), fmt::format("{:016x}", i), {sample_timing(us)}));
  }
  return sample_named(name, std::move(workloads));
}

}  // namespace fa2bench::test
