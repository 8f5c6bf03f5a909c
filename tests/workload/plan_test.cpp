// SPDX-License-Identifier: MIT
#include "workload/plan.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "workload/config_text.hpp"

namespace fa2bench {
namespace {

Plan plan_of(const std::string& workload) { return make_plan(read_one(workload)); }

TEST(Plan, CountsADecodeBatch) {
  const Plan plan = plan_of(R"({"model": "qwen3-30b-a3b", "batch": "32q1s4k"})");
  EXPECT_EQ(plan.num_seqs, 32);
  EXPECT_EQ(plan.total_q_tokens, 32);
  EXPECT_EQ(plan.total_kv_tokens, 131072);
  EXPECT_EQ(plan.max_q_len, 1);
  EXPECT_EQ(plan.max_kv_len, 4096);
  EXPECT_EQ(plan.max_blocks_per_seq, 258);
  EXPECT_EQ(plan.live_blocks, 8192);
  EXPECT_EQ(plan.num_blocks, 10240);
  EXPECT_EQ(plan.cost.visible_pairs, 131072U);
  EXPECT_EQ(plan.cost.flops, 4.0 * 32 * 128 * 131072);
  // K and V of 4 heads of 128 halves; q and out of 32 heads; lse.
  EXPECT_EQ(plan.cost.bytes_unique.count, 131072ULL * 2048 + 2ULL * 32 * 8192 + 32ULL * 32 * 4);
  EXPECT_EQ(plan.cost.bytes_logical, plan.cost.bytes_unique);
  EXPECT_EQ(plan.memory.k_pool.count, 10240ULL * 16 * 4 * 128 * 2);
  EXPECT_EQ(plan.memory.q.count, 32ULL * 32 * 128 * 2);
  EXPECT_EQ(plan.memory.lse.count, 32ULL * 32 * 4);
  EXPECT_EQ(plan.memory.tables.count, (33ULL + 32 + 32ULL * 258) * 4);
  EXPECT_EQ(plan.memory.host.count, (plan.memory.tables.count + 10240ULL * 6) * 2);
}

TEST(Plan, CountsVisiblePairsAsTheMaskShowsThem) {
  CounterRng rng(30, 1);
  for (int round = 0; round < 40; ++round) {
    Workload w;
    w.shape.num_heads = 2;
    w.shape.num_kv_heads = 1;
    std::uint64_t pairs = 0;
    for (std::uint32_t s = 0; s < 1 + rng.below(5); ++s) {
      const auto kv = static_cast<std::int32_t>(1 + rng.below(70));
      const auto q = static_cast<std::int32_t>(1 + rng.below(static_cast<std::uint64_t>(kv)));
      w.kv_lens.push_back(kv);
      w.q_lens.push_back(q);
      for (std::int32_t i = 0; i < q; ++i) {
        for (std::int32_t j = 0; j < kv; ++j) pairs += j <= kv - q + i ? 1 : 0;
      }
    }
    EXPECT_EQ(make_plan(w).cost.visible_pairs, pairs);
  }
}

TEST(Plan, CountsASharedPrefixOnceAndLogically) {
  const Plan apart = plan_of(R"({"batch": "6q1s40"})");
  const Plan shared =
      plan_of(R"({"batch": "6q1s40", "shared_prefix": {"tokens": 32, "groups": 2}})");
  const std::uint64_t slot = 2ULL * 2 * 128 * 2;
  EXPECT_EQ(shared.live_blocks, 6 * 3 - 4 * 2);
  EXPECT_EQ(shared.cost.bytes_unique.count, apart.cost.bytes_unique.count - 4ULL * 32 * slot);
  EXPECT_EQ(shared.cost.bytes_logical, apart.cost.bytes_logical);
  EXPECT_EQ(shared.cost.flops, apart.cost.flops);
}

TEST(Plan, CountsRowsByBlock) {
  const Plan plan =
      plan_of(R"({"batch": "q1s25_q1s18", "block_table": {"rows": [[7, 5], [11, 5]]}})");
  EXPECT_EQ(plan.live_blocks, 3);
  EXPECT_EQ(plan.num_blocks, 12 + 8);
  EXPECT_EQ(plan.max_blocks_per_seq, 4);
  const std::uint64_t slot = 2ULL * 2 * 128 * 2;
  EXPECT_EQ(plan.cost.bytes_logical.count - plan.cost.bytes_unique.count,
            (43 - (16 + 16 + 9)) * slot);
}

TEST(Plan, PassesStatedMaxima) {
  const Plan plan = plan_of(R"({"batch": "q3s9", "max_q_len": 12, "max_kv_len": 36})");
  EXPECT_EQ(plan.max_q_len, 12);
  EXPECT_EQ(plan.max_kv_len, 36);
  EXPECT_EQ(plan.cost.visible_pairs, 7U + 8 + 9);
}

TEST(Plan, AddsRoomForFirstBlockAndAtLeastEightMore) {
  EXPECT_EQ(plan_of(R"({"batch": "q1s64"})").num_blocks, 4 + 8);
  EXPECT_EQ(plan_of(R"({"batch": "100q1s64"})").num_blocks, 400 + 100);
  EXPECT_EQ(plan_of(R"({"batch": "q1s64", "block_table": {"first_block": 1000}})").num_blocks,
            1000 + 4 + 8);
}

TEST(Plan, Uses64BitsThroughout) {
  const Plan plan = plan_of(
      R"({"num_heads": 1024, "num_kv_heads": 1024, "head_dim": 512, "block_size": 1024,
          "batch": "8q1s16384k", "block_table": {"pool_blocks": 2147483647}})");
  EXPECT_EQ(plan.memory.k_pool.count, 2147483647ULL << 30U);
  EXPECT_EQ(plan.cost.bytes_logical.count,
            (1ULL << 27U) * (1ULL << 21U) + 16 * (1ULL << 20U) + 32768);
  const Plan prefill = plan_of(R"({"model": "llama-3.1-8b", "batch": "127q16384k"})");
  EXPECT_EQ(prefill.cost.visible_pairs, 127ULL * (16777216ULL * 16777217ULL / 2));
  EXPECT_EQ(prefill.memory.q.count, 127ULL * 16777216 * 32 * 128 * 2);
}

}  // namespace
}  // namespace fa2bench
