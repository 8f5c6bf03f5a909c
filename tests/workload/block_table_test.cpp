// SPDX-License-Identifier: MIT
#include "workload/block_table.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "base/random.hpp"
#include "workload/config_text.hpp"
#include "workload/plan.hpp"
#include "workload/table_checker.hpp"

namespace fa2bench {
namespace {

using Ids = std::vector<std::int32_t>;

/// A small valid workload; everything but layout and policy is random.
Workload random_workload(CounterRng& rng) {
  constexpr int kBlockSizes[] = {1, 16, 16, 64};
  const auto draw = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(high - low + 1)));
  };
  Workload w;
  w.shape.num_heads = 4;
  w.shape.num_kv_heads = 2;
  w.shape.block_size = kBlockSizes[rng.below(4)];
  w.seed = rng();
  const std::int64_t num_seqs = draw(1, 9);
  const std::int64_t prefix_blocks = draw(0, 1) * draw(1, 3);
  w.prefix.tokens = prefix_blocks * w.shape.block_size;
  w.prefix.groups = draw(1, num_seqs);
  for (std::int64_t s = 0; s < num_seqs; ++s) {
    const std::int64_t kv = w.prefix.tokens + draw(w.prefix.tokens > 0 ? 0 : 1, 200);
    w.kv_lens.push_back(static_cast<std::int32_t>(kv));
    w.q_lens.push_back(static_cast<std::int32_t>(draw(1, kv)));
  }
  w.table.first_block = draw(0, 1) * draw(1, 50);
  if (draw(0, 1) == 1) w.table.width = make_plan(w).max_blocks_per_seq + draw(-2, 30);
  const std::int64_t live = make_plan(w).live_blocks;
  if (draw(0, 1) == 1) w.table.pool_blocks = w.table.first_block + live + draw(1, 20);
  return w;
}

TEST(BlockTable, KeepsItsLawsForEveryLayoutAndPolicy) {
  CounterRng rng(20, 1);
  for (int round = 0; round < 60; ++round) {
    Workload w = random_workload(rng);
    for (std::size_t layout = 0; layout < 5; ++layout) {
      for (std::size_t unused = 0; unused < kUnusedEntriesNames.size(); ++unused) {
        for (const std::uint32_t trial : {0U, 1U}) {
          w.table.layout = static_cast<TableLayout>(layout);
          w.table.unused = static_cast<UnusedEntries>(unused);
          const BlockTable table = build_block_table(w, trial);
          for (const BlockTable& each : {table, on_other_pages(w, table)}) {
            ASSERT_EQ(broken_law(w, each), "")
                << "round " << round << " " << to_text(w.table.layout) << " "
                << to_text(w.table.unused) << " trial " << trial;
          }
        }
      }
    }
  }
}

TEST(BlockTable, AgreesWithThePlan) {
  CounterRng rng(21, 1);
  for (int round = 0; round < 60; ++round) {
    const Workload w = random_workload(rng);
    const BlockTable table = build_block_table(w);
    const Plan plan = make_plan(w);
    EXPECT_EQ(plan.num_blocks, table.num_blocks);
    EXPECT_EQ(plan.max_blocks_per_seq, table.width);
    EXPECT_EQ(plan.live_blocks,
              std::count_if(table.content.begin(), table.content.end(),
                            [](std::uint32_t content) { return content != kUnusedBlock; }));
    const auto slots =
        std::accumulate(table.live_slots.begin(), table.live_slots.end(), std::uint64_t{0});
    const std::uint64_t slot_bytes = 2ULL * 2 * 2 * 128;  // K and V, 2 heads, 128 halves
    const Bytes q_out_lse = plan.memory.q * 2 + plan.memory.lse;
    EXPECT_EQ(plan.cost.bytes_unique.count, slots * slot_bytes + q_out_lse.count);
  }
}

TEST(BlockTable, GivesEverySequenceTheSameContentsInEveryLayout) {
  CounterRng rng(22, 1);
  for (int round = 0; round < 20; ++round) {
    Workload w = random_workload(rng);
    std::vector<std::vector<std::uint32_t>> contents;
    for (std::size_t layout = 0; layout < 5; ++layout) {
      w.table.layout = static_cast<TableLayout>(layout);
      const BlockTable table = build_block_table(w, static_cast<std::uint32_t>(layout));
      auto& list = contents.emplace_back();
      for (std::size_t s = 0; s < w.kv_lens.size(); ++s) {
        for (std::int32_t at = 0; at < w.kv_lens[s]; at += w.shape.block_size) {
          const auto column = static_cast<std::size_t>(at / w.shape.block_size);
          const auto id = table.entries[s * static_cast<std::size_t>(table.width) + column];
          list.push_back(table.content[static_cast<std::size_t>(id)]);
        }
      }
      EXPECT_EQ(list, contents.front());
    }
  }
}

