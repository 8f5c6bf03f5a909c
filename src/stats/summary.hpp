// SPDX-License-Identifier: MIT
// Order statistics of one set of samples. Unit-agnostic: the result has the unit of the input.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace fa2bench {

/// A closed interval.
struct Interval {
  double low = 0.0;
  double high = 0.0;
};

struct Summary {
  std::size_t count = 0;
  double median = 0.0;
  /// Distribution-free confidence interval of the median; none below six samples at 95 %.
  std::optional<Interval> median_interval;
  double min = 0.0;
  double max = 0.0;
  double mean = 0.0;
  double p95 = 0.0;
  double p99 = 0.0;
  double mad = 0.0;  ///< median absolute deviation from the median, not scaled
};

/// Linear interpolation between order statistics (Hyndman and Fan's type 7); `sorted` ascending,
/// not empty, 0 <= p <= 1.
double quantile(std::span<const double> sorted, double p);

/// Of at least one value, in any order.
double median(std::span<const double> values);

/// Whether there is an interval, no wider than this part of its centre.
bool is_narrow(const std::optional<Interval>& interval, double center, double precision);

/// The order statistics whose ranks bracket the median with at least `confidence`, by the binomial
/// distribution of the number of samples below it (Conover, Practical Nonparametric Statistics,
/// section 3.2). Independent samples are assumed. None if the samples are too few.
std::optional<Interval> median_interval(std::span<const double> sorted, double confidence);

/// Requires at least one sample.
Summary summarize(std::vector<double> samples, double confidence = 0.95);

}  // namespace fa2bench
