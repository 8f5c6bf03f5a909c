// SPDX-License-Identifier: MIT
#include "verify/tolerance.hpp"

#include <algorithm>
#include <cmath>

namespace fa2bench {

ElementTolerance element_tolerance(const HeadReference& reference, std::size_t column,
                                   std::int64_t visible_keys) {
  constexpr double kUnit = 0x1p-11;
  constexpr double kSpreads = 8.0;
  const double size = std::abs(reference.out[column]);
  const auto n = static_cast<double>(visible_keys);
  const double weights = kUnit / std::sqrt(3.0) * reference.spread[column];
  const double truncation = n * 0x1p-27 * size;
  // The largest weight of an online softmax is one, so the sum of weights is at least one.
  const double subnormal =
      0x1p-25 * std::sqrt(n) / std::max(1.0, std::exp(reference.lse - reference.score_bound));
  const double rounding = kUnit * size + 0x1p-25;
  return {rounding + kSpreads * weights + truncation + kSpreads * subnormal,
          std::sqrt(rounding * rounding / 3.0 + weights * weights + truncation * truncation +
                    subnormal * subnormal)};
}

double lse_tolerance(const HeadReference& reference) {
  if (!std::isfinite(reference.lse)) return 0.0;
  return 0x1p-17 * reference.score_bound + 0x1p-18 * (1.0 + std::abs(reference.lse));
}

}  // namespace fa2bench
