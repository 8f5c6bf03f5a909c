// SPDX-License-Identifier: MIT
#include "compare/compare_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "compare/differences.hpp"
#include "compare/outcome.hpp"
#include "compare/pairing.hpp"
#include "compare/percent.hpp"
#include "compare/separate_runs.hpp"
#include "compare/shim_choice.hpp"
#include "compare/verdict.hpp"
#include "device/telemetry.hpp"

namespace fa2bench {
namespace {

void add_new(std::vector<std::string>& lines, const std::string& line) {
  if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
}

void add_all(std::vector<std::string>& lines, const std::vector<std::string>& more) {
  for (const std::string& line : more) add_new(lines, line);
}

std::string names_of(std::span<const Side> sides) {
  std::vector<std::string> names;
  for (const Side& side : sides) names.push_back(side.name);
  return join(names);
}

/// Of each pair, what separate runs of one build differ by: the baselines among themselves, but no
/// less than is typical of all workloads, nor, of few baselines, than is usual.
std::vector<double> floors_of(std::span<const TimedPair> pairs, DeviceKind kind,
                              double confidence) {
  const double usual = kind == DeviceKind::cuda ? kFloorOfGpuRuns : kFloorOfCpuRuns;
  std::vector<double> floors(pairs.size(), usual);
  std::vector<double> measured;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].baselines.size() < 2) continue;
    const double spread = spread_of_runs(pairs[i].baselines, confidence);
    floors[i] = pairs[i].baselines.size() < kRunsThatTell ? std::max(usual, spread) : spread;
    measured.push_back(spread);
  }
  if (measured.empty()) return floors;
  const double typical = median(measured);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].baselines.size() >= 2) floors[i] = std::max(floors[i], typical);
  }
  return floors;
}

/// A CPU that had other work was another machine from minute to minute, and two runs do not tell
/// how different. "" if none was seen to have.
std::string busy_side(const ShimPair& shims) {
  std::vector<Side> sides(shims.baselines.begin(), shims.baselines.end());
  sides.push_back(shims.candidate);
  for (const Side& side : sides) {
    const std::optional<double> load = side.report->telemetry.before.load_average;
    if (side.report->device.kind != DeviceKind::host || !load) continue;
    if (*load <= busy_load(side.report->device.processors)) continue;
    return fmt::format(
        "the machine had other work when {} began (load average {:.1f}); end that, or give {} "
        "baselines",
        side.name, *load, kRunsThatTell);
  }
  return "";
}

void compare_pairs(const ShimPair& shims, std::span<const TimedPair> pairs,
                   ComparisonReport& report) {
  const std::vector<double> floors =
      floors_of(pairs, shims.candidate.report->device.kind, report.rules.confidence);
  const std::string busy = busy_side(shims);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const TimedPair& pair = pairs[i];
    Comparison row;
    row.workload = pair.workload;
    row.workload_id = pair.workload_id;
    row.mode = pair.mode;
    row.baseline = names_of(shims.baselines);
    row.candidate = shims.candidate.name;
    row.reason = pair.reason;
    row.baseline_status = pair.baseline_status;
    row.candidate_status = pair.candidate_status;
    row.floor = floors[i];
    if (pair.candidate != nullptr && !pair.baselines.empty()) {
      compare_timings(pair.baselines, *pair.candidate, floors[i], report.rules.confidence, row);
      if (!busy.empty() && pair.baselines.size() < kRunsThatTell) {
        row.interval.reset();
        row.p_value.reset();
        row.reason = busy;
      }
    } else if (pair.candidate != nullptr) {
      row.candidate_us = pair.candidate->device.median;
    } else if (!pair.baselines.empty()) {
      row.baseline_us = pair.baselines.front()->device.median;
    }
    report.rows.push_back(std::move(row));
  }
}

/// One build is as fast as itself, so whatever was found is of the runs.
void note_contradiction(std::span<const ShimPair> pairs, ComparisonReport& report) {
  for (const ShimPair& pair : pairs) {
    const auto differs = [&pair](const Comparison& row) {
      return row.candidate == pair.candidate.name &&
             (row.verdict == Verdict::slower || row.verdict == Verdict::faster);
    };
    const bool one_build =
        std::all_of(pair.baselines.begin(), pair.baselines.end(),
                    [&pair](const Side& base) { return is_one_build(base, pair.candidate); });
    if (one_build && std::any_of(report.rows.begin(), report.rows.end(), differs)) {
      add_new(report.notes,
              fmt::format("{} is one build on both sides: what made it faster or slower is not the "
                          "shim but the machine or the run",
                          pair.candidate.name));
    }
  }
}

