// SPDX-License-Identifier: MIT
#include "output/neighbour_notes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "output/notes.hpp"

namespace fa2bench {
namespace {

int others(const Telemetry& telemetry) { return telemetry.other_compute_processes.value_or(0); }

std::string warning(int others, const char* when) {
  return fmt::format(
      "warning: {} other compute process{} on the GPU {} the run, so that times may be longer",
      others, others == 1 ? " was" : "es were", when);
}

/// The most that were seen at the end of a trial.
int most_others(const WorkloadResult& result) {
  int most = 0;
  for (const Run& run : result.runs) {
    for (const Timing& timing : run.timings) {
      for (const TrialTelemetry& after : timing.samples.telemetry) {
        most = std::max(most, others(after.telemetry));
      }
    }
  }
  return most;
}

std::string cpu_notes(const Report& report) {
  std::string text;
  const double load = report.telemetry.before.load_average.value_or(0.0);
  if (load > busy_load(report.device.processors)) {
    text += fmt::format(
        "warning: the load average of the minute before the run was {:.3g} on {} logical CPUs, so "
        "that times may be longer\n",
        load, report.device.processors);
  }
  const std::string& governor = report.host.cpu_governor;
  if (!governor.empty() && governor != "performance") {
    text +=
        fmt::format("the CPU's governor is {}, not performance: times move with its frequency\n",
                    printable(governor));
  }
  return text;
}

}  // namespace

std::string neighbour_notes(const Report& report) {
  if (report.device.kind == DeviceKind::host) return cpu_notes(report);
  std::string text;
  const Telemetry& before = report.telemetry.before;
  const double busy = before.utilization_percent.value_or(0.0);
  if (others(before) > 0) {
    text += warning(others(before), "before") + '\n';
  } else if (busy > kBusyPercent) {
    text += fmt::format(
        "warning: the GPU was {:.0f} % busy before the run, with whose work is not "
        "known, so that times may be longer\n",
        busy);
  }
  Notes during;
  for (const WorkloadResult& result : report.workloads) {
    const int most = most_others(result);
    if (most > 0) during.add(warning(most, "during"), result.workload.name);
  }
  text += during.text();
  if (others(report.telemetry.after) > 0) {
    text += warning(others(report.telemetry.after), "after") + '\n';
  }
  return text;
}

}  // namespace fa2bench
