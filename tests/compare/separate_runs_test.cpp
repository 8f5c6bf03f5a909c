// SPDX-License-Identifier: MIT
#include "compare/separate_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "compare/result_samples.hpp"
#include "compare/verdict.hpp"

namespace fa2bench {
namespace {

using test::sample_timing;

Comparison compared(const Timing& base, const Timing& next, double floor) {
  Comparison row;
  const Timing* const baseline = &base;
  compare_timings(std::span(&baseline, 1), next, floor, 0.99, row);
  return row;
}

/// One value for each of five processes.
Timing timing_of(const std::vector<double>& processes) {
  Samples samples;
  for (std::size_t process = 0; process < processes.size(); ++process) {
    samples.device_us.push_back(processes[process]);
    samples.trials.push_back({1, 1, 0.5, 0, static_cast<int>(process), process});
  }
  samples.host_us.assign(samples.device_us.size(), 1.0);
  return summarize_samples(std::move(samples));
}

TEST(SeparateRuns, HasTheRatioOfTheProcessesMeans) {
  const Comparison row = compared(sample_timing(100.0), sample_timing(103.0), 0.0);
  EXPECT_NEAR(*row.ratio, 1.03, 1e-9);
  EXPECT_NEAR(*row.baseline_us, 100.0, 1e-6);
  EXPECT_NEAR(*row.candidate_us, 103.0, 1e-6);
  EXPECT_EQ(row.processes, 5U);
}

// Welch's t of e^{4.0, 4.2, 4.4} and e^{4.3, 4.4, 4.5, 4.6}, worked by hand.
TEST(SeparateRuns, HasWelchsInterval) {
  const auto e = [](double x) { return std::exp(x); };
  const Timing base = timing_of({e(4.0), e(4.2), e(4.4)});
  const Timing next = timing_of({e(4.3), e(4.4), e(4.5), e(4.6)});
  const Comparison row = compared(base, next, 0.0);
  EXPECT_NEAR(std::log(*row.ratio), 0.25, 1e-12);
  // Squared errors 0.04 / 3 and 0.0166667 / 4; 3.2347 degrees of freedom, t at 99 % 5.43987.
  const double error = std::sqrt(0.04 / 3.0 + 0.05 / 3.0 / 4.0);
  EXPECT_NEAR(std::log(row.interval->high) - 0.25, 0.25 - std::log(row.interval->low), 1e-12);
  EXPECT_NEAR((std::log(row.interval->high) - 0.25) / error, 5.43987, 1e-4);
}

TEST(SeparateRuns, WidensTheIntervalByTheFloorAndTestsBeyondIt) {
  const Timing base = sample_timing(100.0);
  const Timing next = sample_timing(100.5);
  const Comparison without = compared(base, next, 0.0);
  const Comparison with = compared(base, next, 0.006);
  EXPECT_LT(*without.p_value, 0.001);
  EXPECT_EQ(*with.p_value, 1.0);
  EXPECT_NEAR(with.interval->high / without.interval->high, 1.006, 1e-9);
  EXPECT_NEAR(without.interval->low / with.interval->low, 1.006, 1e-9);
  EXPECT_EQ(with.floor, 0.006);
}

TEST(SeparateRuns, HasAnIntervalOfTheFloorWhereNothingScatters) {
  const Comparison row = compared(timing_of({5, 5, 5}), timing_of({6, 6, 6}), 0.01);
  EXPECT_NEAR(row.interval->low, 1.2 / 1.01, 1e-9);
  EXPECT_NEAR(row.interval->high, 1.2 * 1.01, 1e-9);
  EXPECT_LT(*row.p_value, 1e-20);
}

TEST(SeparateRuns, HasNoIntervalOfOneValueAndNoRatioOfATimeOfZero) {
  const Comparison one = compared(timing_of({5}), timing_of({6, 6, 6}), 0.01);
  EXPECT_NEAR(*one.ratio, 1.2, 1e-9);
  EXPECT_FALSE(one.interval);
  EXPECT_THAT(one.reason, testing::HasSubstr("more --processes"));
  const Comparison zero = compared(timing_of({0, 0, 0}), timing_of({6, 6, 6}), 0.01);
  EXPECT_FALSE(zero.ratio);
  EXPECT_THAT(zero.reason, testing::HasSubstr("a time of 0"));
}

TEST(SeparateRuns, DoesNotCountTrialsBeforeAModeHasSettled) {
  Samples samples = sample_timing(10.0).samples;
  for (std::size_t i = 0; i < 6; ++i) samples.device_us[i] = 1000.0;
  samples.settled_from = 2;
  const Timing next = summarize_samples(std::move(samples));
  EXPECT_NEAR(*compared(sample_timing(10.0), next, 0.0).ratio, 1.0, 0.002);
}

TEST(SeparateRuns, MeasuresTheSpreadOfSeveralBaselines) {
  const Timing a = sample_timing(100.0);
  const Timing b = sample_timing(101.0);
  const Timing c = sample_timing(100.4);
  const std::vector<const Timing*> all{&a, &b, &c};
  EXPECT_NEAR(spread_of_runs(all, 0.99), 0.01, 1e-9);
  EXPECT_EQ(spread_of_runs(std::span(all).first(1), 0.99), 0.0);
}

// Values with a standard deviation of 1 % of five: Student's t of 4 degrees of freedom at 99 % is
// 4.604095, and one more value varies by sqrt(1 + 1/5) of it.
TEST(SeparateRuns, PredictsOneMoreRunFromFiveBaselines) {
  std::vector<Timing> runs;
  for (const double log : {-0.01, -0.01, 0.0, 0.01, 0.01}) {
    runs.push_back(sample_timing(100.0 * std::exp(log)));
  }
  std::vector<const Timing*> all;
  for (const Timing& run : runs) all.push_back(&run);
  EXPECT_NEAR(std::log1p(spread_of_runs(all, 0.99)), 4.604095 * 0.01 * std::sqrt(1.2), 1e-6);
}

TEST(SeparateRuns, OfFewProcessesHaveNoIntervalUnlessRunsTellWhatTheyDifferBy) {
  Samples samples = sample_timing(100.0).samples;
  for (Trial& trial : samples.trials) trial.process = 0;
  const Timing one = summarize_samples(std::move(samples));
  for (const auto& [base, next] : {std::pair(&one, sample_timing(200.0)), std::pair(&one, one)}) {
    const Comparison row = compared(*base, next, 0.05);
    EXPECT_TRUE(row.ratio);
    EXPECT_FALSE(row.interval);
    EXPECT_FALSE(row.p_value);
    EXPECT_THAT(row.reason, testing::HasSubstr("run both with --processes 3 or more"));
  }
  Comparison row;
  const std::vector<const Timing*> five(5, &one);
  compare_timings(five, one, 0.05, 0.99, row);
  EXPECT_TRUE(row.interval);
}

/// Runs of five processes each, which differ between runs by a part of their own that is the same
/// for all processes of a run, up to the floor.
TEST(SeparateRuns, SeldomCallsEqualBuildsDifferentThoughRunsHaveAPartOfTheirOwn) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(0.0, 0.003);
  std::uniform_real_distribution<double> own(-0.003, 0.003);
  const auto run = [&] {
    std::vector<double> processes;
    const double shift = own(random);
    for (int i = 0; i < 5; ++i) processes.push_back(100.0 * std::exp(shift + noise(random)));
    return timing_of(processes);
  };
  int false_alarms = 0;
  int covered = 0;
  constexpr int kRuns = 4000;
  for (int i = 0; i < kRuns; ++i) {
    std::vector<Comparison> rows{compared(run(), run(), kFloorOfGpuRuns)};
    covered += rows[0].interval->low <= 1.0 && rows[0].interval->high >= 1.0 ? 1 : 0;
    judge(rows, {0.0001, 0.99});
    const Verdict verdict = rows[0].verdict;
    false_alarms += verdict == Verdict::slower || verdict == Verdict::faster ? 1 : 0;
  }
  EXPECT_LE(false_alarms, kRuns / 100);
  EXPECT_GE(covered, kRuns * 99 / 100);
}

}  // namespace
}  // namespace fa2bench
