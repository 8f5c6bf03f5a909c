// SPDX-License-Identifier: MIT
#include "compare/looks.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace fa2bench {
namespace {

double spent(double time) { return std::log1p((std::numbers::e - 1.0) * time); }

bool is_decided(const RatioEstimate& estimate, const ComparisonRules& rules, double rows) {
  if (estimate.placements < kLeastPlacements) return false;
  if (!estimate.ratio || !estimate.interval || !estimate.p_value) return false;
  const bool same = estimate.interval->low >= 1.0 - rules.min_effect &&
                    estimate.interval->high <= 1.0 + rules.min_effect;
  const bool differs = std::abs(*estimate.ratio - 1.0) >= rules.min_effect &&
                       *estimate.p_value * rows <= 1.0 - rules.confidence;
  return same || differs;
}

}  // namespace

double share_of_error(std::size_t look) {
  assert(look < kLooks.size());
  return spent(kLooks[look]) - (look == 0 ? 0.0 : spent(kLooks[look - 1]));
}

RatioEstimate estimate_at_look(std::span<const BlockTime> blocks, int baseline, int candidate,
                               double confidence, std::size_t look) {
  const double share = share_of_error(look);
  RatioEstimate estimate =
      estimate_ratio(blocks, baseline, candidate, 1.0 - share * (1.0 - confidence));
  if (estimate.p_value) estimate.p_value = std::min(1.0, *estimate.p_value / share);
  return estimate;
}

bool is_decided(std::span<const RatioEstimate> candidates, const ComparisonRules& rules,
                std::size_t rows) {
  return std::all_of(candidates.begin(), candidates.end(), [&](const RatioEstimate& candidate) {
    return is_decided(candidate, rules, static_cast<double>(rows));
  });
}

}  // namespace fa2bench
