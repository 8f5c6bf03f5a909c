// SPDX-License-Identifier: MIT
// Workloads that a shipped config must have because a fault of the field shows in no other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "workload/block_table.hpp"
#include "workload/config_text.hpp"
#include "workload/plan.hpp"

namespace fa2bench {
namespace {

/// The workloads of a file that hold, by name.
template <typename Predicate>
std::vector<std::string> those(const char* file, Predicate holds) {
  std::vector<std::string> names;
  for (const auto& [name, workload] : shipped(file)) {
    if (holds(workload, make_plan(workload))) names.push_back(name);
  }
  return names;
}

// Case 4: every policy for unused entries, in rows far wider than what is live.
TEST(ShippedCases, EdgeHasEveryPolicyInRowsOf512ColumnsWithFourLive) {
  std::set<UnusedEntries> policies;
  those("edge.json", [&](const Workload& workload, const Plan& plan) {
    const bool wide = plan.max_blocks_per_seq == 512 && plan.max_kv_len == 64 && plan.num_seqs > 1;
    if (wide) policies.insert(workload.table.unused);
    return wide;
  });
  EXPECT_EQ(policies.size(), kUnusedEntriesNames.size());
}

// Case 23: a row stride that is one column, exact, one too many, and far too many.
TEST(ShippedCases, EdgeHasRowsOfEveryWidth) {
  std::set<std::int64_t> spare;
  bool one_column = false;
  those("edge.json", [&](const Workload&, const Plan& plan) {
    if (plan.num_seqs < 2) return false;  // with one row every stride is right
    spare.insert(plan.max_blocks_per_seq - (plan.max_kv_len + 15) / 16);
    one_column = one_column || plan.max_blocks_per_seq == 1;
    return true;
  });
  EXPECT_TRUE(one_column);
  EXPECT_THAT(spare, testing::IsSupersetOf({0, 1, 4092}));
}

// Case 14: what a grid of 65535 blocks does not hold.
TEST(ShippedCases, EdgeHasBatchesPastAGridOf65535) {
  const auto past = [](const Workload& workload, const Plan& plan) {
    return plan.num_seqs * workload.shape.num_heads > 65535;
  };
  EXPECT_THAT(those("edge.json", past),
              testing::UnorderedElementsAre(
                  "decode 65535 sequences", "decode 65536 sequences of 1 ... 16",
                  "65536 sequences, one with q = 2", "2048 sequences x 32 heads",
                  "65536 sequences, a quarter without keys, a quarter without tokens"));
  const auto workloads = shipped("edge.json");
  EXPECT_EQ(make_plan(workloads.at("decode 65535 sequences")).num_seqs, 65535);
  const Workload& all_lengths = workloads.at("decode 65536 sequences of 1 ... 16");
  EXPECT_EQ(all_lengths.kv_lens.size(), 65536U);
  EXPECT_EQ(std::set<std::int32_t>(all_lengths.kv_lens.begin(), all_lengths.kv_lens.end()).size(),
            16U);
  EXPECT_EQ(make_plan(workloads.at("65536 sequences, one with q = 2")).max_q_len, 2);
}

// Case 12: groups that are no power of two, and the one that a wrong mapping passes by luck.
TEST(ShippedCases, GqaHasEveryRatio) {
  std::set<std::pair<int, int>> decode;
  std::set<std::pair<int, int>> mixed;
  those("gqa.json", [&](const Workload& workload, const Plan& plan) {
    (plan.max_q_len == 1 ? decode : mixed)
        .emplace(workload.shape.num_heads, workload.shape.num_kv_heads);
    return true;
  });
  using Ratio = std::pair<int, int>;
  for (const auto& ratio : {Ratio{28, 4}, Ratio{40, 8}, Ratio{24, 8}, Ratio{14, 2}, Ratio{48, 6},
                            Ratio{5, 1}, Ratio{64, 8}, Ratio{32, 8}, Ratio{8, 8}}) {
    EXPECT_TRUE(decode.count(ratio) == 1 && mixed.count(ratio) == 1)
        << ratio.first << "/" << ratio.second;
  }
}

// Case 22: a long prefix that many share, and its bytes counted both ways.
TEST(ShippedCases, PrefixHas64SequencesThatShare128Blocks) {
  const Workload shared = shipped("prefix.json").at("decode 64 x 2560, 2048 shared by all");
  EXPECT_EQ(shared.kv_lens.size(), 64U);
  EXPECT_EQ(shared.prefix.tokens, 128 * 16);
  EXPECT_EQ(shared.prefix.groups, 1);
  const Plan plan = make_plan(shared);
  const Bytes block{2ULL * 2 * 16 * 8 * 128};  // K and V, 8 heads
  EXPECT_EQ(plan.cost.bytes_logical.count - plan.cost.bytes_unique.count,
            (block * (63 * 128)).count);
}

// Case 10: pools past 2^31 bytes, 2^31 elements and 2^32 elements, with every live block that high,
// and with other sequences where an offset that wraps round leads to.
TEST(ShippedCases, BigPoolHasLiveBlocksPastEveryLimit) {
  std::map<std::int64_t, int> all_high;
  std::map<std::int64_t, int> with_low;
  those("big_pool.json", [&](const Workload& workload, const Plan& plan) {
    EXPECT_EQ(workload.shape.num_kv_heads, 8);
    const BlockTable table = build_block_table(workload);
    const std::int64_t limit = plan.num_blocks - 16;
    bool low = false;
    for (std::int64_t id = 0; id < table.num_blocks; ++id) {
      const auto at = static_cast<std::size_t>(id);
      if (id < limit) low = low || table.content[at] != kUnusedBlock;
    }
    ++(low ? with_low : all_high)[limit];
    if (!low) return true;
    // What is read in place of a high block is live, and other data.
    for (std::int64_t id = limit; id < limit + 7; ++id) {
      const auto high = table.content[static_cast<std::size_t>(id)];
      const auto wrapped = table.content[static_cast<std::size_t>(id - limit)];
      EXPECT_NE(high, kUnusedBlock);
      EXPECT_NE(wrapped, kUnusedBlock);
      EXPECT_NE(high, wrapped);
    }
    return true;
  });
  const std::map<std::int64_t, int> one_each{{65536, 1}, {131072, 1}, {262144, 1}};
  EXPECT_EQ(all_high, one_each);
  EXPECT_EQ(with_low, one_each);
}

// Case 8: maxima that are not the batch's.
TEST(ShippedCases, EdgeStatesMaximaTooHigh) {
  const auto overstated = [](const Workload& workload, const Plan&) {
    return workload.stated_max_q_len.has_value() && workload.stated_max_kv_len.has_value();
  };
  ASSERT_EQ(those("edge.json", overstated).size(), 1U);
  const Workload workload = shipped("edge.json").at(those("edge.json", overstated).front());
  EXPECT_EQ(*workload.stated_max_q_len,
            4 * *std::max_element(workload.q_lens.begin(), workload.q_lens.end()));
  EXPECT_EQ(*workload.stated_max_kv_len,
            4 * *std::max_element(workload.kv_lens.begin(), workload.kv_lens.end()));
}

}  // namespace
}  // namespace fa2bench
