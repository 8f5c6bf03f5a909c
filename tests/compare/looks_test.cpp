// SPDX-License-Identifier: MIT
// The promises of ratio, looks and verdict together, on simulated machines: how often shims that
// are equal are called faster or slower, and how often a difference is found.
#include "compare/looks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "compare/simulated.hpp"
#include "compare/verdict.hpp"

namespace fa2bench {
namespace {

using test::Machine;
using test::Noise;

// Sanitizers take ten times as long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kComparisons = 2000;
#else
constexpr int kComparisons = 10000;
#endif

/// The rate: errors of 1 - confidence, among all comparisons or families of them.
const ComparisonRules kRules;
const double kErrorRate = 1.0 - kRules.confidence;

/// How many comparisons got each verdict, and how many runs a faster or slower at all.
struct Tally {
  int faster = 0;
  int slower = 0;
  int same = 0;
  int runs = 0;
  int runs_that_differ = 0;
  int covered = 0;  ///< intervals that have the true ratio
  std::size_t placements = 0;

  [[nodiscard]] double false_rate() const {
    return static_cast<double>(runs_that_differ) / static_cast<double>(runs);
  }
};

/// `comparisons` in runs of `rows` workloads, of 10 µs and 1.5 times as long each, or one of 25 µs.
Tally compare_often(const Machine& machine, double ratio, int comparisons, std::size_t rows = 1,
                    const ComparisonRules& rules = kRules) {
  Tally tally;
  Noise noise(20);
  tally.runs = comparisons / static_cast<int>(rows);
  for (int run = 0; run < tally.runs; ++run) {
    const test::Processes processes = test::start_processes(noise, machine);
    std::vector<Comparison> report;
    for (std::size_t i = 0; i < rows; ++i) {
      const double time_us = rows == 1 ? 25.0 : 10.0 * std::pow(1.5, static_cast<double>(i));
      const auto blocks = test::take_turns(noise, machine, processes, time_us, ratio);
      const RatioEstimate estimate = test::with_looks(blocks, machine.placements, rules, rows);
      report.emplace_back();
      set_estimate(report.back(), estimate);
      tally.placements += estimate.placements;
      const Interval interval = estimate.interval.value_or(Interval{});
      if (interval.low <= ratio && ratio <= interval.high) ++tally.covered;
    }
    judge(report, rules);
    const auto count = [&report](Verdict verdict) {
      return static_cast<int>(
          std::count_if(report.begin(), report.end(),
                        [verdict](const Comparison& row) { return row.verdict == verdict; }));
    };
    tally.faster += count(Verdict::faster);
    tally.slower += count(Verdict::slower);
    tally.same += count(Verdict::same);
    if (count(Verdict::faster) + count(Verdict::slower) > 0) ++tally.runs_that_differ;
  }
  return tally;
}

TEST(Looks, SpendTheErrorOnce) {
  double sum = 0.0;
  for (std::size_t look = 0; look < kLooks.size(); ++look) {
    EXPECT_GT(share_of_error(look), 0.0);
    sum += share_of_error(look);
  }
  EXPECT_NEAR(sum, 1.0, 1e-12);
  EXPECT_EQ(kLooks.back(), 1.0);
  // ln(1 + (e - 1) * 0.15).
  EXPECT_NEAR(share_of_error(0), 0.22932, 1e-5);
}

TEST(Looks, StateWiderIntervalsAndLargerPValues) {
  Noise noise(1);
  const Machine machine;
  const auto blocks =
      test::take_turns(noise, machine, test::start_processes(noise, machine), 25.0, 1.005);
  const RatioEstimate plain = estimate_ratio(blocks, 0, 1, 0.99);
  for (std::size_t look = 0; look < kLooks.size(); ++look) {
    const RatioEstimate stated = estimate_at_look(blocks, 0, 1, 0.99, look);
    EXPECT_EQ(stated.ratio, plain.ratio);
    EXPECT_LT(stated.interval.value().low, plain.interval.value().low);
    EXPECT_GT(stated.interval.value().high, plain.interval.value().high);
    EXPECT_DOUBLE_EQ(stated.p_value.value(), plain.p_value.value() / share_of_error(look));
  }
}

TEST(Looks, EndSamplingOnlyWhereEveryCandidateIsDecided) {
  RatioEstimate slower;
  slower.ratio = 1.05;
  slower.interval = Interval{1.04, 1.06};
  slower.p_value = 0.0009;
  slower.placements = kLeastPlacements;
  RatioEstimate same = slower;
  same.ratio = 1.0;
  same.interval = Interval{0.995, 1.005};
  same.p_value = 1.0;
  RatioEstimate open = same;
  open.interval = Interval{0.985, 1.005};
  const auto decided = [](const std::vector<RatioEstimate>& all, std::size_t rows) {
    return is_decided(all, kRules, rows);
  };
  EXPECT_TRUE(decided({slower, same}, 11));
  EXPECT_FALSE(decided({slower, same, open}, 11));
  EXPECT_FALSE(decided({slower}, 12)) << "it may have to stand among twelve";
  EXPECT_TRUE(decided({same}, 10000));
  same.placements = kLeastPlacements - 1;
  EXPECT_FALSE(decided({same}, 1)) << "too few placements to stop at";
  slower.ratio = 1.009;
  EXPECT_FALSE(decided({slower}, 1)) << "below the effect";
  EXPECT_FALSE(decided({RatioEstimate{}}, 1));
}

TEST(EqualShims, AreNotToldApartMoreOftenThanStated) {
  const Tally tally = compare_often({}, 1.0, kComparisons);
  EXPECT_LE(tally.false_rate(), kErrorRate);
  EXPECT_GE(tally.same, 0.95 * kComparisons);
  EXPECT_GE(tally.covered, (1.0 - kErrorRate) * kComparisons);
}

TEST(EqualShims, AreNotToldApartThoughEveryEffectCounts) {
  // Nothing but chance and the floor is left to hold the rate.
  const Tally tally = compare_often({}, 1.0, kComparisons, 1, {1e-9, kRules.confidence});
  EXPECT_LE(tally.false_rate(), kErrorRate);
  EXPECT_GE(tally.covered, (1.0 - kErrorRate) * kComparisons);
}

TEST(EqualShims, AreNotToldApartByTwoValuedProcesses) {
  // 1.6 % of 25 µs, more than the effect that counts: in 2 of 2^8 runs all four processes of one
  // shim have it and none of the other's, which nothing within the run can tell from a difference.
  Machine machine;
  machine.two_valued_us = 0.4;
  const Tally tally = compare_often(machine, 1.0, kComparisons);
  EXPECT_LE(tally.false_rate(), kErrorRate);
  EXPECT_GT(tally.false_rate(), 0.0) << "the simulation has no such runs";
}

TEST(EqualShims, AreNotToldApartInFamiliesOfTen) {
  const ComparisonRules any_effect{1e-9, kRules.confidence};
  EXPECT_LE(compare_often({}, 1.0, kComparisons, 10, any_effect).false_rate(), kErrorRate);
  Machine machine;
  machine.two_valued_us = 0.25;
  EXPECT_LE(compare_often(machine, 1.0, kComparisons, 10).false_rate(), kErrorRate);
}

TEST(EqualShims, AreNotToldApartByOutliersOrMissingBlocks) {
  Machine machine;
  machine.odd_placements = 0.05;
  machine.odd_blocks = 0.03;
  machine.missing = 0.1;
  const Tally tally = compare_often(machine, 1.0, kComparisons / 5, 1, {1e-9, kRules.confidence});
  EXPECT_LE(tally.false_rate(), kErrorRate);
}

TEST(ATrueDifference, OfTwoPercentIsFound) {
  constexpr int kRuns = 1000;
  EXPECT_GE(compare_often({}, 1.02, kRuns).slower, 0.95 * kRuns);
  EXPECT_GE(compare_often({}, 1.02, kRuns, 10).slower, 0.95 * kRuns);
  EXPECT_GE(compare_often({}, 0.98, kRuns, 10).faster, 0.95 * kRuns);
  Machine odd;
  odd.odd_placements = 0.05;
  odd.odd_blocks = 0.03;
  odd.missing = 0.1;
  EXPECT_GE(compare_often(odd, 1.02, kRuns).slower, 0.95 * kRuns);
}

TEST(ATrueDifference, OfOnePercentIsFoundWhereHalfAPercentCounts) {
  constexpr int kRuns = 1000;
  EXPECT_GE(compare_often({}, 1.01, kRuns, 1, {0.005, kRules.confidence}).slower, 0.9 * kRuns);
}

TEST(ATrueDifference, BelowTheEffectThatCountsIsNeverCalledSlower) {
  const Tally tally = compare_often({}, 1.002, kComparisons);
  EXPECT_EQ(tally.slower, 0);
  EXPECT_EQ(tally.faster, 0);
}

TEST(ATrueDifference, AboveTheEffectThatCountsIsRarelyCalledTheSame) {
  const Tally tally = compare_often({}, 1.0101, kComparisons / 5);
  EXPECT_LE(tally.same, kErrorRate * kComparisons / 5);
}

TEST(ATrueDifference, ThatIsLargeEndsSamplingAtTheFirstLook) {
  constexpr int kRuns = 200;
  const Machine machine;
  const Tally tally = compare_often(machine, 1.05, kRuns);
  EXPECT_LT(static_cast<double>(tally.placements) / kRuns,
            1.1 * std::max(kLooks[0] * static_cast<double>(machine.placements),
                           static_cast<double>(kLeastPlacements)));
}

TEST(ATrueDifference, OfTenPercentIsFoundOnANoisyProcessor) {
  constexpr int kRuns = 500;
  Machine machine;
  machine.processes = 3;
  machine.process = 0.005;
  machine.placement = 0.01;
  machine.block = 0.02;
  EXPECT_GE(compare_often(machine, 1.10, kRuns).slower, 0.95 * kRuns);
  EXPECT_LE(compare_often(machine, 1.0, kRuns).false_rate(), kErrorRate);
}

}  // namespace
}  // namespace fa2bench
