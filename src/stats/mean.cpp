// SPDX-License-Identifier: MIT
#include "stats/mean.hpp"

#include <numeric>

namespace fa2bench {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double squares_around_mean(std::span<const double> values) {
  const double center = mean(values);
  double sum = 0.0;
  for (const double value : values) sum += (value - center) * (value - center);
  return sum;
}

}  // namespace fa2bench
