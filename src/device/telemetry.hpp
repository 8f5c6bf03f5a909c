// SPDX-License-Identifier: MIT
// What a device said of itself at one moment: its clocks, its heat, and who else is there.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace fa2bench {

/// What is not known is absent: never 0, never an empty list.
struct Telemetry {
  std::optional<double> sm_mhz;  ///< as NVML says
  /// What an SM counted while a call ran. Under load it is lower than `sm_mhz`, which stays.
  std::optional<double> sm_mhz_in_call;
  std::optional<double> memory_mhz;
  std::optional<double> temperature_c;
  std::optional<double> power_w;              ///< the driver averages it, over up to a second
  std::optional<double> utilization_percent;  ///< of the last second or less; of all work, ours too
  /// Why clocks are below their highest, in words that stay: "gpu_idle", "applications_clocks",
  /// "sw_power_cap", "hw_slowdown", "sync_boost", "sw_thermal", "hw_thermal", "hw_power_brake",
  /// "display_clock"; "bit_9" for one that has no name here. Empty: none.
  std::optional<std::vector<std::string>> throttle_reasons;
  std::optional<int> other_compute_processes;  ///< on the GPU, and not of this run

  std::optional<double> cpu_mhz;       ///< of the CPU that the reading thread was on
  std::optional<double> load_average;  ///< of the machine, over a minute

  friend bool operator==(const Telemetry&, const Telemetry&) = default;
};

/// A GPU of which more than this was used counts as busy.
inline constexpr double kBusyPercent = 10.0;
/// A CPU with a higher load average counts as busy: 0.5, or a twentieth of its logical CPUs where
/// that is more.
double busy_load(int logical_cpus);

/// Whether a reason of Telemetry::throttle_reasons is one of power or heat, rather than a clock
/// that somebody chose or an idle GPU.
bool is_power_or_heat(const std::string& reason);
/// Whether a reason is one of power or heat. False where the reasons are not known.
bool is_throttled(const Telemetry& telemetry);

}  // namespace fa2bench
