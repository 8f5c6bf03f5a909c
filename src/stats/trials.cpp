// SPDX-License-Identifier: MIT
#include "stats/trials.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cassert>
#include <cmath>
#include <vector>

#include "stats/trimmed_mean.hpp"

namespace fa2bench {

double median_error(std::span<const double> sorted) {
  assert(sorted.size() >= 2);
  const auto n = static_cast<double>(sorted.size());
  // From rank c to rank n - c + 1 the median lies with probability 1 - 2 P(X < c), X
  // binomial(n, 1/2); c is the rank where that is near 95 %.
  const double c = std::max(1.0, std::round((n + 1.0) / 2.0 - std::sqrt(n)));
  const double tail = boost::math::cdf(boost::math::binomial_distribution<double>(n, 0.5), c - 1.0);
  const double z = -boost::math::quantile(boost::math::normal_distribution<double>(), tail);
  const auto low = static_cast<std::size_t>(c) - 1;
  return (sorted[sorted.size() - 1 - low] - sorted[low]) / (2.0 * z);
}

Center estimate_center(std::span<const double> medians, double confidence) {
  const TrimmedMean trimmed = trimmed_mean({medians.begin(), medians.end()}, medians.size() / 10);
  Center center{trimmed.mean, std::nullopt};
  if (medians.size() < 3) return center;
  const boost::math::students_t_distribution<double> t(static_cast<double>(trimmed.kept - 1));
  const double half = boost::math::quantile(t, (1.0 + confidence) / 2.0) * trimmed.error;
  center.interval = Interval{trimmed.mean - half, trimmed.mean + half};
  return center;
}

TrialsEstimate estimate_from_trials(std::span<const std::span<const double>> trials,
                                    double confidence) {
  std::vector<double> medians;
  std::vector<double> errors;
  for (const std::span<const double> trial : trials) {
    if (trial.empty()) continue;
    std::vector<double> sorted(trial.begin(), trial.end());
    std::sort(sorted.begin(), sorted.end());
    medians.push_back(quantile(sorted, 0.5));
    if (sorted.size() >= 2) errors.push_back(median_error(sorted));
  }
  const Center center = estimate_center(medians, confidence);
  TrialsEstimate estimate{center.value, center.interval, std::nullopt, std::nullopt};
  if (medians.size() >= 2) {
    // Standard error of the untrimmed mean times the root of the count.
    estimate.between =
        trimmed_mean(medians, 0).error * std::sqrt(static_cast<double>(medians.size()));
  }
  std::sort(errors.begin(), errors.end());
  if (!errors.empty()) estimate.within = quantile(errors, 0.5);
  return estimate;
}

}  // namespace fa2bench