void note_floor(const ComparisonReport& report, std::size_t baselines,
                std::vector<std::string>& notes) {
  double most = 0.0;
  for (const Comparison& row : report.rows) most = std::max(most, row.floor);
  if (!(most > 0.0)) return;
  add_new(notes, fmt::format("floor: separate runs of one build are taken to differ by up to {} %, "
                             "{}",
                             percent_number(most),
                             baselines < kRunsThatTell
                                 ? fmt::format("which is assumed: {} baselines would measure it",
                                               kRunsThatTell)
                                 : fmt::format("by the {} baselines", baselines)));
}

void note_incomplete(const NamedReport& named, ComparisonReport& report) {
  if (named.report.complete) return;
  add_new(report.incomplete,
          fmt::format("{} is not complete: its run was not over, or was stopped", named.name));
}

void compare_runs(std::span<const NamedReport> baselines, const NamedReport& next,
                  ResultComparison& comparison) {
  std::vector<std::string>& notes = comparison.report.notes;
  for (const NamedReport& base : baselines) note_incomplete(base, comparison.report);
  note_incomplete(next, comparison.report);
  for (const NamedReport& base : baselines) {
    const Differences differences = differences_of_runs(base, next);
    add_all(comparison.forbidding, differences.forbidding);
    for (const std::string& line : differences.others) add_new(notes, "runs differ in " + line);
    add_all(comparison.forbidding, differences_of_data(base, next));
  }
}

}  // namespace

ComparisonRules rules_for_separate_runs(DeviceKind kind) {
  return {kind == DeviceKind::cuda ? 0.02 : 0.10, 0.99};
}

ResultComparison compare_results(std::span<const NamedReport> baselines, const NamedReport& next,
                                 const ShimChoice& shims, const ComparisonRules& rules) {
  ResultComparison comparison;
  ComparisonReport& report = comparison.report;
  report.rules = rules;
  report.interleaved = false;
  const ShimPairs chosen = pair_shims(baselines, next, shims);
  for (const std::string& alone : chosen.alone) {
    report.incomplete.push_back(alone + " has no partner on the other side");
  }
  compare_runs(baselines, next, comparison);
  std::vector<std::string> names;
  for (const ShimPair& pair : chosen.pairs) {
    const Pairing pairing = pair_results(pair.baselines, pair.candidate);
    comparison.common = std::max(comparison.common, pairing.common);
    comparison.wrong = comparison.wrong || pairing.wrong;
    comparison.failed = comparison.failed || pairing.failed;
    add_all(comparison.forbidding, differences_of_pairs(pairing.pairs));
    for (const Side& base : pair.baselines) {
      add_all(report.notes, notes_on_shims(base, pair.candidate));
    }
    add_all(report.notes, notes_on_clocks(pairing.pairs));
    add_all(report.notes, pairing.notes);
    compare_pairs(pair, pairing.pairs, report);
    report.leftovers.insert(report.leftovers.end(), pairing.leftovers.begin(),
                            pairing.leftovers.end());
    report.candidates.push_back(pair.candidate.name);
    names.push_back(names_of(pair.baselines));
  }
  if (names.size() > 1) {
    names.clear();
    for (const NamedReport& base : baselines) names.push_back(base.name);
  }
  report.baseline = join(names);
  judge(report.rows, rules);
  note_contradiction(chosen.pairs, report);
  note_floor(report, baselines.size(), report.notes);
  report.notes.emplace_back(
      "on one machine, --shim old=… --shim new=… in one run is stronger evidence than two files");
  return comparison;
}

ExitCode exit_code(const ResultComparison& comparison) {
  ExitCode code = exit_code(comparison.report);
  if (comparison.failed) code = worse(code, ExitCode::failed);
  if (comparison.wrong) code = worse(code, ExitCode::wrong);
  return code;
}

}  // namespace fa2bench
