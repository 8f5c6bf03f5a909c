// SPDX-License-Identifier: MIT
#include "result/gates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fa2bench {
namespace {

constexpr const char* kShareKey = "speed_of_light_min";

Mode mode_of(const Gate& gate) {
  for (std::size_t i = 0; i < kModeNames.size(); ++i) {
    if (gate.key == std::string(kModeNames.at(i)) + "_us_max") return static_cast<Mode>(i);
  }
  return Mode::cold;
}

std::string why_untimed(const Run& run, Mode mode) {
  const auto untimed = std::find_if(run.untimed.begin(), run.untimed.end(),
                                    [&](const Untimed& other) { return other.mode == mode; });
  if (untimed != run.untimed.end()) {
    return fmt::format("mode {} has no time: {}", to_text(mode), to_text(untimed->status));
  }
  if (run.status != Status::ok) {
    return fmt::format("mode {} has no time: {}", to_text(mode), to_text(run.status));
  }
  if (!run.reason.empty()) {
    return fmt::format("mode {} has no time: {}", to_text(mode), run.reason);
  }
  return fmt::format("mode {0} was not timed; add --mode {0}", to_text(mode));
}

bool is_gated(const Report& report, const Run& run) {
  return !report.comparison || run.shim != report.comparison->baseline;
}

/// No reason if it is met.
GateMiss check(const Gate& gate, const Run& run, const std::string& profiler) {
  const Mode mode = mode_of(gate);
  GateMiss miss{gate, mode, std::nullopt, ""};
  const Timing* timing = timing_of(run, mode);
  if (timing == nullptr) {
    miss.reason = fmt::format("{} not known: {}", gate.key, why_untimed(run, mode));
    return miss;
  }
  if (!profiler.empty()) {
    miss.reason = fmt::format("{} not known: times under {} are not those of a plain run", gate.key,
                              profiler);
    return miss;
  }
  if (gate.key == kShareKey) {
    if (!timing->speed_of_light || !std::isfinite(*timing->speed_of_light)) {
      miss.reason = fmt::format("{} not known: no ceiling was measured", gate.key);
      return miss;
    }
    miss.actual = timing->speed_of_light;
    if (*miss.actual < gate.bound) {
      miss.reason = fmt::format("{} not met: {:.3g} of the {} ceiling, less than {:.6g}", gate.key,
                                *miss.actual, timing->limit, gate.bound);
    }
    return miss;
  }
  miss.actual = timing->device.median;
  if (!(timing->device.median <= gate.bound)) {
    miss.reason = fmt::format("{} not met: {:.6g} µs, more than {:.6g} µs", gate.key,
                              timing->device.median, gate.bound);
  }
  return miss;
}

}  // namespace

std::vector<GateMiss> gate_misses(const Report& report, const Workload& workload, const Run& run) {
  std::vector<GateMiss> misses;
  if (!is_gated(report, run)) return misses;
  for (const Gate& gate : workload.gates) {
    GateMiss miss = check(gate, run, report.profiler);
    if (!miss.reason.empty()) misses.push_back(std::move(miss));
  }
  return misses;
}

ExitCode gates_exit_code(const Report& report) {
  ExitCode code = ExitCode::ok;
  for (const WorkloadResult& result : report.workloads) {
    for (const Run& run : result.runs) {
      for (const GateMiss& miss : gate_misses(report, result.workload, run)) {
        if (miss.actual) return ExitCode::slower;
        code = ExitCode::inconclusive;
      }
    }
  }
  return code;
}

}  // namespace fa2bench
