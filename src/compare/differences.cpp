// SPDX-License-Identifier: MIT
#include "compare/differences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "stats/summary.hpp"

namespace fa2bench {
namespace {

/// A clock that differs by more than this part says that times differ with it.
constexpr double kClockDifference = 0.01;

std::string shown(const std::string& text) { return text.empty() ? "not known" : text; }
std::string shown(std::optional<bool> value) {
  return value ? (*value ? "on" : "off") : "not known";
}
std::string shown(std::optional<double> value) {
  return value ? fmt::format("{:g}", *value) : "not known";
}
std::string shown(int value) { return fmt::format("{}", value); }
std::string shown(DeviceKind kind) { return kind == DeviceKind::cuda ? "GPU" : "CPU"; }
std::string shown(const SamplingLimits& limits) {
  return fmt::format("{:g} s, {:g} %, {} process{}", limits.time_limit.count(),
                     100.0 * limits.precision, limits.processes, limits.processes == 1 ? "" : "es");
}

template <typename Value>
void add(std::vector<std::string>& lines, const char* what, const Value& base, const Value& next) {
  if (shown(base) == shown(next)) return;
  lines.push_back(fmt::format("{}: {} → {}", what, shown(base), shown(next)));
}

std::string short_hash(const std::string& sha256) {
  return sha256.empty() ? "not known" : sha256.substr(0, 12);
}

/// The first pair that `differs`, in words, and how many there are.
template <typename Differs>
void add_pairs(std::vector<std::string>& lines, std::span<const TimedPair> pairs,
               const Differs& differs) {
  std::string first;
  std::size_t count = 0;
  for (const TimedPair& pair : pairs) {
    if (pair.candidate == nullptr) continue;
    for (const Timing* baseline : pair.baselines) {
      const std::string words = differs(baseline->samples, pair.candidate->samples);
      if (words.empty()) continue;
      if (++count == 1) {
        first = fmt::format("{} ({} · {})", words, pair.workload, to_text(pair.mode));
      }
      break;
    }
  }
  if (count > 1) first += fmt::format(" and {} more", count - 1);
  if (count > 0) lines.push_back(first);
}

const char* gate_text(const Samples& samples) {
  return samples.gated ? "gated" : "without the gate";
}

/// What the telemetry of one side's timings says.
struct Clocks {
  std::vector<double> mhz;
  std::size_t throttled = 0;
};

void take(const Timing& timing, Clocks& clocks) {
  bool throttled = false;
  for (const TrialTelemetry& after : timing.samples.telemetry) {
    const std::optional<double> mhz =
        after.telemetry.sm_mhz ? after.telemetry.sm_mhz : after.telemetry.cpu_mhz;
    if (mhz) clocks.mhz.push_back(*mhz);
    throttled = throttled || is_throttled(after.telemetry);
  }
  if (throttled) ++clocks.throttled;
}

}  // namespace

Differences differences_of_runs(const NamedReport& base, const NamedReport& next) {
  Differences differences;
  const DeviceFacts& before = base.report.device;
  const DeviceFacts& after = next.report.device;
  std::vector<std::string>& forbidding = differences.forbidding;
  add(forbidding, "device", before.kind, after.kind);
  if (before.kind == after.kind) {
    add(forbidding, "model", before.name, after.name);
    add(forbidding, "MIG", before.mig, after.mig);
    add(forbidding, "processors", before.processors, after.processors);
  }
  for (const NamedReport* side : {&base, &next}) {
    if (side->report.profiler.empty()) continue;
    forbidding.push_back(
        fmt::format("{} was taken under {}: no time of it is a baseline, or beats one", side->name,
                    side->report.profiler));
  }
  std::vector<std::string>& others = differences.others;
  add(others, "driver", before.driver, after.driver);
  add(others, "CUDA of the driver", before.cuda_driver, after.cuda_driver);
  add(others, "ECC", before.ecc, after.ecc);
  add(others, "power limit in W", before.power_limit_w, after.power_limit_w);
  add(others, "highest SM clock in MHz", before.max_sm_mhz, after.max_sm_mhz);
  add(others, "tool", base.report.tool.version, next.report.tool.version);
  add(others, "tool's commit", base.report.tool.git, next.report.tool.git);
  add(others, "tool's compiler", base.report.tool.compiler, next.report.tool.compiler);
  add(others, "tool's build", base.report.tool.build_type, next.report.tool.build_type);
  add(others, "tool's CUDA", base.report.tool.cuda, next.report.tool.cuda);
  add(others, "host", base.report.host.hostname, next.report.host.hostname);
  add(others, "CPU", base.report.host.cpu, next.report.host.cpu);
  add(others, "kernel", base.report.host.kernel, next.report.host.kernel);
  add(others, "CPU governor", base.report.host.cpu_governor, next.report.host.cpu_governor);
  add(others, "config", short_hash(base.report.config_sha256),
      short_hash(next.report.config_sha256));
  add(others, "limits", base.report.limits, next.report.limits);
  add(others, "duty", std::optional(base.report.limits.duty),
      std::optional(next.report.limits.duty));
  return differences;
}

std::vector<std::string> differences_of_pairs(std::span<const TimedPair> pairs) {
  std::vector<std::string> lines;
  add_pairs(lines, pairs, [](const Samples& base, const Samples& next) -> std::string {
    if (base.cache == next.cache) return "";
    return fmt::format("cache: {} → {}", to_text(base.cache), to_text(next.cache));
  });
  add_pairs(lines, pairs, [](const Samples& base, const Samples& next) -> std::string {
    if (base.gated == next.gated) return "";
    return fmt::format("gate: {} → {}", gate_text(base), gate_text(next));
  });
  add_pairs(lines, pairs, [](const Samples& base, const Samples& next) -> std::string {
    if (base.calls == next.calls) return "";
    return fmt::format("calls of a sample: {} → {}", base.calls, next.calls);
  });
  return lines;
}

std::vector<std::string> differences_of_data(const NamedReport& base, const NamedReport& next) {
  std::unordered_map<std::string, const WorkloadResult*> before;
  for (const WorkloadResult& result : base.report.workloads) before[result.workload.id] = &result;
  for (const WorkloadResult& result : next.report.workloads) {
    const auto found = before.find(result.workload.id);
    if (found == before.end() || found->second->recipe == result.recipe) continue;
    return {fmt::format("data recipe: {} → {} ({})", found->second->recipe, result.recipe,
                        result.workload.name)};
  }
  return {};
}

bool is_one_build(const Side& base, const Side& next) {
  const std::string& hash = shim_of(next).fingerprint.sha256;
  return !hash.empty() && shim_of(base).fingerprint.sha256 == hash;
}

std::vector<std::string> notes_on_shims(const Side& base, const Side& next) {
  const ShimRecord& before = shim_of(base);
  const ShimRecord& after = shim_of(next);
  const std::string& hash = after.fingerprint.sha256;
  if (is_one_build(base, next)) {
    return {fmt::format("the same build on both sides: {} and {} have one SHA-256, {}", base.name,
                        next.name, short_hash(hash))};
  }
  return {fmt::format("shim: {} ({}) → {} ({})", before.label,
                      short_hash(before.fingerprint.sha256), after.label, short_hash(hash))};
}

std::vector<std::string> notes_on_clocks(std::span<const TimedPair> pairs) {
  Clocks before;
  Clocks after;
  for (const TimedPair& pair : pairs) {
    for (const Timing* baseline : pair.baselines) take(*baseline, before);
    if (pair.candidate != nullptr) take(*pair.candidate, after);
  }
  std::vector<std::string> lines;
  if (before.throttled + after.throttled > 0) {
    lines.push_back(
        fmt::format("power or heat held the device back in {} series of the baseline and {} of the "
                    "candidate",
                    before.throttled, after.throttled));
  }
  if (before.mhz.empty() || after.mhz.empty()) return lines;
  const double base = median(before.mhz);
  const double next = median(after.mhz);
  if (std::abs(next - base) > kClockDifference * base) {
    lines.push_back(
        fmt::format("clock while they were timed, typically: {:.0f} → {:.0f} MHz", base, next));
  }
  return lines;
}

}  // namespace fa2bench
