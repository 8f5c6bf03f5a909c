// SPDX-License-Identifier: MIT
// What ratios and intervals allow to be said, of all comparisons of a run together.
//
// Slower: the ratio is 1 + min_effect or more, and a true ratio within the floor is rejected.
// Faster likewise. The p-values of all rows that have one are held to 1 - confidence together by
// Holm's procedure ("A simple sequentially rejective multiple test procedure", Scand. J. Statist.
// 6, 1979), whatever the dependence between rows: that one of all equal rows is called faster or
// slower has that probability at most. Same: the row's own interval lies within 1 ± min_effect,
// which is a test of equivalence at (1 - confidence) / 2 (Schuirmann, J. Pharmacokinet. Biopharm.
// 15, 1987). Anything else is inconclusive, for a reason that says what would help.
#pragma once

#include <vector>

#include "compare/ratio.hpp"
#include "result/comparison.hpp"

namespace fa2bench {

/// Writes what an estimate says into a row; the names and the verdict are the caller's.
void set_estimate(Comparison& row, const RatioEstimate& estimate);

/// Fills in verdict and reason. A row without a usable ratio or interval is inconclusive; if it has
/// a reason already, it keeps it.
void judge(std::vector<Comparison>& rows, const ComparisonRules& rules);

}  // namespace fa2bench
