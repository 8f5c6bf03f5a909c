// SPDX-License-Identifier: MIT
// Student's t distribution, for intervals and tests of means. `freedom` >= 1.
#pragma once

namespace fa2bench {

/// How many standard errors a two-sided interval reaches to each side; 0 < confidence < 1.
double student_reach(double freedom, double confidence);

/// The probability of a t beyond +-`t` on either side; `t` >= 0, infinity allowed.
double student_both_tails(double freedom, double t);

}  // namespace fa2bench
