// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "base/random.hpp"
#include "stats/summary.hpp"

namespace fa2bench {
namespace {

/// Samples 1 ... n, so that a bound of an interval is its rank.
std::vector<double> ranks(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

void expect_ranks(std::size_t n, double confidence, double low, double high) {
  const std::optional<Interval> interval = median_interval(ranks(n), confidence);
  ASSERT_TRUE(interval.has_value()) << n;
  EXPECT_EQ(interval->low, low) << n;
  EXPECT_EQ(interval->high, high) << n;
}

// The ranks are those of published tables of the sign test: coverage 96.9 %, 97.9 %, 95.9 % and
// 96.5 %.
TEST(MedianInterval, HasTheTabulatedRanksAt95Percent) {
  expect_ranks(6, 0.95, 1, 6);
  expect_ranks(10, 0.95, 2, 9);
  expect_ranks(20, 0.95, 6, 15);
  expect_ranks(100, 0.95, 40, 61);
}

TEST(MedianInterval, IsWiderAt99Percent) {
  expect_ranks(10, 0.99, 1, 10);
  expect_ranks(20, 0.99, 4, 17);
  expect_ranks(100, 0.99, 37, 64);
}

TEST(MedianInterval, IsNoneBelowSixSamplesAt95Percent) {
  for (std::size_t n = 0; n < 6; ++n) {
    EXPECT_FALSE(median_interval(ranks(n), 0.95).has_value()) << n;
  }
  EXPECT_TRUE(median_interval(ranks(6), 0.95).has_value());
}

TEST(MedianInterval, NeedsEightSamplesAt99Percent) {
  EXPECT_FALSE(median_interval(ranks(7), 0.99).has_value());
  expect_ranks(8, 0.99, 1, 8);
}

TEST(MedianInterval, IsTheNarrowestOfItsConfidence) {
  for (std::size_t n = 6; n <= 400; ++n) {
    // P(X <= r) for X binomial(n, 1/2), summed from below.
    std::size_t r = 0;
    double cumulative = std::pow(0.5, static_cast<double>(n));
    double term = cumulative;
    while (true) {
      term *= static_cast<double>(n - r) / static_cast<double>(r + 1);
      if (cumulative + term > 0.025) break;
      cumulative += term;
      ++r;
    }
    expect_ranks(n, 0.95, static_cast<double>(r + 1), static_cast<double>(n - r));
  }
}

/// A skewed, heavy-tailed variable whose median is 1.
double skewed(CounterRng& rng) {
  const double uniform = (static_cast<double>(rng()) + 0.5) * 0x1p-32;
  return std::pow(uniform / (1.0 - uniform), 2.0);
}

TEST(MedianInterval, CoversTheMedianAsOftenAsItSays) {
  CounterRng rng(20, 1);
  for (const std::size_t n : {6U, 10U, 30U, 101U, 500U}) {
    constexpr int kTrials = 4000;
    int covered = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      std::vector<double> samples(n);
      for (double& sample : samples) sample = skewed(rng);
      std::sort(samples.begin(), samples.end());
      const std::optional<Interval> interval = median_interval(samples, 0.95);
      ASSERT_TRUE(interval.has_value());
      if (interval->low <= 1.0 && 1.0 <= interval->high) ++covered;
    }
    const double coverage = static_cast<double>(covered) / kTrials;
    // Never less than 95 % but for noise of 4000 trials (0.35 % a standard deviation).
    EXPECT_GT(coverage, 0.94) << n;
    EXPECT_LT(coverage, 0.99) << n;
  }
}

}  // namespace
}  // namespace fa2bench
