// SPDX-License-Identifier: MIT
#include "app/requirements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.hpp"

namespace fa2bench {
namespace {

/// The whole of `text` as a number in [lowest, highest].
std::optional<double> parse_number(std::string_view text, double lowest, double highest) {
  double number = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, number);
  if (code != std::errc{} || stop != end || !(number >= lowest && number <= highest)) {
    return std::nullopt;
  }
  return number;
}

/// Takes "±2%" or "+-2%" off the end of the text. False if it ends in something else.
bool split_tolerance(std::string_view& text, double& percent) {
  for (const std::string_view sign : {"±", "+-"}) {
    const std::size_t at = text.find(sign);
    if (at == std::string_view::npos) continue;
    std::string_view tolerance = text.substr(at + sign.size());
    if (!tolerance.ends_with('%')) return false;
    tolerance.remove_suffix(1);
    const auto number = parse_number(tolerance, 0.0, 50.0);
    text = text.substr(0, at);
    percent = number.value_or(percent);
    return number.has_value();
  }
  return true;
}

std::string neighbours(const std::optional<int>& others) {
  if (!others) {
    return "--require-idle: whether others compute on the GPU is not known here (NVML does not "
           "show all processes in some containers, nor under WSL); run outside of them, or without "
           "the option";
  }
  if (*others == 0) return "";
  return fmt::format(
      "--require-idle: {} other compute process{} on the GPU; end what nvidia-smi "
      "lists, or wait for it",
      *others, *others == 1 ? " is" : "es are");
}

std::string idle_before(const Telemetry& before, const DeviceFacts& device) {
  if (device.kind == DeviceKind::host) {
    const double most = busy_load(device.processors);
    if (!before.load_average) {
      return "--require-idle: the load average is not known here; run without the option";
    }
    if (*before.load_average <= most) return "";
    return fmt::format(
        "--require-idle: the load average of the last minute is {}, at most {} "
        "expected; end what runs, or wait",
        *before.load_average, most);
  }
  std::string reason = neighbours(before.other_compute_processes);
  if (!reason.empty() || before.utilization_percent.value_or(0.0) <= kBusyPercent) return reason;
  return fmt::format(
      "--require-idle: the GPU was {:.0f} % busy before this run; find out with "
      "nvidia-smi who uses it, or wait",
      *before.utilization_percent);
}

std::string off_clock(const ClockRange& range, const Telemetry& telemetry,
                      const DeviceFacts& device) {
  const bool cpu = device.kind == DeviceKind::host;
  const std::optional<double> mhz = cpu ? telemetry.cpu_mhz : telemetry.sm_mhz;
  const std::string option =
      fmt::format("--require-clocks {}±{}%", range.mhz, range.tolerance_percent);
  const char* clock = cpu ? "CPU's frequency" : "SM clock";
  if (!mhz)
    return fmt::format("{}: the {} is not known here; run without the option", option, clock);
  if (std::abs(*mhz - range.mhz) <= range.mhz * range.tolerance_percent / 100.0) return "";
  const std::string fix = cpu ? fmt::format("cpupower frequency-set -d {0}MHz -u {0}MHz", range.mhz)
                              : fmt::format("nvidia-smi -i {} -lgc {}", device.uuid, range.mhz);
  return fmt::format("{}: the {} is {:.0f} MHz; fix it ({}), or expect another", option, clock,
                     *mhz, fix);
}

}  // namespace

ClockRange parse_clock_range(std::string_view text) {
  ClockRange range;
  std::string_view clock = text;
  const bool tolerance = split_tolerance(clock, range.tolerance_percent);
  const auto mhz = parse_number(clock, 1.0, 100'000.0);
  if (!tolerance || !mhz) {
    throw Error(ErrorKind::usage,
                fmt::format("--require-clocks {}: expected MHz from 1 to 100000, and a tolerance "
                            "from 0 to 50 % if 1 % will not do, as in 1980 or 1980±2% (also "
                            "1980+-2%)",
                            text));
  }
  range.mhz = *mhz;
  return range;
}

std::string unmet_before(const Requirements& required, const RunTelemetry& telemetry,
                         const DeviceFacts& device) {
  if (required.idle) {
    std::string reason = idle_before(telemetry.before, device);
    if (!reason.empty()) return reason;
  }
  return required.clocks ? off_clock(*required.clocks, telemetry.ready, device) : "";
}

std::string unmet_now(const Requirements& required, const Telemetry& now,
                      const DeviceFacts& device) {
  if (required.idle && device.kind == DeviceKind::cuda) {
    std::string reason = neighbours(now.other_compute_processes);
    if (!reason.empty()) return reason;
  }
  return required.clocks ? off_clock(*required.clocks, now, device) : "";
}

std::string unmet_during(const Requirements& required, const Report& report) {
  for (const WorkloadResult& result : report.workloads) {
    for (const Run& run : result.runs) {
      for (const Timing& timing : run.timings) {
        for (const TrialTelemetry& after : timing.samples.telemetry) {
          const std::string reason = unmet_now(required, after.telemetry, report.device);
          if (reason.empty()) continue;
          return fmt::format("{} (first seen after trial {} of {} · {}, {})", reason,
                             after.trial + 1, result.workload.name, run.shim,
                             to_text(timing.samples.mode));
        }
      }
    }
  }
  return "";
}

}  // namespace fa2bench