TEST(BlockTable, HoldsTheSameOnOtherPages) {
  const Workload w = read_one(
      R"({"batch": "3q1s500_q5s77", "block_table": {"layout": "contiguous", "first_block": 9}})");
  const BlockTable table = build_block_table(w);
  const BlockTable other = on_other_pages(w, table);
  const std::size_t live = 4 * 32 - 27;  // a row of 32 for the first three, 5 in the last
  std::size_t moved = 0;
  for (std::size_t i = 0; i < table.entries.size(); ++i) {
    if (table.entries[i] < 0) {
      EXPECT_EQ(other.entries[i], table.entries[i]);
      continue;
    }
    const auto from = static_cast<std::size_t>(table.entries[i]);
    const auto to = static_cast<std::size_t>(other.entries[i]);
    EXPECT_EQ(other.content[to], table.content[from]);
    EXPECT_EQ(other.live_slots[to], table.live_slots[from]);
    moved += from != to ? 1 : 0;
  }
  EXPECT_GT(moved, live * 9 / 10);
  for (std::size_t page = 0; page < 9; ++page) EXPECT_EQ(other.content[page], kUnusedBlock);
}

TEST(BlockTable, OnOtherPagesKeepsWhatRowsOfAConfigRepeat) {
  const Workload w = read_one(
      R"({"batch": "q2s90_q1s25_q1s18",
          "block_table": {"rows": [[7, 3, 0, 9, 4, 7, -5], [7, 5], [11, 5]], "width": 8, "pool_blocks": 16}})");
  const std::vector<std::int32_t>& ids = on_other_pages(w, build_block_table(w)).entries;
  EXPECT_EQ(ids[0], ids[5]);
  EXPECT_EQ(ids[0], ids[8]);
  EXPECT_EQ(ids[9], ids[17]);
  EXPECT_EQ(ids[6], -5);
  EXPECT_NE(ids[0], 7);
}

// The checker itself: a table with one fault is not lawful.
TEST(BlockTable, IsCheckedByACheckerThatSeesFaults) {
  const Workload w = read_one(R"({"batch": "q1s40_q1s33", "block_table": {"width": 5}})");
  const BlockTable good = build_block_table(w);
  ASSERT_EQ(broken_law(w, good), "");
  const auto after = [&](auto&& damage) {
    BlockTable table = good;
    damage(table);
    return broken_law(w, table);
  };
  EXPECT_NE(after([](BlockTable& t) { t.entries[1] = t.entries[0]; }), "");
  EXPECT_NE(after([](BlockTable& t) { t.entries[5] = t.entries[0]; }), "");
  EXPECT_NE(after([](BlockTable& t) { t.entries[0] = static_cast<std::int32_t>(t.num_blocks); }),
            "");
  EXPECT_NE(after([](BlockTable& t) { t.entries[3] = 0; }), "");
  EXPECT_NE(after([](BlockTable& t) { std::swap(t.entries[0], t.entries[1]); }), "");
  EXPECT_NE(after([](BlockTable& t) { ++t.live_slots[static_cast<std::size_t>(t.entries[2])]; }),
            "");
  EXPECT_NE(after([](BlockTable& t) { t.content[static_cast<std::size_t>(t.entries[0])] = 9; }),
            "");
}

TEST(BlockTable, TakesRowsAsTheyAre) {
  const Workload w = read_one(
      R"({"batch": "q2s90_q1s25_q1s18",
          "block_table": {"rows": [[7, 3, 0, 9, 4, 7, -5], [7, 5], [11, 5]], "width": 8, "pool_blocks": 16}})");
  const BlockTable table = build_block_table(w);
  EXPECT_EQ(broken_law(w, table), "");
  EXPECT_EQ(table.entries, (Ids{7,  3,  0,  9,  4,  7, -5, -1, 7,  5,  -1, -1,
                                -1, -1, -1, -1, 11, 5, -1, -1, -1, -1, -1, -1}));
  EXPECT_EQ(table.content[7], 0U);
  EXPECT_EQ(table.content[5], 5U);
  EXPECT_EQ(table.content[11], 6U);
  EXPECT_EQ(table.live_slots[7], 16);  // full at column 0, 10 at column 5
  EXPECT_EQ(table.live_slots[5], 9);   // 9 of one sequence, 2 of the other
}

TEST(BlockTable, SharesAPrefixInGroupsAsEvenAsPossible) {
  const Workload w = read_one(
      R"({"batch": "5q1s40", "shared_prefix": {"tokens": 32, "groups": 2},
          "block_table": {"layout": "contiguous", "width": 3}})");
  EXPECT_EQ(build_block_table(w).entries, (Ids{0, 1, 2, 0, 1, 3, 4, 5, 6, 4, 5, 7, 4, 5, 8}));
}

TEST(BlockTable, UsesItsOwnBlockWhereASequenceIsAlone) {
  const Workload w = read_one(
      R"({"batch": "q1s16", "block_table": {"layout": "contiguous", "unused": "live_block"}})");
  EXPECT_EQ(build_block_table(w).entries, (Ids{0, 0, 0}));
}

TEST(BlockTable, DrawsOtherUnusedIdsInAnotherTrial) {
  const Workload w = read_one(
      R"({"batch": "2q1s16", "block_table": {"layout": "contiguous", "unused": "poison_block", "width": 40}})");
  const Ids first = build_block_table(w, 0).entries;
  EXPECT_EQ(first, build_block_table(w, 0).entries);
  EXPECT_NE(first, build_block_table(w, 1).entries);
}

}  // namespace
}  // namespace fa2bench
