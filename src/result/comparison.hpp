// SPDX-License-Identifier: MIT
// How shims, or the results of two runs, stand to each other: plain values. compare/ finds them,
// output/ shows them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "measure/samples.hpp"
#include "result/status.hpp"
#include "stats/summary.hpp"

namespace fa2bench {

enum class Verdict {
  faster,        ///< the candidate takes less time, by more than chance, the floor and min_effect
  slower,        ///< it takes more, likewise
  same,          ///< shown to differ by less than min_effect
  inconclusive,  ///< none of these could be shown, or there is nothing to compare: see reason
};
inline constexpr std::array<const char*, 4> kVerdictNames{"faster", "slower", "same",
                                                          "inconclusive"};
inline const char* to_text(Verdict verdict) {
  return kVerdictNames[static_cast<std::size_t>(verdict)];
}

struct ComparisonRules {
  double min_effect = 0.01;  ///< smallest |ratio - 1| that matters
  /// Of each interval, and so of each "same"; of all faster and slower verdicts of a run together.
  double confidence = 0.99;
};

/// One candidate against the baseline, in one mode of one workload.
struct Comparison {
  std::string workload;     ///< name
  std::string workload_id;  ///< workload/identity.hpp
  Mode mode = Mode::cold;
  std::string baseline;   ///< label
  std::string candidate;  ///< label
  /// What became of each side in this mode. Several baselines are ok if one of them has a time.
  Status baseline_status = Status::ok;
  Status candidate_status = Status::ok;
  /// Of a call, as the ratio compares it; none if it has no time.
  std::optional<double> baseline_us;
  std::optional<double> candidate_us;
  std::optional<double> ratio;       ///< the candidate's time over the baseline's
  std::optional<Interval> interval;  ///< of the ratio, at ComparisonRules::confidence
  /// Two-sided, of a true ratio no farther from 1 than the floor; for this comparison alone,
  /// whenever its sampling stopped.
  std::optional<double> p_value;
  /// |ratio - 1| that the baseline shows against itself here (A/A), or that separate runs show.
  double floor = 0.0;
  std::size_t processes = 0;   ///< of each side
  std::size_t placements = 0;  ///< that both sides were timed in
  Verdict verdict = Verdict::inconclusive;
  /// Why there is no ratio, or what keeps the verdict inconclusive; else "".
  std::string reason;
};

/// Whether a candidate computes what the baseline does.
struct OutputDifference {
  std::string workload;
  std::string workload_id;
  std::string candidate;
  bool same_out = false;        ///< bit for bit
  bool same_lse = false;        ///< bit for bit
  double largest_out = 0.0;     ///< largest |difference| of an element; rows without keys apart
  double largest_lse = 0.0;     ///< likewise
  bool same_empty_rows = true;  ///< what rows without keys hold is the same
  std::string obstacle;         ///< why it is not known; else ""
};

/// Whose memory the shims of a run were timed on.
struct MemorySharing {
  bool shared = false;   ///< all on the same physical pages, as a tag that each has read shows
  std::string obstacle;  ///< why not; "" if shared
};

/// A workload and mode that only one side has.
struct Leftover {
  std::string side;  ///< label of the side that has it
  std::string workload;
  std::string workload_id;
  std::optional<Mode> mode;  ///< none: the whole workload
};

struct ComparisonReport {
  ComparisonRules rules;
  bool interleaved = true;              ///< taken in turn in one run; else from separate runs
  std::string baseline;                 ///< label of the shim, or name of the file
  std::vector<std::string> candidates;  ///< likewise
  std::optional<MemorySharing> memory;  ///< of one run
  std::vector<Comparison> rows;
  std::vector<OutputDifference> outputs;  ///< of one run
  std::vector<Leftover> leftovers;
  /// What else keeps the comparison from being whole, one line each: a run that was stopped, a shim
  /// that has no partner.
  std::vector<std::string> incomplete;
  /// What differs between the runs and does not forbid the comparison, and what else to know:
  /// builds that are identical, a shim that was wrong.
  std::vector<std::string> notes;
};

}  // namespace fa2bench
