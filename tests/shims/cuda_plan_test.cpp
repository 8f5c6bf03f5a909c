// SPDX-License-Identifier: MIT
// The CUDA shim's launch plan, which is made on the host from the arguments alone.
#include "shims/cuda/plan.hpp"

#include <gtest/gtest.h>

#include <random>

namespace fa2bench::shims::cuda {
namespace {

constexpr int kSmCount = 132;

Arguments batch(int num_seqs, int q_len, int kv_len, int num_heads, int num_kv_heads) {
  Arguments a = {};
  a.num_seqs = num_seqs;
  a.total_q_tokens = num_seqs * q_len;
  a.max_q_len = q_len;
  a.max_kv_len = kv_len;
  a.num_heads = num_heads;
  a.num_kv_heads = num_kv_heads;
  a.head_dim = 128;
  a.block_size = 16;
  return a;
}

TEST(CudaPlan, GivesEachSequenceOfAnEvenDecodeOneSmallTile) {
  const Plan plan = make_plan(batch(32, 1, 4096, 32, 4), kSmCount);
  EXPECT_FALSE(plan.large);
  EXPECT_EQ(plan.tiles_per_seq, 1);
  EXPECT_EQ(plan.slots, 32);
}

TEST(CudaPlan, SplitsALongContextOverTheDevice) {
  const Plan plan = make_plan(batch(1, 1, 32768, 32, 4), kSmCount);
  EXPECT_GE(plan.blocks, kSmCount);
  EXPECT_EQ(plan.split_keys % kSplitStep, 0);
  EXPECT_GE(plan.split_keys * plan.splits, 32768);
  EXPECT_LT(plan.split_keys * (plan.splits - 1), 32768);
}

TEST(CudaPlan, NeedsNoWorkspaceForShortContextsAndForLargePrefills) {
  EXPECT_EQ(make_plan(batch(32, 1, 256, 32, 4), kSmCount).workspace_bytes, 0U);
  EXPECT_EQ(make_plan(batch(1, 16384, 16384, 32, 4), kSmCount).workspace_bytes, 0U);
}

TEST(CudaPlan, CanDoWithoutAWorkspace) {
  const Arguments a = batch(1, 1, 32768, 32, 4);
  const Plan plan = with_splits(make_plan(a, kSmCount), a, 1);
  EXPECT_EQ(plan.splits, 1);
  EXPECT_EQ(plan.workspace_bytes, 0U);
  EXPECT_EQ(plan.blocks, plan.slots * 4);
}

TEST(CudaPlan, BoundsTheWorkspaceAndTheGridOfHugeBatches) {
  for (const int num_seqs : {65535, 65536, 1000000}) {
    const Plan plan = make_plan(batch(num_seqs, 1, 131072, 64, 8), kSmCount);
    EXPECT_LE(plan.workspace_bytes, std::size_t{128} << 20U);
    EXPECT_LE(plan.blocks, 0x7FFFFFFF);
    EXPECT_GE(plan.slots, num_seqs);
  }
}

TEST(CudaPlan, HandlesContextsOfNoKeys) {
  const Plan plan = make_plan(batch(3, 1, 0, 8, 8), kSmCount);
  EXPECT_EQ(plan.splits, 1);
  EXPECT_GT(plan.split_keys, 0);
}

TEST(CudaPlan, HandlesLargeTilesOfNoKeys) {
  const Plan plan = make_plan(batch(3, 130, 0, 8, 2), kSmCount);
  EXPECT_TRUE(plan.large);
  EXPECT_EQ(plan.splits, 1);
  EXPECT_GT(plan.split_keys, 0);
  EXPECT_GE(plan.blocks, 3 * 2);
}

TEST(CudaPlan, HandlesMoreSequencesThanQueryTokens) {
  Arguments a = batch(5000, 1, 9000, 32, 4);
  for (const int tokens : {1, 3, 4999}) {
    a.total_q_tokens = a.max_q_len = tokens;
    const Plan plan = make_plan(a, kSmCount);
    EXPECT_GE(plan.slots, a.num_seqs);
    EXPECT_GE(plan.blocks, plan.slots * 4);
    EXPECT_LE(plan.blocks, 0x7FFFFFFF);
    EXPECT_GE(plan.split_keys * plan.splits, 9000);
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
