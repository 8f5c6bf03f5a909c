// SPDX-License-Identifier: MIT
#include "compare/turn_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "compare/looks.hpp"
#include "compare/verdict.hpp"
#include "stats/summary.hpp"

namespace fa2bench {
namespace {

/// What became of the mode in a run that has no time of it.
struct Answer {
  Status status = Status::not_run;
  std::string reason;

  /// Whether it is one, and not a failure.
  [[nodiscard]] bool is_good() const {
    return status == Status::unsupported || status == Status::does_not_fit ||
           (status == Status::ok && reason == kNothingToDo);
  }
};

Answer answer_of(const Run& run, Mode mode) {
  const auto untimed = std::find_if(run.untimed.begin(), run.untimed.end(),
                                    [mode](const Untimed& u) { return u.mode == mode; });
  if (untimed != run.untimed.end()) return {untimed->status, untimed->reason};
  return {run.status, run.reason};
}

bool same_good(const Answer& base, const Answer& other) {
  return base.is_good() && other.is_good() && base.status == other.status;
}

/// "old: crashed: …", "old has no time: unsupported", or "".
std::string lack(const Run& run, Mode mode) {
  if (timing_of(run, mode) != nullptr) return "";
  const Answer answer = answer_of(run, mode);
  const char* has_none = is_wrong_or_failure(answer.status) ? "" : " has no time";
  return fmt::format("{}{}: {}{}{}", run.shim, has_none, to_text(answer.status),
                     answer.reason.empty() ? "" : ": ", answer.reason);
}

/// Why times of these kinds of samples cannot be held against each other, or "".
std::string unlike(const std::string& base, const SampleKind& of_base, const std::string& other,
                   const SampleKind& of_other) {
  if (of_base.calls != of_other.calls) {
    return fmt::format("{} calls a sample of {} and {} of {}: memory ran short", of_base.calls,
                       base, of_other.calls, other);
  }
  if (of_base.cache != of_other.cache) {
    return fmt::format("the cache was {} before a sample of {} and {} before one of {}",
                       to_text(of_base.cache), base, to_text(of_other.cache), other);
  }
  if (of_base.gated != of_other.gated) {
    return fmt::format("{} waits for the device and was timed without the gate, {} was not",
                       of_base.gated ? other : base, of_base.gated ? base : other);
  }
  return "";
}

}  // namespace

std::vector<BlockTime> blocks_of(const WorkloadResult& result, Mode mode) {
  std::vector<BlockTime> blocks;
  for (std::size_t shim = 0; shim < result.runs.size(); ++shim) {
    const Timing* timing = timing_of(result.runs[shim], mode);
    if (timing == nullptr) continue;
    const Samples& samples = timing->samples;
    const auto parts = by_trial(samples.device_us, samples.trials);
    for (std::size_t t = 0; t < parts.size(); ++t) {
      const Trial& trial = samples.trials[t];
      blocks.push_back({trial.placement, static_cast<int>(shim), trial.process,
                        median(parts[t]) / samples.calls});
    }
  }
  return blocks;
}

bool same_answer(const Run& base, const Run& other) {
  return same_good({base.status, base.reason}, {other.status, other.reason});
}

std::optional<Comparison> compare_turns(const WorkloadResult& result, Mode mode,
                                        std::size_t candidate, std::size_t look,
                                        const ComparisonRules& rules) {
  const Run& base = result.runs.front();
  const Run& other = result.runs[candidate];
  Comparison row;
  row.workload = result.workload.name;
  row.workload_id = result.workload.id;
  row.mode = mode;
  row.baseline = base.shim;
  row.candidate = other.shim;
  row.baseline_status = answer_of(base, mode).status;
  row.candidate_status = answer_of(other, mode).status;
  const Timing* base_timing = timing_of(base, mode);
  const Timing* other_timing = timing_of(other, mode);
  if (base_timing != nullptr) row.baseline_us = base_timing->device.median;
  if (other_timing != nullptr) row.candidate_us = other_timing->device.median;
  if (base_timing == nullptr || other_timing == nullptr) {
    const bool neither = base_timing == nullptr && other_timing == nullptr;
    if (neither && same_good(answer_of(base, mode), answer_of(other, mode))) return std::nullopt;
    row.reason = lack(base, mode);
    const std::string more = lack(other, mode);
    if (!row.reason.empty() && !more.empty()) row.reason += "; ";
    row.reason += more;
    return row;
  }
  row.reason =
      unlike(base.shim, kind_of(base_timing->samples), other.shim, kind_of(other_timing->samples));
  if (!row.reason.empty()) return row;
  const std::vector<BlockTime> blocks = blocks_of(result, mode);
  set_estimate(row,
               estimate_at_look(blocks, 0, static_cast<int>(candidate), rules.confidence, look));
  return row;
}

}  // namespace fa2bench
