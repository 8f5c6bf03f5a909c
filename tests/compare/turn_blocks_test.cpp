// SPDX-License-Identifier: MIT
#include "compare/turn_blocks.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "compare/looks.hpp"
#include "compare/verdict.hpp"

namespace fa2bench {
namespace {

constexpr int kProcesses = 3;
constexpr std::size_t kPlacements = 12;

/// A run whose blocks are of `calls` calls; each process takes a little more than the one before.
Run sample_run(const std::string& shim, double us, int calls = 1) {
  Samples samples;
  samples.mode = Mode::step;
  samples.cache = CacheState::rotated;
  samples.calls = calls;
  samples.gated = true;
  for (int process = 0; process < kProcesses; ++process) {
    for (std::size_t placement = 0; placement < kPlacements; ++placement) {
      // Not on the scale of logarithms, so that means of times and of logarithms differ.
      const double own = us * (1.0 + 0.004 * process) + 20.0 * static_cast<double>(placement % 3);
      for (int i = 0; i < 3; ++i) samples.device_us.push_back(own * calls);
      Trial trial;
      trial.samples = 3;
      trial.process = process;
      trial.placement = placement;
      samples.trials.push_back(trial);
    }
  }
  samples.host_us.assign(samples.device_us.size(), 1.0);
  Run run;
  run.shim = shim;
  run.status = Status::ok;
  run.timings.push_back(summarize_samples(std::move(samples)));
  return run;
}

WorkloadResult sample_result(Run base, Run other) {
  WorkloadResult result;
  result.workload.name = "w";
  result.runs = {std::move(base), std::move(other)};
  return result;
}

Comparison compared(const WorkloadResult& result) {
  return compare_turns(result, Mode::step, 1, kLastLook, {}).value();
}

Samples& samples_of(WorkloadResult& result, std::size_t shim) {
  return result.runs[shim].timings[0].samples;
}

TEST(TurnBlocks, AreTheMediansOfCallsInEachPlacementOfEachProcess) {
  const WorkloadResult result = sample_result(sample_run("old", 100.0, 4), sample_run("new", 50.0));
  const std::vector<BlockTime> blocks = blocks_of(result, Mode::step);
  ASSERT_EQ(blocks.size(), 2 * kProcesses * kPlacements);
  EXPECT_DOUBLE_EQ(blocks[1].median_us, 120.0);
  EXPECT_EQ(blocks[1].placement, 1U);
  EXPECT_EQ(blocks.back().shim, 1);
  EXPECT_EQ(blocks.back().process, kProcesses - 1);
}

TEST(TurnBlocks, GiveTimesThatStandToEachOtherAsTheRatioSays) {
  const Comparison row =
      compared(sample_result(sample_run("old", 100.0), sample_run("new", 150.0)));
  ASSERT_TRUE(row.ratio && row.baseline_us && row.candidate_us);
  EXPECT_NEAR(*row.candidate_us / *row.baseline_us, *row.ratio, 1e-12);
  EXPECT_NEAR(*row.baseline_us, 120.0, 2.0);
  EXPECT_EQ(row.processes, 3U);
  EXPECT_EQ(row.placements, kPlacements);
  EXPECT_TRUE(row.interval && row.p_value);
}

TEST(TurnBlocks, AreNotComparedWithAndWithoutTheGate) {
  WorkloadResult result = sample_result(sample_run("old", 100.0), sample_run("new", 50.0));
  samples_of(result, 0).gated = false;
  Comparison row = compared(result);
  EXPECT_EQ(row.reason, "old waits for the device and was timed without the gate, new was not");
  EXPECT_FALSE(row.ratio || row.interval || row.p_value);
  EXPECT_TRUE(row.baseline_us && row.candidate_us);
  samples_of(result, 0).gated = true;
  samples_of(result, 1).gated = false;
  EXPECT_EQ(compared(result).reason,
            "new waits for the device and was timed without the gate, old was not");
  std::vector<Comparison> rows{row};
  judge(rows, {});
  EXPECT_EQ(rows[0].verdict, Verdict::inconclusive);
  EXPECT_EQ(rows[0].reason, row.reason);
}

TEST(TurnBlocks, AreComparedIfBothAreWithoutTheGate) {
  WorkloadResult result = sample_result(sample_run("old", 100.0), sample_run("new", 50.0));
  for (std::size_t shim : {0U, 1U}) samples_of(result, shim).gated = false;
  EXPECT_TRUE(compared(result).ratio);
}

TEST(TurnBlocks, AreNotComparedWithAnotherStateOfTheCache) {
  WorkloadResult result = sample_result(sample_run("old", 100.0), sample_run("new", 50.0));
  samples_of(result, 1).cache = CacheState::swept;
  const Comparison row = compared(result);
  EXPECT_EQ(row.reason, "the cache was rotated before a sample of old and swept before one of new");
  EXPECT_FALSE(row.ratio);
}

TEST(TurnBlocks, AreNotComparedWithAnotherNumberOfCalls) {
  const Comparison row =
      compared(sample_result(sample_run("old", 100.0, 32), sample_run("new", 100.0, 8)));
  EXPECT_EQ(row.reason, "32 calls a sample of old and 8 of new: memory ran short");
  EXPECT_FALSE(row.ratio);
}

}  // namespace
}  // namespace fa2bench
