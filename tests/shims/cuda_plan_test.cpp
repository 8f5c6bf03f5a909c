// SPDX-License-Identifier: MIT
// The CUDA shim's launch plan, which is made on the host from the arguments alone.
#include "shims/cuda/plan.hpp"

#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "shims/plan_batch.hpp"

namespace fa2bench::shims::cuda {
namespace {

constexpr DeviceFacts kH200 = {132, 232448, 9, 0, 66};
constexpr DeviceFacts kA100 = {108, 166912, 8, 0, 0};
constexpr DeviceFacts kSmallShared = {84, 101376, 8, 6, 0};  // as of compute capability 8.6 and 8.9

TEST(CudaPlan, GivesShortQueriesABlockPerSm) {
  for (const auto& [num_seqs, kv_len] : {std::pair{256, 1024}, {32, 384}, {64, 131072}}) {
    const Plan plan = make_plan(batch(num_seqs, 1, kv_len, 32, 4), kH200);
    EXPECT_EQ(plan.team, 1);
    EXPECT_EQ(plan.blocks, 132);
    EXPECT_EQ(plan.cluster, 1);
    EXPECT_EQ(plan.warps, kMostShortWarps);
  }
}

TEST(CudaPlan, PairsBlocksWhereFewUnitsHaveManyParts) {
  const Plan plan = make_plan(batch(1, 1, 32768, 32, 4), kH200);
  EXPECT_EQ(plan.cluster, 2);
  EXPECT_EQ(plan.blocks, 132);
  EXPECT_EQ(make_plan(batch(1, 1, 32768, 32, 4), kA100).cluster, 1);
}

TEST(CudaPlan, SharesKeyTilesAmongAsManyWarpsAsTheRowsNeed) {
  EXPECT_EQ(make_plan(batch(1, 2, 9000, 32, 4), kH200).team, 1);
  EXPECT_EQ(make_plan(batch(1, 3, 9000, 32, 4), kH200).team, 2);
  EXPECT_EQ(make_plan(batch(1, 8, 9000, 32, 4), kH200).team, 4);
  EXPECT_EQ(make_plan(batch(1, 64, 9000, 64, 1), kH200).team, 4);
}

TEST(CudaPlan, GuessesLengthsWhereAllMayBeTheLongest) {
  Arguments a = batch(16, 2, 1000, 32, 4);
  a.max_blocks_per_seq = 63;
  EXPECT_TRUE(may_guess(a));
  a.total_q_tokens = 31;  // one of them is shorter
  EXPECT_FALSE(may_guess(a));
  a.total_q_tokens = 32;
  a.max_blocks_per_seq = 62;  // no table entry for the last keys
  EXPECT_FALSE(may_guess(a));
  a = batch(129, 1, 1000, 32, 4);
  a.max_blocks_per_seq = 63;
  EXPECT_FALSE(may_guess(a));
}

TEST(CudaPlan, FitsTheSharedMemoryOfTheDevice) {
  for (const DeviceFacts& device : {kH200, kA100, kSmallShared}) {
    for (const int q_len : {1, 3, 8, 64}) {
      for (const int num_seqs : {1, 40}) {
        const Plan plan = make_plan(batch(num_seqs, q_len, 9000, 32, 4), device);
        EXPECT_LE(plan.shared_bytes + 2048, device.shared_bytes);
        EXPECT_GE(plan.warps, plan.team);
        EXPECT_EQ(plan.warps % plan.team, 0);
      }
    }
  }
}

TEST(CudaPlan, HasATicketForEachBlock) {
  for (const int sm_count : {16, 132, 3000}) {
    for (const int num_seqs : {1, 500}) {
      const Plan plan =
          make_plan(batch(num_seqs, 1, 9000, 8, 8), {sm_count, 232448, 9, 0, sm_count / 2});
      EXPECT_LE(static_cast<std::size_t>(plan.blocks) * sizeof(unsigned), kTicketBytes);
      EXPECT_EQ(plan.blocks % plan.cluster, 0);
      EXPECT_GE(plan.workspace_bytes, kTicketBytes);
    }
  }
}

TEST(CudaPlan, NeedsTheSameWorkspaceForAnyBatchOfShortQueries) {
  const std::size_t bytes = make_plan(batch(40, 1, 9000, 32, 4), kH200).workspace_bytes;
  EXPECT_EQ(make_plan(batch(900, 1, 131072, 64, 8), kH200).workspace_bytes, bytes);
  EXPECT_LE(bytes, std::size_t{8} << 20U);
}

TEST(CudaPlan, GivesManySequencesOfFewKeysAWarpForEachUnit) {
  const Plan plan = make_plan(batch(1000, 1, 64, 32, 4), kH200);
  EXPECT_EQ(plan.team, 0);
  EXPECT_EQ(plan.warps, 1);
  EXPECT_EQ(plan.splits, 1);
  EXPECT_EQ(plan.blocks, 4000);
  EXPECT_GT(make_plan(batch(100, 1, 64, 32, 4), kH200).team, 0);
}

TEST(CudaPlan, SplitsLongQueriesOverTheDevice) {
  const Plan plan = make_plan(batch(1, 65, 32768, 32, 4), kH200);
  EXPECT_EQ(plan.team, 0);
  EXPECT_GE(plan.blocks, kH200.sm_count);
  EXPECT_EQ(plan.split_keys % kSplitStep, 0);
  EXPECT_GE(plan.split_keys * plan.splits, 32768);
  EXPECT_LT(plan.split_keys * (plan.splits - 1), 32768);
}

TEST(CudaPlan, NeedsNoWorkspaceForLargePrefills) {
  EXPECT_EQ(make_plan(batch(1, 16384, 16384, 32, 4), kH200).workspace_bytes, 0U);
}

TEST(CudaPlan, CanDoWithoutAWorkspace) {
  for (const int q_len : {1, 65}) {
    const Arguments a = batch(1, q_len, 32768, 32, 4);
    const Plan plan = without_workspace(make_plan(a, kH200), a);
    EXPECT_EQ(plan.splits, 1);
    EXPECT_EQ(plan.workspace_bytes, 0U);
    EXPECT_GE(plan.blocks, 4);
  }
}

TEST(CudaPlan, BoundsTheWorkspaceAndTheGridOfHugeBatches) {
  for (const int num_seqs : {65535, 65536, 1000000}) {
    const Plan plan = make_plan(batch(num_seqs, 1, 131072, 64, 8), kH200);
    EXPECT_LE(plan.workspace_bytes, std::size_t{128} << 20U);
    EXPECT_LE(plan.blocks, 0x7FFFFFFF);
  }
}

TEST(CudaPlan, CountsTheKeyTilesOfShortQueriesIn31Bits) {
  EXPECT_TRUE(short_line(batch(1024, 1, 131072, 64, 8)));
  EXPECT_FALSE(short_line(batch(1000000, 1, 131072, 64, 8)));
  EXPECT_EQ(make_plan(batch(1000000, 1, 131072, 64, 8), kH200).team, 0);
}

TEST(CudaPlan, HandlesContextsOfNoKeys) {
  const Plan plan = make_plan(batch(3, 1, 0, 8, 8), kH200);
  EXPECT_EQ(plan.splits, 1);
  EXPECT_GT(plan.blocks, 0);
}

TEST(CudaPlan, HandlesLongQueriesOfNoKeys) {
  const Plan plan = make_plan(batch(3, 130, 0, 8, 2), kH200);
  EXPECT_EQ(plan.team, 0);
  EXPECT_EQ(plan.splits, 1);
  EXPECT_GT(plan.split_keys, 0);
  EXPECT_GE(plan.blocks, 3 * 2);
}

TEST(CudaPlan, HandlesMoreSequencesThanQueryTokens) {
  Arguments a = batch(5000, 1, 9000, 32, 4);
  for (const int tokens : {1, 3, 4999}) {
    a.total_q_tokens = a.max_q_len = tokens;
    const Plan plan = make_plan(a, kH200);
    EXPECT_GT(plan.blocks, 0);
    EXPECT_LE(plan.blocks, 0x7FFFFFFF);
    if (plan.team == 0) {
      EXPECT_GE(plan.slots, a.num_seqs);
      EXPECT_GE(plan.split_keys * plan.splits, 9000);
    }
  }
}

TEST(CudaPlan, HasASlotForEveryTileOfAnyLengths) {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    const int group = 1 + static_cast<int>(random() % 80);
    const int rows = random() % 2 == 0 ? kSmallRows : kLargeRows;
    std::int64_t token = 0;
    for (std::int64_t seq = 0; seq < 20; ++seq) {
      const auto q_len = static_cast<std::int64_t>(random() % (random() % 2 == 0 ? 3 : 300));
      const std::int64_t slots =
          first_slot(token + q_len, seq + 1, group, rows) - first_slot(token, seq, group, rows);
      ASSERT_GE(slots, ceil_div(q_len * group, rows));
      ASSERT_GE(slots, 1);  // so that first slots rise and can be searched
      token += q_len;
    }
  }
}

}  // namespace
}  // namespace fa2bench::shims::cuda
