// SPDX-License-Identifier: MIT
// What a whole comparison comes to: for a script, an exit code; for a person, a sentence.
#pragma once

#include <string>

#include "base/error.hpp"
#include "result/comparison.hpp"

namespace fa2bench {

/// Of the verdicts alone: slower if a row is; else inconclusive if a row is, if one side has
/// workloads that the other has not, if it is incomplete, or if there is no row; else ok. Never a
/// count.
ExitCode exit_code(const ComparisonReport& report);

/// The one to exit with if both apply: internal, usage, environment, wrong, failed, slower,
/// inconclusive, ok, the first of them.
ExitCode worse(ExitCode a, ExitCode b);

/// As it is said to people: "not run" for not_run.
const char* status_words(Status status);

/// Whether a side of the row was wrong, failed, or was not run.
bool has_gone_wrong(const Comparison& row);

/// The verdict; of a row that has gone wrong how, and on which side: "wrong", "baseline crashed",
/// "both wrong", "timeout, baseline wrong".
std::string verdict_text(const Comparison& row);

/// "new is faster than old on 3 of 10 workloads (2.1 to 5.3 % less time), the same on 6, and
/// inconclusive on 1.": one sentence for all, a clause for each side that something went wrong
/// with, then for each other candidate. In a clause what is worst comes first; of what is slower
/// the worst by name.
std::string summary_sentence(const ComparisonReport& report);

}  // namespace fa2bench
