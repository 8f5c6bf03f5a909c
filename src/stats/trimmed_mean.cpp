// SPDX-License-Identifier: MIT
#include "stats/trimmed_mean.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "stats/mean.hpp"

namespace fa2bench {

TrimmedMean trimmed_mean(std::vector<double> values, std::size_t cut) {
  assert(2 * cut < values.size());
  std::sort(values.begin(), values.end());
  const auto first = values.begin() + static_cast<std::ptrdiff_t>(cut);
  const auto last = values.end() - static_cast<std::ptrdiff_t>(cut);
  TrimmedMean result;
  result.kept = values.size() - 2 * cut;
  const auto kept = static_cast<double>(result.kept);
  result.mean = std::accumulate(first, last, 0.0) / kept;
  if (result.kept < 2) return result;
  std::fill(values.begin(), first, *first);
  std::fill(last, values.end(), *(last - 1));
  result.error = std::sqrt(squares_around_mean(values) / (kept * (kept - 1.0)));
  return result;
}

TrimmedMean mean_of_middle_half(std::vector<double> values) {
  const std::size_t quarter = values.size() / 4;
  return trimmed_mean(std::move(values), quarter);
}

}  // namespace fa2bench
