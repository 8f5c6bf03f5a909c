// SPDX-License-Identifier: MIT
#include "workload/plan.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/random.hpp"
#include "workload/block_table.hpp"
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

/// Any lengths, from 0 on, in every way of sharing blocks.
Workload any_lengths(CounterRng& rng) {
  const auto draw = [&](std::uint64_t most) {
    return static_cast<std::int32_t>(rng.below(most + 1));
  };
  Workload w;
  w.shape.num_heads = 6;
  w.shape.num_kv_heads = 2;
  w.prefix.tokens = rng.below(3) == 0 ? 16 * (1 + draw(2)) : 0;
  const std::uint64_t num_seqs = 1 + rng.below(7);
  w.prefix.groups = static_cast<std::int64_t>(1 + rng.below(num_seqs));
  for (std::uint64_t s = 0; s < num_seqs; ++s) {
    w.kv_lens.push_back(static_cast<std::int32_t>(w.prefix.tokens) + draw(2) * draw(35));
    w.q_lens.push_back(rng.below(3) == 0 ? 0 : draw(80));
  }
  if (w.prefix.tokens == 0 && rng.below(2) == 0) {
    w.table.layout = TableLayout::rows;
    for (const std::int32_t kv_len : w.kv_lens) {
      auto& row = w.table.rows.emplace_back();
      for (std::int32_t at = 0; at < kv_len; at += 16) row.push_back(draw(12));
    }
  }
  return w;
}

/// Counted token by token and key by key, on the table itself.
Cost counted_cost(const Workload& w) {
  const BlockTable table = build_block_table(w);
  const std::uint64_t slot = 2ULL * 2 * 128 * 2;       // K and V of 2 heads of 128 halves
  const std::uint64_t row = 6ULL * (2 * 128 * 2 + 4);  // q, out and lse of 6 heads
  Cost cost;
  std::set<std::int64_t> slots;
  std::uint64_t rows = 0;
  for (std::size_t s = 0; s < w.q_lens.size(); ++s) {
    std::set<std::int64_t> of_sequence;
    for (std::int32_t i = 0; i < w.q_lens[s]; ++i) {
      bool sees = false;
      for (std::int32_t j = 0; j < w.kv_lens[s]; ++j) {
        if (j > w.kv_lens[s] - w.q_lens[s] + i) continue;
        sees = true;
        ++cost.visible_pairs;
        of_sequence.insert(j);
        const auto entry = static_cast<std::int64_t>(s) * table.width + j / 16;
        slots.insert(table.entries[static_cast<std::size_t>(entry)] * 16LL + j % 16);
      }
      rows += sees ? 1 : 0;
    }
    cost.bytes_logical += Bytes{of_sequence.size() * slot};
  }
  cost.bytes_unique = Bytes{slots.size() * slot + rows * row};
  cost.bytes_logical += Bytes{rows * row};
  return cost;
}

TEST(Plan, CountsWhatTheMaskShowsForAnyLengths) {
  CounterRng rng(30, 1);
  for (int round = 0; round < 300; ++round) {
    const Workload w = any_lengths(rng);
    const Cost expected = counted_cost(w);
    const Plan plan = make_plan(w);
    ASSERT_EQ(plan.cost.visible_pairs, expected.visible_pairs) << round;
    ASSERT_EQ(plan.cost.flops, 4.0 * 6 * 128 * static_cast<double>(expected.visible_pairs))
        << round;
    ASSERT_EQ(plan.cost.bytes_unique.count, expected.bytes_unique.count) << round;
    ASSERT_EQ(plan.cost.bytes_logical.count, expected.bytes_logical.count) << round;
  }
}

TEST(Plan, CountsEmptyRows) {
  const Plan plan = plan_of(R"({"batch": "q8s3_q64s1_q5s5_q3s2_q1s0_q0s9_q0",
                                "allow_empty_rows": true})");
  EXPECT_EQ(plan.empty_rows, 5 + 63 + 1 + 1);
  EXPECT_EQ(plan.total_q_tokens, 81);
  EXPECT_EQ(plan.total_kv_tokens, 20);
  EXPECT_EQ(plan.cost.visible_pairs, 6U + 1 + 15 + 3);
}

TEST(Plan, OfABatchWithNothingToDoCostsNothing) {
  for (const char* batch : {"3q0", "2q0s40", "q5s0_q1s0"}) {
    const Plan plan =
        plan_of(std::string(R"({"allow_empty_rows": true, "batch": ")") + batch + "\"}");
    EXPECT_EQ(plan.cost.flops, 0.0) << batch;
    EXPECT_EQ(plan.cost.bytes_unique.count, 0U) << batch;
    EXPECT_EQ(plan.cost.bytes_logical.count, 0U) << batch;
    EXPECT_EQ(nothing_to_do(plan), plan.total_q_tokens == 0) << batch;
    EXPECT_GT(plan.num_blocks, 0) << batch;
    EXPECT_GT(plan.max_blocks_per_seq, 0) << batch;
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
