// SPDX-License-Identifier: MIT
// The files in configs/: they read, plan, place, and hold the workloads that others rely on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
      EXPECT_GT(plan.cost.flops, 0.0) << path << " " << workload.name;
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
