// SPDX-License-Identifier: MIT
#include "compare/ratio.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "compare/simulated.hpp"

namespace fa2bench {
namespace {

using test::Machine;
using test::Noise;

/// Blocks of `processes` of each side in `placements` placements that differ by up to 40 %; process
/// p is 0.1 % times p slower in both shims, shim 1 `ratio` times shim 0.
std::vector<BlockTime> exact_blocks(int processes, std::size_t placements, double ratio) {
  std::vector<BlockTime> blocks;
  for (std::size_t placement = 0; placement < placements; ++placement) {
    for (int process = 0; process < processes; ++process) {
      const double time = (10.0 + static_cast<double>(placement % 5)) * (1.0 + 0.001 * process);
      blocks.push_back({placement, 0, process, time});
      blocks.push_back({placement, 1, process, ratio * time});
    }
  }
  return blocks;
}

RatioEstimate estimate(const std::vector<BlockTime>& blocks, double confidence = 0.99) {
  return estimate_ratio(blocks, 0, 1, confidence);
}

double width(const RatioEstimate& estimate) {
  return estimate.interval.value().high - estimate.interval.value().low;
}

TEST(Ratio, TakesOffWhatPlacementsDoToAll) {
  const RatioEstimate found = estimate(exact_blocks(3, 10, 1.05));
  EXPECT_NEAR(found.ratio.value(), 1.05, 1e-12);
  EXPECT_TRUE(found.of_processes);
  EXPECT_EQ(found.processes, 3U);
  EXPECT_EQ(found.placements, 10U);
  EXPECT_NEAR(found.candidate_us / found.baseline_us, 1.05, 1e-12);
  // The geometric mean of 10 to 14 twice each, without both 10 and both 14; 1.001 of the processes.
  EXPECT_NEAR(found.baseline_us, 11.9722 * 1.001, 0.001);
  // Logs of 1, 1.001 and 1.002 on both sides: 1.000e-3 is their standard deviation; Student's t of
  // 4 degrees of freedom at 99 %: 4.604095.
  const double half = 4.604095 * 0.999e-3 * std::sqrt(2.0 / 3.0);
  EXPECT_NEAR(std::log(found.interval.value().high / found.ratio.value()), half, 2e-6);
  EXPECT_NEAR(std::log(found.ratio.value() / found.interval.value().low), half, 2e-6);
}

TEST(Ratio, AveragesTheBlocksOfOneParticipantInOnePlacement) {
  std::vector<BlockTime> blocks;
  for (std::size_t placement = 0; placement < 4; ++placement) {
    for (int process = 0; process < 2; ++process) {
      blocks.push_back({placement, 0, process, 10.0});  // A B B A
      blocks.push_back({placement, 1, process, 11.0});
      blocks.push_back({placement, 1, process, 12.0});
      blocks.push_back({placement, 0, process, 13.0});
    }
  }
  EXPECT_NEAR(estimate(blocks).ratio.value(), std::sqrt(11.0 * 12.0 / 10.0 / 13.0), 1e-12);
}

TEST(Ratio, LeavesOtherShimsOut) {
  std::vector<BlockTime> blocks = exact_blocks(2, 6, 1.02);
  const RatioEstimate alone = estimate(blocks);
  for (std::size_t placement = 0; placement < 9; ++placement) {
    blocks.push_back({placement, 2, 0, std::numeric_limits<double>::quiet_NaN()});
  }
  EXPECT_EQ(estimate(blocks).ratio, alone.ratio);
  EXPECT_EQ(estimate(blocks).placements, 6U);
}

TEST(Ratio, OfTheSidesExchangedIsItsInverse) {
  Noise noise(1);
  const Machine machine;
  const auto blocks =
      test::take_turns(noise, machine, test::start_processes(noise, machine), 25.0, 1.01);
  const RatioEstimate there = estimate_ratio(blocks, 0, 1, 0.99);
  const RatioEstimate back = estimate_ratio(blocks, 1, 0, 0.99);
  EXPECT_NEAR(there.ratio.value() * back.ratio.value(), 1.0, 1e-12);
  EXPECT_NEAR(there.interval.value().low * back.interval.value().high, 1.0, 1e-12);
}

TEST(Ratio, IsNotMovedByOutlyingPlacementsOrBlocks) {
  std::vector<BlockTime> blocks = exact_blocks(4, 30, 1.02);
  for (BlockTime& block : blocks) {
    if (block.placement == 7) block.median_us *= 3.0;
    if (block.placement == 9 && block.shim == 1 && block.process == 2) block.median_us *= 5.0;
    if (block.placement == 11 && block.shim == 0) block.median_us *= 1.5;
  }
  const RatioEstimate found = estimate(blocks);
  EXPECT_NEAR(found.ratio.value(), 1.02, 1e-9);
  EXPECT_LT(width(found), 0.01);
}

TEST(Ratio, IsNotMovedByMissingBlocks) {
  std::vector<BlockTime> blocks;
  Noise noise(2);
  for (BlockTime block : exact_blocks(4, 30, 1.02)) {
    // One process stops early, a fifth of the other blocks is not there, and all become slower.
    if (block.shim == 0 && block.process == 0 && block.placement >= 10) continue;
    if (noise.uniform() < 0.2) continue;
    block.median_us *= 1.0 + 0.01 * static_cast<double>(block.placement);
    blocks.push_back(block);
  }
  EXPECT_NEAR(estimate(blocks).ratio.value(), 1.02, 1e-9);
}

TEST(Ratio, OfOneProcessASideStandsOnPlacementsAndSaysSo) {
  Noise noise(3);
  Machine machine;
  machine.processes = 1;
  const auto blocks =
      test::take_turns(noise, machine, test::start_processes(noise, machine), 25.0, 1.0);
  const RatioEstimate found = estimate(blocks);
  EXPECT_FALSE(found.of_processes);
  EXPECT_EQ(found.processes, 1U);
  // Blocks scatter by 0.3 %, their 40 differences by 0.42 %: 2.7 standard errors to each side.
  EXPECT_NEAR(width(found), 2 * 2.7 * 0.0042 / std::sqrt(40.0), 0.001);
  EXPECT_GT(found.floor, 0.0);
}

TEST(Ratio, IsNeverSurerThanTheScatterOfItsBlocksAllows) {
  // Processes that are alike, by chance far more than blocks of 1 % allow to know.
  std::vector<BlockTime> blocks;
  Noise noise(4);
  for (int process = 0; process < 3; ++process) {
    for (int shim = 0; shim < 2; ++shim) {
      for (std::size_t placement = 0; placement < 20; placement += 2) {
        const double scatter = 0.01 * noise.normal();
        blocks.push_back({placement, shim, process, 10.0 * std::exp(scatter)});
        blocks.push_back({placement + 1, shim, process, 10.0 * std::exp(-scatter)});
      }
    }
  }
  const double error = 0.01 / std::sqrt(20.0) * std::sqrt(2.0 / 3.0);
  EXPECT_NEAR(estimate(blocks).ratio.value(), 1.0, 0.003);
  EXPECT_GT(width(estimate(blocks)), 2 * 4.6 * 0.6 * error);
}

TEST(Ratio, HasAFloorFromTheBaselinesProcessesInHalves) {
  std::vector<BlockTime> blocks = exact_blocks(4, 12, 1.05);
  for (BlockTime& block : blocks) {
    if (block.shim == 0 && block.process % 2 == 1) block.median_us *= 1.03;
  }
  // The odd processes are 0.1 % slower than the even ones by themselves.
  EXPECT_NEAR(estimate(blocks).floor, 1.03 * 1.001 - 1.0, 1e-5);
}

TEST(Ratio, HasAPValueOfWhatIsBeyondTheFloor) {
  std::vector<BlockTime> blocks = exact_blocks(4, 12, 1.02);
  const double without = estimate(blocks).p_value.value();
  EXPECT_LT(without, 1e-4);
  for (BlockTime& block : blocks) {
    if (block.shim == 0) block.median_us *= block.process % 2 == 1 ? 1.01 : 1.0 / 1.01;
  }
  EXPECT_GE(estimate(blocks).p_value.value(), 0.99);
}

TEST(Ratio, HasAPValueThatAgreesWithItsInterval) {
  // At the confidence of 1 - p, the interval ends at the floor.
  Noise noise(5);
  const Machine machine;
  const auto blocks =
      test::take_turns(noise, machine, test::start_processes(noise, machine), 25.0, 1.004);
  const double p_value = estimate(blocks).p_value.value();
  ASSERT_LT(p_value, 0.5);
  ASSERT_GT(p_value, 1e-6);
  const RatioEstimate there = estimate(blocks, 1.0 - p_value);
  EXPECT_NEAR(there.interval.value().low, 1.0 + there.floor, 1e-9);
}

TEST(Ratio, IsNotThereWithoutAUsableTimeOfEachBlock) {
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    std::vector<BlockTime> blocks = exact_blocks(4, 12, 1.5);
    blocks[17].median_us = bad;
    const RatioEstimate found = estimate(blocks);
    EXPECT_FALSE(found.ratio || found.interval || found.p_value) << bad;
    EXPECT_EQ(found.obstacle, "a block of samples has no usable time");
  }
}

TEST(Ratio, IsNotThereWithoutAPlacementOfBoth) {
  const RatioEstimate found = estimate({{0, 0, 0, 10.0}, {1, 1, 0, 10.0}});
  EXPECT_FALSE(found.ratio || found.interval || found.p_value);
  EXPECT_EQ(found.obstacle, "there is no placement in which both were timed");
  EXPECT_FALSE(estimate({}).ratio);
}

TEST(Ratio, HasNoIntervalOfTooFewPlacements) {
  EXPECT_FALSE(estimate(exact_blocks(1, 2, 1.1)).interval);
  EXPECT_TRUE(estimate(exact_blocks(1, 3, 1.1)).interval);
  EXPECT_FALSE(estimate(exact_blocks(2, 1, 1.1)).p_value);
  EXPECT_TRUE(estimate(exact_blocks(2, 2, 1.1)).p_value);
  EXPECT_NEAR(estimate(exact_blocks(2, 1, 1.1)).ratio.value(), 1.1, 1e-12);
}

}  // namespace
}  // namespace fa2bench
