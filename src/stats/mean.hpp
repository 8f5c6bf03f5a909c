// SPDX-License-Identifier: MIT
// The plain mean and what values scatter around it. Unit-agnostic.
#pragma once

#include <span>

namespace fa2bench {

/// Of at least one value.
double mean(std::span<const double> values);

/// The sum of the squares of the differences from the mean.
double squares_around_mean(std::span<const double> values);

}  // namespace fa2bench
