// SPDX-License-Identifier: MIT
// The CUDA shim's launch plan for prefill on Hopper, made on the host from the arguments alone.
#include "shims/cuda/hopper_plan.hpp"

#include <gtest/gtest.h>

#include <random>

#include "shims/plan_batch.hpp"

namespace fa2bench::shims::cuda {
namespace {

constexpr int kSmCount = 132;

Arguments changed(Arguments a, void (*change)(Arguments&)) {
  change(a);
  return a;
}

TEST(HopperPlan, FitsAPrefillOfTheShapesItHasCodeFor) {
  const Arguments a = batch(1, 4096, 4096, 32, 4);
  EXPECT_TRUE(fits_hopper_prefill(a, 9, 0));
  EXPECT_FALSE(fits_hopper_prefill(a, 8, 0));
  EXPECT_FALSE(fits_hopper_prefill(a, 10, 0));
  EXPECT_TRUE(fits_hopper_prefill(changed(a, [](Arguments& c) { c.block_size = 256; }), 9, 0));
  EXPECT_FALSE(fits_hopper_prefill(changed(a, [](Arguments& c) { c.block_size = 8; }), 9, 0));
  EXPECT_FALSE(fits_hopper_prefill(changed(a, [](Arguments& c) { c.block_size = 48; }), 9, 0));
  EXPECT_FALSE(fits_hopper_prefill(changed(a, [](Arguments& c) { c.head_dim = 64; }), 9, 0));
  EXPECT_FALSE(fits_hopper_prefill(batch(1, 4096, 4096, 256, 1), 9, 0));
  EXPECT_FALSE(fits_hopper_prefill(batch(32, 1, 4096, 32, 4), 9, 0));
}

TEST(HopperPlan, FitsAFewTokensWhoseRowsNeedFourWarpsElsewhere) {
  EXPECT_TRUE(fits_hopper_prefill(batch(1, 8, 31744, 32, 4), 9, 0));
  EXPECT_TRUE(fits_hopper_prefill(batch(1, 5, 31744, 32, 4), 9, 0));
  EXPECT_FALSE(fits_hopper_prefill(batch(1, 4, 31744, 32, 4), 9, 0));
}

TEST(HopperPlan, DoesNotFitWhatTheCopyEngineCannotAddress) {
  Arguments a = batch(1, 4096, 4096, 32, 4);
  alignas(16) static const unsigned char bytes[32] = {};
  a.k = bytes;
  EXPECT_TRUE(fits_hopper_prefill(a, 9, 0));
  a.k = bytes + 2;
  EXPECT_FALSE(fits_hopper_prefill(a, 9, 0));
}

TEST(HopperPlan, DoesNotFitPositionsOrTilesBeyondAnInt) {
  EXPECT_FALSE(fits_hopper_prefill(batch(1, 4096, 2147483647, 32, 4), 9, 0));
  EXPECT_FALSE(fits_hopper_prefill(batch(2000000, 1000, 1000, 128, 1), 9, 0));
}

TEST(HopperPlan, TilesHaveWholeTokensOfAGroup) {
  EXPECT_EQ(make_hopper_plan(batch(1, 4096, 4096, 32, 4), kSmCount).tokens_per_tile, 16);
  EXPECT_EQ(make_hopper_plan(batch(1, 4096, 4096, 28, 4), kSmCount).tokens_per_tile, 18);
  EXPECT_EQ(make_hopper_plan(batch(1, 4096, 4096, 8, 8), kSmCount).tokens_per_tile, 128);
  EXPECT_EQ(make_hopper_plan(batch(1, 4096, 4096, 128, 1), kSmCount).tokens_per_tile, 1);
}

TEST(HopperPlan, SharesTilesOutWhereTheirWorkIsKnownOrSmall) {
  EXPECT_EQ(make_hopper_plan(batch(1, 4096, 4096, 32, 4), kSmCount).grid, kSmCount);
  EXPECT_EQ(make_hopper_plan(batch(4, 512, 512, 32, 4), kSmCount).grid, kSmCount);
  EXPECT_EQ(make_hopper_plan(batch(1, 16, 128, 32, 4), kSmCount).grid, 4);
  const HopperPlan unlike = make_hopper_plan(batch(4, 512, 4096, 32, 4), kSmCount);
  EXPECT_EQ(unlike.grid, unlike.blocks);
}

TEST(HopperPlan, SplitsALongContextThatFewQueryTokensSee) {
  const HopperPlan plan = make_hopper_plan(batch(1, 128, 32768, 32, 4), kSmCount);
  EXPECT_EQ(plan.splits, 4);
  EXPECT_EQ(plan.split_keys % kHopperKeys, 0);
  EXPECT_GE(std::int64_t{plan.split_keys} * plan.splits, 32768);
  EXPECT_EQ(plan.workspace_bytes, kHopperWorkspaceOffset + std::size_t{4} * 128 * 32 * 129 * 4);
}

TEST(HopperPlan, NeedsNoWorkspaceForLargePrefillsNorForShortContexts) {
  EXPECT_EQ(make_hopper_plan(batch(1, 16384, 16384, 32, 4), kSmCount).workspace_bytes, 0U);
  EXPECT_EQ(make_hopper_plan(batch(1, 16, 1024, 32, 4), kSmCount).workspace_bytes, 0U);
}

TEST(HopperPlan, CanDoWithoutAWorkspace) {
  const Arguments a = batch(1, 128, 32768, 32, 4);
  const HopperPlan plan = hopper_with_splits(make_hopper_plan(a, kSmCount), a, kSmCount, 1);
  EXPECT_EQ(plan.splits, 1);
  EXPECT_EQ(plan.workspace_bytes, 0U);
  EXPECT_EQ(plan.blocks, plan.slots * 4);
}

TEST(HopperPlan, HandlesContextsOfNoKeys) {
  const HopperPlan plan = make_hopper_plan(batch(3, 130, 0, 8, 2), kSmCount);
  EXPECT_EQ(plan.splits, 1);
  EXPECT_GT(plan.split_keys, 0);
  EXPECT_GE(plan.blocks, 3 * 2 * 5);
}

TEST(HopperPlan, HasASlotForEveryTileOfAnyLengths) {
  std::mt19937 random(5);
  for (int round = 0; round < 500; ++round) {
    const int tokens = 1 + static_cast<int>(random() % 128);
    int token = 0;
    for (int seq = 0; seq < 20; ++seq) {
      const auto q_len = static_cast<int>(random() % (random() % 2 == 0 ? 3 : 300));
      const std::int64_t slots =
          hopper_first_slot(token + q_len, seq + 1, tokens) - hopper_first_slot(token, seq, tokens);
      ASSERT_GE(slots, (q_len + tokens - 1) / tokens);
      ASSERT_GE(slots, 1);  // so that first slots rise and can be searched
      token += q_len;
    }
  }
}

}  // namespace
}  // namespace fa2bench::shims::cuda
