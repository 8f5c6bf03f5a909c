// SPDX-License-Identifier: MIT
// When enough placement trials have been taken.
//
// A rule that stops as soon as an interval is narrow stops more often where the spread happens to
// be underestimated, and its intervals then cover the truth less often than they say (Anscombe,
// "Sequential estimation", J. R. Stat. Soc. B 15, 1953; Chow and Robbins 1965 give the plain rule).
// Two provisions keep 95 % intervals at 93 % and above in simulations whatever the spread: no
// decision before ten trials, and the interval must have been narrow enough with each of the last
// three trials, not once. A time limit that knows nothing of the values does no harm.
// tests/measure/stop_rule_test.cpp measures the coverage.
#pragma once

#include <cstddef>
#include <span>

namespace fa2bench {

struct StopRule {
  double precision = 0.005;     ///< full width of the 95 % interval over the centre
  std::size_t min_trials = 10;  ///< at least 5; below ten the coverage falls towards 92 %
  std::size_t max_trials = 200;
};

enum class TrialStop {
  none,        ///< go on
  precise,     ///< the interval is narrow enough
  max_trials,  ///< it is not, but that is as far as it goes
};

/// `medians`: of the trials so far, in the order taken. Call it after every trial.
TrialStop decide(std::span<const double> medians, const StopRule& rule);

}  // namespace fa2bench
