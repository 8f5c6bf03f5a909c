// SPDX-License-Identifier: MIT
#include "stats/trials.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "stats/noise.hpp"
#include "stats/trimmed_mean.hpp"

namespace fa2bench {
namespace {

using test::Noise;
using Trials = std::vector<std::vector<double>>;

TrialsEstimate estimate(const Trials& trials) {
  const std::vector<std::span<const double>> spans(trials.begin(), trials.end());
  return estimate_from_trials(spans);
}

TEST(TrimmedMean, IsThePlainMeanWithNothingCut) {
  const TrimmedMean mean = trimmed_mean({3.0, 1.0, 2.0, 6.0}, 0);
  EXPECT_EQ(mean.mean, 3.0);
  EXPECT_EQ(mean.kept, 4U);
  EXPECT_DOUBLE_EQ(mean.error, std::sqrt((0.0 + 4.0 + 1.0 + 9.0) / 3.0 / 4.0));
}

TEST(TrimmedMean, LeavesOutTheEndsAndCountsThemAsTheirNeighbours) {
  const TrimmedMean mean = trimmed_mean({1e9, 3.0, 2.0, 4.0, -1e9}, 1);
  EXPECT_EQ(mean.mean, 3.0);
  EXPECT_EQ(mean.kept, 3U);
  // Winsorized: 2, 2, 3, 4, 4.
  EXPECT_DOUBLE_EQ(mean.error, std::sqrt(4.0 / (3.0 * 2.0)));
}

TEST(TrimmedMean, OfOneValueHasNoError) {
  const TrimmedMean mean = trimmed_mean({5.0}, 0);
  EXPECT_EQ(mean.mean, 5.0);
  EXPECT_EQ(mean.error, 0.0);
}

TEST(Trials, CountThroughTheirMediansAlone) {
  const TrialsEstimate few = estimate({{1.0, 2.0, 900.0}, {4.0}, {3.0, 3.0, 3.0, 3.0, -900.0}});
  EXPECT_EQ(few.center, 3.0);
  EXPECT_DOUBLE_EQ(few.between.value(), 1.0);
  // Student's t of two degrees of freedom: 4.302653.
  EXPECT_NEAR(few.interval.value().low, 3.0 - 4.302653 / std::sqrt(3.0), 1e-6);
  EXPECT_NEAR(few.interval.value().high, 3.0 + 4.302653 / std::sqrt(3.0), 1e-6);
}

TEST(Trials, HaveNoIntervalBelowThree) {
  EXPECT_FALSE(estimate({{1.0, 2.0, 3.0}}).interval.has_value());
  EXPECT_FALSE(estimate({{1.0, 2.0, 3.0}}).between.has_value());
  EXPECT_FALSE(estimate({{1.0}, {2.0}}).interval.has_value());
  EXPECT_TRUE(estimate({{1.0}, {2.0}}).between.has_value());
  EXPECT_TRUE(estimate({{1.0}, {2.0}, {3.0}}).interval.has_value());
}

TEST(Trials, WithoutASampleDoNotCount) {
  const TrialsEstimate result = estimate({{}, {7.0}, {}});
  EXPECT_EQ(result.center, 7.0);
  EXPECT_FALSE(result.between.has_value());
  EXPECT_FALSE(result.within.has_value());
}

TEST(Trials, LeaveOutTheLowestAndHighestOfTen) {
  Trials trials;
  for (int i = 0; i < 9; ++i) trials.push_back({100.0 + 0.1 * (i % 3)});
  trials.push_back({150.0});
  const TrialsEstimate result = estimate(trials);
  EXPECT_NEAR(result.center, 100.1, 0.05);
  EXPECT_LT(result.interval.value().high, 100.3);
}

/// Root mean square of the error of `center_of` over simulated series of ten trials' medians.
template <typename Effect, typename CenterOf>
double scatter(const Effect& effect, const CenterOf& center_of) {
  constexpr int kSeries = 4000;
  Noise noise(7);
  double squares = 0.0;
  for (int i = 0; i < kSeries; ++i) {
    std::vector<double> medians(10);
    for (double& median : medians) median = 100.0 + effect(noise);
    const double error = center_of(medians) - 100.0;
    squares += error * error;
  }
  return std::sqrt(squares / kSeries);
}

double plain_mean(const std::vector<double>& medians) { return trimmed_mean(medians, 0).mean; }
double our_center(const std::vector<double>& medians) { return estimate_center(medians).value; }

TEST(Trials, HaveASteadierCentreThanTheirMeanWhereSomeLieFarOff) {
  const auto one_in_ten = [](Noise& noise) {
    return noise.normal() + (noise.uniform() < 0.1 ? 5.0 : 0.0);
  };
  EXPECT_LT(scatter(one_in_ten, our_center), 0.87 * scatter(one_in_ten, plain_mean));
  const auto heavy = [](Noise& noise) { return noise.heavy(); };
  EXPECT_LT(scatter(heavy, our_center), 0.85 * scatter(heavy, plain_mean));
}

TEST(Trials, LoseLittleToTheirMeanWhereTheyDifferNormally) {
  const auto normal = [](Noise& noise) { return noise.normal(); };
  EXPECT_LT(scatter(normal, our_center), 1.04 * scatter(normal, plain_mean));
}

TEST(Trials, HaveAnIntervalThatCoversWhateverTheirNumber) {
  for (const std::size_t count : {3U, 5U, 9U, 10U, 11U, 20U, 40U}) {
    constexpr int kSeries = 4000;
    Noise noise(count);
    int covered = 0;
    for (int i = 0; i < kSeries; ++i) {
      std::vector<double> medians(count);
      for (double& median : medians) median = noise.normal();
      const Interval interval = estimate_center(medians).interval.value();
      if (interval.low <= 0.0 && 0.0 <= interval.high) ++covered;
    }
    const double coverage = static_cast<double>(covered) / kSeries;
    // 0.35 % is one standard deviation of what 4000 series give.
    EXPECT_GT(coverage, 0.935) << count;
    EXPECT_LT(coverage, 0.962) << count;
  }
}

TEST(MedianError, IsThatOfTheMedianOfRepeatedSamples) {
  for (const std::size_t count : {5U, 8U, 20U, 50U}) {
    constexpr int kSeries = 3000;
    Noise noise(count);
    double estimated = 0.0;
    double actual = 0.0;
    for (int i = 0; i < kSeries; ++i) {
      std::vector<double> samples(count);
      for (double& sample : samples) sample = noise.normal();
      std::sort(samples.begin(), samples.end());
      estimated += std::pow(median_error(samples), 2.0);
      actual += std::pow(quantile(samples, 0.5), 2.0);
    }
    const double ratio = std::sqrt(estimated / actual);
    EXPECT_GT(ratio, 0.95) << count;
    EXPECT_LT(ratio, 1.25) << count;
  }
}

TEST(Trials, ShowWhetherTheyReallyDiffer) {
  const auto simulate = [](double deviation) {
    Noise noise(3);
    Trials trials;
    for (int trial = 0; trial < 40; ++trial) {
      const double scale = 1.0 + deviation * noise.normal();
      std::vector<double>& samples = trials.emplace_back(30);
      for (double& sample : samples) sample = scale * test::sample_time(noise);
    }
    return estimate(trials);
  };
  const TrialsEstimate alike = simulate(0.0);
  EXPECT_NEAR(alike.between.value() / alike.within.value(), 1.0, 0.3);
  const TrialsEstimate different = simulate(0.005);
  EXPECT_NEAR(different.between.value(), 0.005, 0.0015);
  EXPECT_LT(different.within.value(), 0.002);
}

}  // namespace
}  // namespace fa2bench
