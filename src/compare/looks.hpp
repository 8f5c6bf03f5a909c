// SPDX-License-Identifier: MIT
// Stopping early, once the verdicts are clear, without more errors than promised.
//
// Who looks several times and stops at a look that pleases him errs several times as often. So the
// error allowed, 1 - confidence, is spent over looks planned before: by the spending function of
// Pocock's type of Lan and DeMets ("Discrete sequential boundaries for clinical trials",
// Biometrika 70, 1983), error * ln(1 + (e - 1) t) up to the part t of the time. Each look gets what
// is spent since the look before, as it is. The correlation of looks, which would allow a little
// more, is not used: by Bonferroni's inequality the sum bounds the error whatever the looks share
// and however much was really sampled by then.
//
// An interval of a look is at 1 - its share of the error, so that with the confidence stated those
// of all looks cover the ratio. A p-value is multiplied by error / share: for each u the chance
// that some look's is u or less is u at most, so that Holm's procedure takes them as they are,
// whichever look a row stopped at.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "compare/ratio.hpp"
#include "result/comparison.hpp"

namespace fa2bench {

/// Parts of the time limit of a mode at which one looks, or as soon as there are enough placements.
/// The last is the end, whatever ended it.
inline constexpr std::array<double, 3> kLooks{0.15, 0.45, 1.0};
inline constexpr std::size_t kLastLook = kLooks.size() - 1;

/// Placements before sampling may stop early: of fewer the means of the middle half are of few.
inline constexpr std::size_t kLeastPlacements = 10;

/// The part of the error that is spent at look `look`, from 0; all add up to 1.
double share_of_error(std::size_t look);

/// estimate_ratio() of what there is at look `look`, its interval and p-value such that they hold
/// with `confidence` whichever look turns out to be the last.
RatioEstimate estimate_at_look(std::span<const BlockTime> blocks, int baseline, int candidate,
                               double confidence, std::size_t look);

/// Whether more sampling would change no verdict, from the estimates (of this look) of all
/// candidates in one mode of one workload: each is faster or slower by min_effect or more, with a
/// p-value that stands though it be the smallest of `rows`, the comparisons of the whole run, or it
/// is shown to be the same.
bool is_decided(std::span<const RatioEstimate> candidates, const ComparisonRules& rules,
                std::size_t rows);

}  // namespace fa2bench
