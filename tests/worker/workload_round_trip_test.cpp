// SPDX-License-Identifier: MIT
// A workload travels to a worker as a config of its own: nothing may be lost on the way.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "workload/config_text.hpp"
#include "workload/config_writer.hpp"
#include "workload/identity.hpp"

namespace fa2bench {
namespace {

void expect_same(const Workload& got, const Workload& sent, const std::string& where) {
  EXPECT_EQ(got.name, sent.name) << where;
  EXPECT_EQ(got.id, sent.id) << where;
  EXPECT_EQ(canonical_text(got), canonical_text(sent)) << where;
  EXPECT_EQ(got.shape.num_heads, sent.shape.num_heads) << where;
  EXPECT_EQ(got.shape.num_kv_heads, sent.shape.num_kv_heads) << where;
  EXPECT_EQ(got.shape.head_dim, sent.shape.head_dim) << where;
  EXPECT_EQ(got.shape.block_size, sent.shape.block_size) << where;
  EXPECT_EQ(got.q_lens, sent.q_lens) << where;
  EXPECT_EQ(got.kv_lens, sent.kv_lens) << where;
  EXPECT_EQ(got.table.layout, sent.table.layout) << where;
  EXPECT_EQ(got.table.unused, sent.table.unused) << where;
  EXPECT_EQ(got.table.width, sent.table.width) << where;
  EXPECT_EQ(got.table.pool_blocks, sent.table.pool_blocks) << where;
  EXPECT_EQ(got.table.first_block, sent.table.first_block) << where;
  EXPECT_EQ(got.table.rows, sent.table.rows) << where;
  EXPECT_EQ(got.prefix.tokens, sent.prefix.tokens) << where;
  EXPECT_EQ(got.prefix.groups, sent.prefix.groups) << where;
  EXPECT_EQ(got.stated_max_q_len, sent.stated_max_q_len) << where;
  EXPECT_EQ(got.stated_max_kv_len, sent.stated_max_kv_len) << where;
  EXPECT_EQ(got.seed, sent.seed) << where;
  ASSERT_EQ(got.gates.size(), sent.gates.size()) << where;
  for (std::size_t i = 0; i < got.gates.size(); ++i) {
    EXPECT_EQ(got.gates[i].key, sent.gates[i].key) << where;
    EXPECT_EQ(got.gates[i].bound, sent.gates[i].bound) << where;
  }
}

void expect_round_trips(const std::vector<Workload>& workloads, const std::string& where) {
  EXPECT_FALSE(workloads.empty()) << where;
  for (const Workload& sent : workloads) {
    const std::vector<Workload> got = read_text(write_config(sent));
    ASSERT_EQ(got.size(), 1U) << where;
    expect_same(got.front(), sent, where + ": " + sent.name);
  }
}

TEST(WorkloadRoundTrip, LosesNothingOfTheShippedConfigs) {
  for (const auto& path : json_files("configs")) {
    expect_round_trips(read_config(load_json(path)), path.filename().string());
  }
}

TEST(WorkloadRoundTrip, LosesNothingOfTheConfigsThatTestEveryKey) {
  const auto files = json_files("tests/workload/good");
  EXPECT_FALSE(files.empty());
  for (const auto& path : files) {
    expect_round_trips(read_config(load_json(path)), path.filename().string());
  }
}

TEST(WorkloadRoundTrip, LosesNothingOfASweepOverEveryKey) {
  const std::string text = config_of(R"(
    {"name": "{layout} {unused} {dim} {block} {seed} {max_kv}", "batch": "2q3s64_q1s70",
     "head_dim": "{dim}", "block_size": "{block}", "seed": "{seed}",
     "max_q_len": 9, "max_kv_len": "{max_kv}",
     "shared_prefix": {"tokens": 64, "groups": 1},
     "block_table": {"layout": "{layout}", "unused": "{unused}", "width": 11, "pool_blocks": 99,
                     "first_block": 7},
     "sweep": {"layout": ["shuffled", "contiguous", "reversed", "interleaved", "aged"],
               "unused": ["minus_one", "int_max", "num_blocks", "live_block", "poison_block"],
               "dim": [64, 128], "block": [16, 32], "seed": [0, "18446744073709551615"],
               "max_kv": [70, 128]}})");
  const std::vector<Workload> workloads = read_text(text);
  EXPECT_EQ(workloads.size(), 5U * 5U * 2U * 2U * 2U * 2U);
  expect_round_trips(workloads, "sweep");
}

TEST(WorkloadRoundTrip, LosesNothingOfWhatWasNotSaid) {
  expect_round_trips({read_one(R"({"batch": "2q1s40_q5s20"})")}, "defaults");
}

TEST(WorkloadRoundTrip, KeepsGivenRows) {
  expect_round_trips({read_one(R"({"batch": "q1s17_q1", "seed": 12345678901234567890,
      "block_table": {"rows": [[3, 1, 2147483647], [3, -1]], "pool_blocks": 50}})")},
                     "rows");
}

TEST(WorkloadRoundTrip, KeepsThePermissionWhereAWorkloadNeedsIt) {
  for (const char* batch : {"q0", "q0s5", "q1s0", "q8s3", "q1_q0"}) {
    const Workload sent =
        read_one(std::string(R"({"allow_empty_rows": true, "batch": ")") + batch + "\"}");
    expect_round_trips({sent}, batch);
    EXPECT_NE(write_config(sent).find("allow_empty_rows"), std::string::npos) << batch;
  }
  const Workload other = read_one(R"({"allow_empty_rows": true, "batch": "q1_q2s5"})");
  EXPECT_EQ(write_config(other).find("allow_empty_rows"), std::string::npos);
}

TEST(WorkloadRoundTrip, KeepsNamesThatNeedEscapes) {
  expect_round_trips({read_one(R"({"name": "quote \" backslash \\ é 注", "batch": "q1"})")},
                     "names");
}

}  // namespace
}  // namespace fa2bench
