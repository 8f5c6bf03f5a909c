// SPDX-License-Identifier: MIT
// What there is to know of a comparison beside its rows.
#pragma once

#include <string>

#include "result/comparison.hpp"

namespace fa2bench {

/// Lines, each with the workloads that it holds for: why verdicts are inconclusive, how outputs
/// differ, whose memory it was, what only one side has, how the baseline stands to itself, and the
/// report's notes. No control characters.
std::string comparison_notes(const ComparisonReport& report);

}  // namespace fa2bench
