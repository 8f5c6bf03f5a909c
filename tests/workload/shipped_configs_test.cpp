// SPDX-License-Identifier: MIT
// The files in configs/: they read, plan, place, and hold the workloads that others rely on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "workload/config_text.hpp"
#include "workload/plan.hpp"
#include "workload/table_checker.hpp"

namespace fa2bench {
namespace {

TEST(ShippedConfigs, AreAllThere) {
  std::vector<std::string> names;
  for (const auto& path : json_files("configs")) names.push_back(path.stem().string());
  EXPECT_THAT(names,
              testing::ElementsAre("big_pool", "decode", "edge", "ferrum_m3", "gqa", "long_context",
                                   "mixed", "prefill", "prefix", "smoke", "spec_verify"));
}

TEST(ShippedConfigs, ReadPlanAndSayWhatTheyAreFor) {
  for (const auto& path : json_files("configs")) {
    const JsonDocument document = load_json(path);
    EXPECT_TRUE(JsonReader(document).find("description")) << path;
    for (const Workload& workload : read_config(document)) {
      const Plan plan = make_plan(workload);
      EXPECT_EQ(plan.cost.flops > 0.0, plan.total_q_tokens > plan.empty_rows)
          << path << " " << workload.name;
      EXPECT_GE(plan.cost.bytes_logical, plan.cost.bytes_unique) << path << " " << workload.name;
    }
  }
}

TEST(ShippedConfigs, PlaceTheirBlocksLawfully) {
  for (const auto& path : json_files("configs")) {
    for (const Workload& workload : read_config(load_json(path))) {
      EXPECT_EQ(broken_law(workload, build_block_table(workload)), "")
          << path << " " << workload.name;
    }
  }
}

/// Whether some sequence's blocks do not follow its first one.
bool needs_its_table(const Workload& workload) {
  const BlockTable table = build_block_table(workload);
  for (std::size_t seq = 0; seq < workload.kv_lens.size(); ++seq) {
    const std::int32_t* row = table.entries.data() + seq * static_cast<std::size_t>(table.width);
    for (std::int32_t column = 1; column * workload.shape.block_size < workload.kv_lens[seq];
         ++column) {
      if (row[column] != row[0] + column) return true;
    }
  }
  return false;
}

TEST(ShippedConfigs, ShowAnIgnoredBlockTableWhereverASequenceHasSeveralBlocks) {
  for (const auto& path : json_files("configs")) {
    for (const Workload& workload : read_config(load_json(path))) {
      const auto longest = std::max_element(workload.kv_lens.begin(), workload.kv_lens.end());
      if (*longest <= workload.shape.block_size) continue;
      if (workload.table.layout == TableLayout::contiguous) continue;  // on purpose
      EXPECT_TRUE(needs_its_table(workload)) << path << " " << workload.name;
    }
  }
}

/// Name, batch-spec text, heads.
struct Anchor {
  const char* name;
  const char* batch;
  int num_kv_heads;
};

void expect_anchor(const Workload& workload, const Anchor& anchor) {
  const Workload same =
      read_one(std::string(R"({"batch": ")") + anchor.batch + "\", \"num_heads\": 32}");
  EXPECT_EQ(workload.q_lens, same.q_lens) << anchor.name;
  EXPECT_EQ(workload.kv_lens, same.kv_lens) << anchor.name;
  EXPECT_EQ(workload.shape.num_heads, 32) << anchor.name;
  EXPECT_EQ(workload.shape.num_kv_heads, anchor.num_kv_heads) << anchor.name;
  EXPECT_EQ(workload.table.layout, TableLayout::shuffled) << anchor.name;
}

void expect_anchors(const char* file, const std::vector<Anchor>& anchors) {
  const auto workloads = shipped(file);
  for (const Anchor& anchor : anchors) {
    const auto found = workloads.find(anchor.name);
    ASSERT_NE(found, workloads.end()) << anchor.name;
    expect_anchor(found->second, anchor);
  }
}

TEST(ShippedConfigs, HoldTheFifteenWorkloadsOfTheAnchors) {
  expect_anchors("decode.json", {{"decode 1 x 4096", "q1s4k", 4},
                                 {"decode 1 x 32768", "q1s32k", 4},
                                 {"decode 8 x 4096", "8q1s4k", 4},
                                 {"decode 16 x 1024", "16q1s1k", 4},
                                 {"decode 32 x 384", "32q1s384", 4},
                                 {"decode 32 x 4096", "32q1s4k", 4},
                                 {"decode 128 x 2048", "128q1s2k", 4},
                                 {"decode 256 x 1024", "256q1s1k", 4},
                                 {"decode 64 x 4096, 8 KV heads", "64q1s4k", 8}});
  expect_anchors("prefill.json", {{"prefill 4 x 256", "4q256", 4},
                                  {"prefill 4 x 512", "4q512", 4},
                                  {"prefill 1 x 4096", "q4k", 4},
                                  {"prefill 1 x 16384", "q16k", 4}});
  expect_anchors("mixed.json",
                 {{"mixed 3x256 prefill + 4x(1 of 257)", "3q256_4q1s257", 4},
                  {"mixed 1x(512 of 4608) + 32x(1 of 2048)", "q512s4608_32q1s2k", 4}});
}

TEST(ShippedConfigs, SmokeIsSmallAndAwkward) {
  double flops = 0;
  for (const auto& [name, workload] : shipped("smoke.json")) {
    const Plan plan = make_plan(workload);
    flops += plan.cost.flops;
    EXPECT_GE(plan.num_seqs, 2) << name;
    EXPECT_LT(plan.memory.k_pool, mib(1)) << name;
    EXPECT_NE(workload.shape.group() & (workload.shape.group() - 1), 0) << name;
  }
  EXPECT_LT(flops, 1e8);
}

/// Pairs (q_len, kv_len) of a workload.
std::vector<std::pair<int, int>> pairs_of(const Workload& workload) {
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t s = 0; s < workload.q_lens.size(); ++s) {
    pairs.emplace_back(workload.q_lens[s], workload.kv_lens[s]);
  }
  return pairs;
}

TEST(ShippedConfigs, EdgeHasRowsWithoutKeysForEveryPathOfASplitKernel) {
  using Pair = std::pair<int, int>;
  const auto workloads = shipped("edge.json");
  const auto kinds = [&](const char* name) { return pairs_of(workloads.at(name)); };
  const auto plan = [&](const char* name) { return make_plan(workloads.at(name)); };
  const char* as_many = "rows without keys: decode, as many tokens as sequences";
  const char* fewer = "rows without keys: fewer tokens than sequences";
  const char* at_most_4 = "rows without keys: at most 4 tokens";
  const char* more = "rows without keys: more than 4 tokens";
  EXPECT_EQ(plan(as_many).total_q_tokens, plan(as_many).num_seqs);
  EXPECT_LT(plan(fewer).total_q_tokens, plan(fewer).num_seqs);
  EXPECT_EQ(plan(at_most_4).max_q_len, 4);
  EXPECT_GT(plan(at_most_4).total_q_tokens, plan(at_most_4).num_seqs);
  EXPECT_GT(plan(more).max_q_len, 4);
  for (const char* name : {fewer, more}) {
    EXPECT_THAT(kinds(name),
                testing::IsSupersetOf<Pair>({{8, 3}, {64, 1}, {3, 2}, {1, 0}, {130, 64}}));
  }
  EXPECT_THAT(kinds(at_most_4), testing::IsSupersetOf<Pair>({{3, 2}, {1, 0}}));
  for (const char* name : {as_many, fewer, at_most_4, more}) {
    EXPECT_GT(plan(name).empty_rows, 0) << name;
    EXPECT_THAT(kinds(name), testing::Contains(testing::Truly([](const Pair& pair) {
                  return pair.first > 0 && pair.second >= 300;
                })))
        << name;
  }
}

TEST(ShippedConfigs, EdgeHasBatchesWithNothingToDo) {
  int batches = 0;
  for (const auto& [name, workload] : shipped("edge.json")) {
    batches += nothing_to_do(make_plan(workload)) ? 1 : 0;
  }
  EXPECT_EQ(batches, 2);
}

TEST(ShippedConfigs, EdgeFitsAMachineWith24GiB) {
  bool past_2_31_bytes = false;
  for (const auto& [name, workload] : shipped("edge.json")) {
    const Plan plan = make_plan(workload);
    EXPECT_LT(plan.memory.k_pool, mib(4096)) << name;
    const HeadShape& shape = workload.shape;
    const Bytes lower =
        Bytes{2} * static_cast<std::uint64_t>(workload.table.first_block * shape.block_size *
                                              shape.num_kv_heads * shape.head_dim);
    past_2_31_bytes = past_2_31_bytes || lower >= mib(2048);
  }
  EXPECT_TRUE(past_2_31_bytes);
}

}  // namespace
}  // namespace fa2bench
