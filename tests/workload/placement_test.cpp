// SPDX-License-Identifier: MIT
#include "workload/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "workload/block_table.hpp"
#include "workload/config_text.hpp"

namespace fa2bench {
namespace {

using Ids = std::vector<std::int32_t>;

/// Entries of three sequences of 3, 1 and 2 blocks in a row of 3.
Ids entries_of(const std::string& table, std::uint32_t trial = 0) {
  return build_block_table(
             read_one(R"({"batch": "q1s40_q1s5_q1s17", "block_table": {"width": 3, )" + table +
                      "}}"),
             trial)
      .entries;
}

/// Physical ids of 64 sequences of 64 blocks, in logical order.
Ids order_of(const std::string& layout, std::uint32_t trial = 0, const char* seed = "1") {
  return build_block_table(
             read_one(R"({"batch": "64q1s1k", "seed": )" + std::string(seed) +
                      R"(, "block_table": {"width": 64, "layout": ")" + layout + "\"}}"),
             trial)
      .entries;
}

/// Share of neighbours in logical order that are neighbours in the pool.
double adjacency(const Ids& order) {
  double adjacent = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    adjacent += std::abs(order[i] - order[i - 1]) == 1 ? 1 : 0;
  }
  return adjacent / static_cast<double>(order.size() - 1);
}

TEST(Placement, ContiguousAscendsSequenceBySequence) {
  EXPECT_EQ(entries_of(R"("layout": "contiguous")"), (Ids{0, 1, 2, 3, -1, -1, 4, 5, -1}));
  EXPECT_EQ(entries_of(R"("layout": "contiguous", "first_block": 70)"),
            (Ids{70, 71, 72, 73, -1, -1, 74, 75, -1}));
}

TEST(Placement, ReversedDescendsFromThePoolsEnd) {
  EXPECT_EQ(entries_of(R"("layout": "reversed", "pool_blocks": 10)"),
            (Ids{9, 8, 7, 6, -1, -1, 5, 4, -1}));
}

TEST(Placement, InterleavedGrowsAllSequencesTogether) {
  EXPECT_EQ(entries_of(R"("layout": "interleaved")"), (Ids{0, 3, 5, 1, -1, -1, 2, 4, -1}));
}

TEST(Placement, InterleavedPlacesAPrefixOnce) {
  const Workload w = read_one(
      R"({"batch": "4q1s40", "shared_prefix": {"tokens": 16, "groups": 2},
          "block_table": {"layout": "interleaved", "width": 3}})");
  EXPECT_EQ(build_block_table(w).entries, (Ids{0, 2, 6, 0, 3, 7, 1, 4, 8, 1, 5, 9}));
}

TEST(Placement, ShuffledIsAPermutationWithGapsAndWithoutOrder) {
  const Ids order = order_of("shuffled");
  EXPECT_EQ(std::set<std::int32_t>(order.begin(), order.end()).size(), order.size());
  EXPECT_GT(*std::max_element(order.begin(), order.end()), 4096);
  EXPECT_LT(adjacency(order), 0.01);
}

TEST(Placement, AgedLiesBetweenOrderAndShuffle) {
  const Ids order = order_of("aged");
  EXPECT_EQ(std::set<std::int32_t>(order.begin(), order.end()).size(), order.size());
  EXPECT_GT(adjacency(order), 0.1);
  EXPECT_LT(adjacency(order), 0.99);
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
}

TEST(Placement, RandomLayoutsRepeatAndChangeWithSeedAndTrial) {
  for (const char* layout : {"shuffled", "aged"}) {
    EXPECT_EQ(order_of(layout), order_of(layout)) << layout;
    EXPECT_NE(order_of(layout), order_of(layout, 1)) << layout;
    EXPECT_NE(order_of(layout, 1), order_of(layout, 2)) << layout;
    EXPECT_NE(order_of(layout), order_of(layout, 0, "2")) << layout;
  }
}

TEST(Placement, OtherLayoutsAreTheSameInEveryTrial) {
  for (const char* layout : {"contiguous", "reversed", "interleaved"}) {
    EXPECT_EQ(order_of(layout), order_of(layout, 1)) << layout;
    EXPECT_EQ(order_of(layout), order_of(layout, 0, "2")) << layout;
  }
}

TEST(Placement, AgedWorksInAPoolThatIsFull) {
  const Workload w =
      read_one(R"({"batch": "3q1s100", "block_table": {"layout": "aged", "pool_blocks": 21}})");
  const BlockTable table = build_block_table(w);
  EXPECT_EQ(std::count(table.content.begin(), table.content.end(), kUnusedBlock), 0);
  const Workload one = read_one(
      R"({"batch": "q1", "block_table": {"layout": "aged", "pool_blocks": 1, "width": 1}})");
  EXPECT_EQ(build_block_table(one).entries, Ids{0});
}

}  // namespace
}  // namespace fa2bench
