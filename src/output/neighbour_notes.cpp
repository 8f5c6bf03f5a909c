// SPDX-License-Identifier: MIT
#include "output/neighbour_notes.hpp"

#include <fmt/format.h>

namespace fa2bench {
namespace {

/// "1 other compute process was"; "" if there was none that is known of.
std::string others(const Telemetry& telemetry) {
  const int count = telemetry.other_compute_processes.value_or(0);
  if (count == 0) return "";
  return fmt::format("{} other compute process{}", count, count == 1 ? " was" : "es were");
}

}  // namespace

std::string neighbour_notes(const Report& report) {
  std::string notes;
  const Telemetry& before = report.telemetry.before;
  const double busy = before.utilization_percent.value_or(0.0);
  if (const std::string who = others(before); !who.empty()) {
    notes +=
        fmt::format("warning: {} on the GPU before the run, so that times may be longer\n", who);
  } else if (busy > kBusyPercent) {
    notes += fmt::format(
        "warning: the GPU was {:.0f} % busy before the run, with whose work is not "
        "known, so that times may be longer\n",
        busy);
  }
  if (const std::string who = others(report.telemetry.after); !who.empty()) {
    notes +=
        fmt::format("warning: {} on the GPU after the run, so that times may be longer\n", who);
  }
  return notes;
}

}  // namespace fa2bench
