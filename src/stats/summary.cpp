// SPDX-License-Identifier: MIT
#include "stats/summary.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cassert>
#include <cmath>
#include <numeric>

namespace fa2bench {

double quantile(std::span<const double> sorted, double p) {
  assert(!sorted.empty());
  const double position = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  if (below + 1 >= sorted.size()) return sorted.back();
  const double fraction = position - static_cast<double>(below);
  return sorted[below] + fraction * (sorted[below + 1] - sorted[below]);
}

double median(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return quantile(sorted, 0.5);
}

bool is_narrow(const std::optional<Interval>& interval, double center, double precision) {
  return interval && interval->high - interval->low <= precision * std::abs(center);
}

std::optional<Interval> median_interval(std::span<const double> sorted, double confidence) {
  const auto n = sorted.size();
  if (n < 2) return std::nullopt;
  // The interval from rank r + 1 to rank n - r misses the median with probability 2 P(X <= r),
  // X binomial(n, 1/2). The largest r that keeps it within 1 - confidence is sought.
  const double tail = (1.0 - confidence) / 2.0;
  const boost::math::binomial_distribution<double> below(static_cast<double>(n), 0.5);
  if (boost::math::cdf(below, 0.0) > tail) return std::nullopt;
  auto r = static_cast<std::size_t>(boost::math::quantile(below, tail));
  while (r > 0 && boost::math::cdf(below, static_cast<double>(r)) > tail) --r;
  return Interval{sorted[r], sorted[n - 1 - r]};
}

Summary summarize(std::vector<double> samples, double confidence) {
  assert(!samples.empty());
  std::sort(samples.begin(), samples.end());
  Summary summary;
  summary.count = samples.size();
  summary.median = quantile(samples, 0.5);
  summary.median_interval = median_interval(samples, confidence);
  summary.min = samples.front();
  summary.max = samples.back();
  summary.mean =
      std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
  summary.p95 = quantile(samples, 0.95);
  summary.p99 = quantile(samples, 0.99);
  for (double& sample : samples) sample = std::abs(sample - summary.median);
  std::sort(samples.begin(), samples.end());
  summary.mad = quantile(samples, 0.5);
  return summary;
}

}  // namespace fa2bench
