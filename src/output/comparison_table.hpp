// SPDX-License-Identifier: MIT
// A comparison as a table for people, no wider than 100 columns where names allow.
#pragma once

#include <optional>
#include <string>

#include "result/comparison.hpp"

namespace fa2bench {

/// For each candidate a table with one row for each workload and mode; then why verdicts are
/// inconclusive, how outputs differ, whose memory it was, what only one side has, the notes, and
/// the summary in one sentence. With `color`, verdicts stand out.
std::string comparison_table(const ComparisonReport& report, bool color);

/// "−2.1 % [−2.4, −1.8]": by how much the candidate's time differs from the baseline's, with its
/// interval where there is one; `none` without a ratio.
std::string change_text(const Comparison& row, const char* none = "-");

/// "12.34": a time in µs with the digits that are read; `none` where there is no number.
std::string microseconds(std::optional<double> us, const char* none);

}  // namespace fa2bench
