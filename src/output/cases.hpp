// SPDX-License-Identifier: MIT
// A report as a flat list, which is what formats for machines have in common: one case for each
// shim in each mode of each workload, with the one thing that a script must think of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "result/gates.hpp"
#include "result/report.hpp"

namespace fa2bench {

/// The worst comes first.
enum class Outcome {
  wrong,         ///< the result was
  failed,        ///< an error, a crash, a time-out
  not_run,       ///< interrupted before
  slower,        ///< than the baseline
  missed,        ///< a demand of the config
  inconclusive,  ///< the comparison, or a demand whose figure is not known
  skipped,       ///< unsupported, does not fit
  passed,
};
const char* to_text(Outcome outcome);

/// Borrows from the report.
struct Case {
  std::string workload;        ///< name; like all texts here without control characters
  std::string workload_id;     ///< workload/identity.hpp
  std::string shim;            ///< label, or the name of a file
  std::optional<Mode> mode;    ///< none of a run that ended before any was sampled
  Status status = Status::ok;  ///< of the run, or of the candidate in a comparison of files
  Outcome outcome = Outcome::passed;
  std::string message;                     ///< one line: why it did not pass; "" if it did
  const WorkloadResult* result = nullptr;  ///< none of a comparison of files
  const Run* run = nullptr;                ///< likewise
  const Timing* timing = nullptr;          ///< none without a time
  const Comparison* comparison = nullptr;  ///< none of the baseline
  std::vector<GateMiss> misses;
};

/// What concerns the run or the comparison as a whole stands under this shim, in the workload
/// "requirements" or "comparison".
inline constexpr const char* kTool = "ferrum-fa2-bench";

/// A requirement that is not met; then in the order of the report; then the rows of the comparison
/// that belong to none of its runs: all of them, where files were compared; then what has no
/// partner.
std::vector<Case> cases_of(const Report& report);

/// What became of it in a word or two: the outcome; where that is inconclusive for the baseline's
/// sake, "baseline crashed".
std::string outcome_text(const Case& of);
/// "decode 8 x 4096 · cold".
std::string case_name(const Case& of);
/// "new" , or the baseline where there is one, in order, each once.
std::vector<std::string> shims_of(const std::vector<Case>& cases);
/// The summary of the comparison, where there is one, and how many cases did not pass otherwise.
std::string summary_of(const Report& report, const std::vector<Case>& cases);

}  // namespace fa2bench
