// SPDX-License-Identifier: MIT
#include "compare/pairing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_map>

namespace fa2bench {
namespace {

/// What a workload is found by.
std::string key_of(const WorkloadResult& result) {
  return result.workload.id + ' ' + result.workload.name;
}

struct Found {
  const WorkloadResult* workload = nullptr;
  const Run* run = nullptr;  ///< none: the run of this shim is missing
  std::size_t side = 0;
};
using Index = std::unordered_map<std::string, std::vector<Found>>;

const Run* run_of(const WorkloadResult& result, const Side& side) {
  const std::string& label = shim_of(side).label;
  const auto run = std::find_if(result.runs.begin(), result.runs.end(),
                                [&label](const Run& each) { return each.shim == label; });
  return run == result.runs.end() ? nullptr : &*run;
}

Index index_of(std::span<const Side> sides) {
  Index index;
  for (std::size_t side = 0; side < sides.size(); ++side) {
    for (const WorkloadResult& result : sides[side].report->workloads) {
      index[key_of(result)].push_back({&result, run_of(result, sides[side]), side});
    }
  }
  return index;
}

const Timing* timing_of(const Run* run, Mode mode) {
  return run == nullptr ? nullptr : timing_of(*run, mode);
}

/// Whether a mode alone failed, of a run in which others may have times.
bool failed_in(const Run* run, Mode mode) {
  return run != nullptr &&
         std::any_of(run->untimed.begin(), run->untimed.end(), [mode](const Untimed& untimed) {
           return untimed.mode == mode && is_wrong_or_failure(untimed.status);
         });
}

/// What became of a mode; ok where there is no run that says.
Status status_of(const Run* run, Mode mode) {
  if (run == nullptr || run->status != Status::ok) return run == nullptr ? Status::ok : run->status;
  const auto untimed = std::find_if(run->untimed.begin(), run->untimed.end(),
                                    [mode](const Untimed& each) { return each.mode == mode; });
  return untimed == run->untimed.end() ? Status::ok : untimed->status;
}

/// A mode of this result: that of rows whose run says of none whether it was asked for.
Mode first_mode(const Report& report) {
  for (const WorkloadResult& result : report.workloads) {
    for (const Run& run : result.runs) {
      if (!run.timings.empty()) return run.timings.front().samples.mode;
      if (!run.untimed.empty()) return run.untimed.front().mode;
    }
  }
  return Mode::cold;
}

/// What one of several baselines has no time of, and others have.
struct Lack {
  std::size_t count = 0;
  std::string first;
};

struct Sides {
  std::span<const Side> baselines;
  const Side& candidate;
  Mode usual;               ///< first_mode() of the candidate
  std::vector<Lack> lacks;  ///< of each baseline
};

void note_lacks(const std::vector<bool>& timed, const TimedPair& pair, Sides& sides) {
  for (std::size_t side = 0; side < timed.size(); ++side) {
    if (timed[side]) continue;
    Lack& lack = sides.lacks[side];
    if (lack.count++ == 0) lack.first = fmt::format("{} · {}", pair.workload, to_text(pair.mode));
  }
}

/// Why a run has no time of a mode: "new.json: wrong: …"; "" if the mode was not asked for.
std::string why_untimed(const std::string& name, const Run* run, Mode mode) {
  if (run == nullptr) return name + " has no run of its shim";
  if (run->status != Status::ok) {
    return fmt::format("{}: {}{}{}", name, to_text(run->status), run->reason.empty() ? "" : ": ",
                       run->reason);
  }
  for (const Untimed& untimed : run->untimed) {
    if (untimed.mode != mode) continue;
    return fmt::format("{}: {}: {}", name, to_text(untimed.status), untimed.reason);
  }
  return "";
}

void note_status(const Run& run, Pairing& pairing) {
  const auto take = [&pairing](Status status) {
    pairing.wrong = pairing.wrong || status == Status::wrong;
    pairing.failed = pairing.failed || is_failure(status);
  };
  take(run.status);
  for (const Untimed& untimed : run.untimed) take(untimed.status);
}

/// All modes of a workload that both sides have.
void pair_modes(Sides& sides, const std::vector<Found>& baselines, const Found& found,
                Pairing& pairing) {
  const Side& candidate = sides.candidate;
  bool anything = false;
  for (std::size_t i = 0; i < kModeNames.size(); ++i) {
    const auto mode = static_cast<Mode>(i);
    TimedPair pair{
        found.workload->workload.name, found.workload->workload.id, mode, {}, {}, {}, {}, {}};
    pair.candidate = timing_of(found.run, mode);
    std::string no_baseline;
    std::vector<bool> timed(sides.baselines.size(), false);
    for (const Found& baseline : baselines) {
      if (const Timing* timing = timing_of(baseline.run, mode)) {
        pair.baselines.push_back(timing);
        timed[baseline.side] = true;
      } else if (no_baseline.empty()) {
        no_baseline = why_untimed(sides.baselines[baseline.side].name, baseline.run, mode);
      }
    }
    pair.candidate_status = status_of(found.run, mode);
    if (pair.baselines.empty()) pair.baseline_status = status_of(baselines.front().run, mode);
    const bool neither = pair.baselines.empty() && pair.candidate == nullptr;
    if (neither && !failed_in(found.run, mode)) continue;
    if (pair.candidate == nullptr) pair.reason = why_untimed(candidate.name, found.run, mode);
    if (pair.baselines.empty() && !neither) pair.reason = no_baseline;
    anything = true;
    const bool both = !pair.baselines.empty() && pair.candidate != nullptr;
    if (both) note_lacks(timed, pair, sides);
    if (both || !pair.reason.empty()) {
      pairing.pairs.push_back(std::move(pair));
    } else {
      const std::string& side =
          pair.candidate != nullptr ? candidate.name : sides.baselines[baselines.front().side].name;
      pairing.leftovers.push_back({side, pair.workload, pair.workload_id, mode});
    }
  }
  if (anything) return;
  const Workload& workload = found.workload->workload;
  if (found.run == nullptr || is_wrong_or_failure(found.run->status)) {
    // A failure is told in a row like any other, though the baseline did no better.
    const std::string reason = why_untimed(candidate.name, found.run, sides.usual);
    pairing.pairs.push_back({workload.name,
                             workload.id,
                             sides.usual,
                             {},
                             nullptr,
                             reason,
                             status_of(baselines.front().run, sides.usual),
                             status_of(found.run, sides.usual)});
  } else if (found.run->status != Status::ok) {
    pairing.notes.push_back(
        fmt::format("no time on either side: {} ({})", workload.name, to_text(found.run->status)));
  }
}

/// One line for each leftover workload that the other side has under another name or id.
void note_near_misses(Pairing& pairing) {
  std::map<std::string, std::array<const Leftover*, 2>> by_name;
  std::map<std::string, std::array<const Leftover*, 2>> by_id;
  const std::string first = pairing.leftovers.empty() ? "" : pairing.leftovers.front().side;
  for (const Leftover& leftover : pairing.leftovers) {
    if (leftover.mode) continue;
    const std::size_t side = leftover.side == first ? 0 : 1;
    by_name[leftover.workload].at(side) = &leftover;
    by_id[leftover.workload_id].at(side) = &leftover;
  }
  for (const auto& [name, both] : by_name) {
    if (both[0] == nullptr || both[1] == nullptr) continue;
    pairing.notes.push_back(fmt::format("\"{}\" is another workload in {} ({}) than in {} ({})",
                                        name, both[0]->side, both[0]->workload_id, both[1]->side,
                                        both[1]->workload_id));
  }
  for (const auto& [id, both] : by_id) {
    if (both[0] == nullptr || both[1] == nullptr) continue;
    pairing.notes.push_back(
        fmt::format("\"{}\" of {} is called \"{}\" in {}; give both the same name to compare them",
                    both[0]->workload, both[0]->side, both[1]->workload, both[1]->side));
  }
}

}  // namespace

Pairing pair_results(std::span<const Side> baselines, const Side& candidate) {
  Pairing pairing;
  const Index before = index_of(baselines);
  const Index after = index_of(std::span(&candidate, 1));
  Sides sides{baselines, candidate, first_mode(*candidate.report),
              std::vector<Lack>(baselines.size())};
  for (const WorkloadResult& result : candidate.report->workloads) {
    const auto found = before.find(key_of(result));
    if (found == before.end()) {
      pairing.leftovers.push_back({candidate.name, result.workload.name, result.workload.id, {}});
      continue;
    }
    ++pairing.common;
    const Found own{&result, run_of(result, candidate), 0};
    if (own.run != nullptr) note_status(*own.run, pairing);
    pair_modes(sides, found->second, own, pairing);
  }
  std::unordered_map<std::string, bool> said;
  for (const Side& side : baselines) {
    for (const WorkloadResult& result : side.report->workloads) {
      const std::string key = key_of(result);
      if (after.count(key) != 0 || !said.emplace(key, true).second) continue;
      pairing.leftovers.push_back({side.name, result.workload.name, result.workload.id, {}});
    }
  }
  note_near_misses(pairing);
  for (std::size_t side = 0; side < baselines.size(); ++side) {
    const Lack& lack = sides.lacks[side];
    if (lack.count == 0) continue;
    const std::string more = lack.count > 1 ? fmt::format(" and {} more", lack.count - 1) : "";
    pairing.notes.push_back(fmt::format("{} has no time of {}{}, which other baselines have",
                                        baselines[side].name, lack.first, more));
  }
  return pairing;
}

}  // namespace fa2bench
