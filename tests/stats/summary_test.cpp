// SPDX-License-Identifier: MIT
#include "stats/summary.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace fa2bench {
namespace {

TEST(Quantile, IsTheOrderStatisticWhereThePositionIsWhole) {
  const std::vector<double> sorted{1.0, 2.0, 4.0, 8.0, 16.0};
  EXPECT_EQ(quantile(sorted, 0.0), 1.0);
  EXPECT_EQ(quantile(sorted, 0.25), 2.0);
  EXPECT_EQ(quantile(sorted, 0.5), 4.0);
  EXPECT_EQ(quantile(sorted, 0.75), 8.0);
  EXPECT_EQ(quantile(sorted, 1.0), 16.0);
}

TEST(Quantile, InterpolatesBetweenNeighbours) {
  const std::vector<double> sorted{1.0, 2.0, 4.0, 8.0};
  EXPECT_EQ(quantile(sorted, 0.5), 3.0);
  EXPECT_DOUBLE_EQ(quantile(sorted, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(quantile(sorted, 0.95), 4.0 + 0.85 * 4.0);
}

TEST(Quantile, OfOneSampleIsThatSample) {
  const std::vector<double> sorted{7.0};
  for (const double p : {0.0, 0.3, 0.5, 1.0}) EXPECT_EQ(quantile(sorted, p), 7.0);
}

TEST(Summary, OfOneSampleHasNoInterval) {
  const Summary summary = summarize({3.5});
  EXPECT_EQ(summary.count, 1U);
  EXPECT_FALSE(summary.median_interval.has_value());
  for (const double value :
       {summary.median, summary.min, summary.max, summary.mean, summary.p95, summary.p99}) {
    EXPECT_EQ(value, 3.5);
  }
  EXPECT_EQ(summary.mad, 0.0);
}

TEST(Summary, SortsItsInput) {
  const Summary summary = summarize({9.0, 1.0, 5.0, 3.0, 7.0});
  EXPECT_EQ(summary.count, 5U);
  EXPECT_EQ(summary.min, 1.0);
  EXPECT_EQ(summary.median, 5.0);
  EXPECT_EQ(summary.max, 9.0);
  EXPECT_DOUBLE_EQ(summary.mean, 5.0);
  EXPECT_DOUBLE_EQ(summary.p95, 8.6);
  EXPECT_DOUBLE_EQ(summary.p99, 8.92);
  EXPECT_EQ(summary.mad, 2.0);  // deviations 0, 2, 2, 4, 4
}

TEST(Summary, OfAnEvenCountHasTheMiddleBetweenTwoSamples) {
  const Summary summary = summarize({40.0, 10.0, 20.0, 30.0});
  EXPECT_EQ(summary.median, 25.0);
  EXPECT_EQ(summary.mad, 10.0);  // deviations 5, 5, 15, 15
}

TEST(Summary, OfTiesHasAnIntervalWithoutWidth) {
  const Summary summary = summarize(std::vector<double>(12, 4.25));
  ASSERT_TRUE(summary.median_interval.has_value());
  EXPECT_EQ(summary.median_interval->low, 4.25);
  EXPECT_EQ(summary.median_interval->high, 4.25);
  EXPECT_EQ(summary.median, 4.25);
  EXPECT_EQ(summary.mad, 0.0);
}

TEST(Summary, KeepsAnOutlierOutOfMedianAndMad) {
  const Summary summary = summarize({10.0, 10.0, 10.0, 11.0, 9.0, 10.0, 1e9});
  EXPECT_EQ(summary.median, 10.0);
  EXPECT_EQ(summary.mad, 0.0);
  EXPECT_EQ(summary.max, 1e9);
  EXPECT_GT(summary.mean, 1e8);
}

}  // namespace
}  // namespace fa2bench
