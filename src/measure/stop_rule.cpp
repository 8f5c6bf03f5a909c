// SPDX-License-Identifier: MIT
#include "measure/stop_rule.hpp"

#include <algorithm>

#include "stats/trials.hpp"

namespace fa2bench {
namespace {

/// Narrow enough with each of the last three trials.
bool stays_narrow(std::span<const double> medians, double precision) {
  constexpr std::size_t kLooks = 3;
  for (std::size_t later = 0; later < kLooks; ++later) {
    const Center center = estimate_center(medians.first(medians.size() - later));
    if (!is_narrow(center.interval, center.value, precision)) return false;
  }
  return true;
}

}  // namespace

TrialStop decide(std::span<const double> medians, const StopRule& rule) {
  constexpr std::size_t kFewest = 5;
  const bool decidable = medians.size() >= std::max(rule.min_trials, kFewest);
  if (decidable && stays_narrow(medians, rule.precision)) return TrialStop::precise;
  return medians.size() >= rule.max_trials ? TrialStop::max_trials : TrialStop::none;
}

}  // namespace fa2bench
