// SPDX-License-Identifier: MIT
// A mean that a few outliers cannot move, and its standard error. Unit-agnostic.
#pragma once

#include <cstddef>
#include <vector>

namespace fa2bench {

struct TrimmedMean {
  double mean = 0.0;
  double error = 0.0;    ///< standard error; 0 if one value is left
  std::size_t kept = 0;  ///< values left; Student's t of kept - 1 degrees of freedom fits
};

/// The mean without the `cut` lowest and highest values; 2 * cut < values.size(). Its standard
/// error comes from the Winsorized variance, in which the values cut count as the nearest ones kept
/// (Tukey and McLaughlin 1963, in the form of Yuen, "The two-sample trimmed t for unequal
/// population variances", Biometrika 61, 1974). With `cut` 0 it is the plain mean.
TrimmedMean trimmed_mean(std::vector<double> values, std::size_t cut);

/// The mean of the middle half of at least one value: a quarter is cut on each side. On an H200 a
/// call that reads memory takes 5 % longer for 2 to 3 ms now and then, by nothing of ours. A
/// process has met that in a tenth to a fifth of its placements, which its centre must not hold.
TrimmedMean mean_of_middle_half(std::vector<double> values);

}  // namespace fa2bench
