// SPDX-License-Identifier: MIT
// What a user demands of the device besides being there: nobody else on it, and fixed clocks.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "result/report.hpp"

namespace fa2bench {

/// Of the SM clock, or of the CPU's frequency.
struct ClockRange {
  double mhz = 0.0;
  double tolerance_percent = 1.0;
};

struct Requirements {
  bool idle = false;                 ///< --require-idle
  std::optional<ClockRange> clocks;  ///< --require-clocks
};

/// "1980", "1980±2%" or "1980+-0.5%"; throws Error(usage).
ClockRange parse_clock_range(std::string_view text);

// Each gives one line that names the option, what was found and what helps; "" if all is met. What
// is not known is not met.

/// Before anything is timed. A GPU is idle if nobody else computes on it and it was not busy; a CPU
/// if its load average is at most 0.5, or a twentieth of its logical CPUs where that is more.
std::string unmet_before(const Requirements& required, const RunTelemetry& telemetry,
                         const DeviceFacts& device);
/// While it is being used. What it is busy with is then our own work, so that a CPU has no idle to
/// speak of.
std::string unmet_now(const Requirements& required, const Telemetry& now,
                      const DeviceFacts& device);

/// Of all trials of the run, the first at whose end something did not hold; it is named.
std::string unmet_during(const Requirements& required, const Report& report);

}  // namespace fa2bench
