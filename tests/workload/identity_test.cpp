// SPDX-License-Identifier: MIT
#include "workload/identity.hpp"

#include <gtest/gtest.h>

#include <set>

#include "workload/config_text.hpp"

namespace fa2bench {
namespace {

// Results name workloads by these ids: a change here makes old results incomparable.
TEST(Identity, IsAHashOfAStableText) {
  const Workload workload = read_one(
      R"({"name": "any", "batch": "q5s20_2q1s40", "shared_prefix": {"tokens": 16}, "max_kv_len": 64})");
  EXPECT_EQ(canonical_text(workload),
            "workload/1\n"
            "heads 4/2 dim 128 block 16\n"
            "batch 1*5:20 2*1:40\n"
            "max 5 64\n"
            "table shuffled unused minus_one width 5 pool 14 first 0\n"
            "prefix 16 groups 1\n"
            "seed 1\n");
  EXPECT_EQ(workload.id, "2739567fba4d527e");
}

TEST(Identity, ListsGivenRows) {
  const Workload workload =
      read_one(R"({"batch": "q1s17_q1", "block_table": {"rows": [[3, 1], [3, -1]]}})");
  EXPECT_EQ(canonical_text(workload),
            "workload/1\n"
            "heads 4/2 dim 128 block 16\n"
            "batch 1*1:17 1*1:1\n"
            "max 1 17\n"
            "table rows unused minus_one width 4 pool 12 first 0\n"
            "row 3 1\n"
            "row 3 -1\n"
            "prefix 0 groups 0\n"
            "seed 1\n");
}

TEST(Identity, DoesNotDependOnHowTheBatchIsWritten) {
  const std::string id = read_one(R"({"name": "a", "batch": "2q1s9_q3"})").id;
  EXPECT_EQ(read_one(R"({"name": "b", "q_lens": [1, 1, 3], "kv_lens": [9, 9, 3]})").id, id);
  EXPECT_EQ(read_one(R"({"batch": [{"q": 1, "kv": 9}, {"q": 1, "kv": 9}, {"q": 3, "kv": 3}]})").id,
            id);
}

TEST(Identity, IsTheSameForADefaultAndItsValue) {
  const std::string id = read_one(R"({"batch": "2q1s9_q3"})").id;
  EXPECT_EQ(read_one(R"({"batch": "2q1s9_q3", "head_dim": 128, "block_size": 16, "seed": "1",
                         "max_q_len": 3, "max_kv_len": 9, "shared_prefix": {"tokens": 0, "groups": 3},
                         "block_table": {"layout": "shuffled", "unused": "minus_one", "width": 3,
                                         "pool_blocks": 11, "first_block": 0}})")
                .id,
            id);
}

TEST(Identity, DoesNotDependOnDemands) {
  EXPECT_EQ(read_one(R"({"batch": "2q1s9_q3", "require": {"cold_us_max": 5}})").id,
            read_one(R"({"batch": "2q1s9_q3"})").id);
}

TEST(Identity, DoesNotDependOnThePermissionForEmptyRows) {
  EXPECT_EQ(read_one(R"({"batch": "2q1s9_q3", "allow_empty_rows": true})").id,
            read_one(R"({"batch": "2q1s9_q3"})").id);
}

TEST(Identity, ChangesWithEveryValue) {
  std::set<std::string> ids;
  const std::vector<std::string> variants{
      R"("batch": "2q1s32")",
      R"("batch": "q1s32")",
      R"("batch": "q1s32_q1s33")",
      R"("batch": "2q2s32")",
      R"("batch": "2q1s32_q0", "allow_empty_rows": true)",
      R"("batch": "2q1s32_q0s1", "allow_empty_rows": true)",
      R"("batch": "2q1s32_q1s0", "allow_empty_rows": true)",
      R"("batch": "2q1s32", "num_heads": 8)",
      R"("batch": "2q1s32", "num_kv_heads": 4)",
      R"("batch": "2q1s32", "head_dim": 64)",
      R"("batch": "2q1s32", "block_size": 32)",
      R"("batch": "2q1s32", "seed": 2)",
      R"("batch": "2q1s32", "max_q_len": 2)",
      R"("batch": "2q1s32", "max_kv_len": 33)",
      R"("batch": "2q1s32", "shared_prefix": {"tokens": 16})",
      R"("batch": "2q1s32", "shared_prefix": {"tokens": 32})",
      R"("batch": "2q1s32", "shared_prefix": {"tokens": 16, "groups": 2})",
      R"("batch": "2q1s32", "block_table": {"layout": "aged"})",
      R"("batch": "2q1s32", "block_table": {"unused": "int_max"})",
      R"("batch": "2q1s32", "block_table": {"width": 9})",
      R"("batch": "2q1s32", "block_table": {"pool_blocks": 99})",
      R"("batch": "2q1s32", "block_table": {"first_block": 1})",
      R"("batch": "2q1s32", "block_table": {"rows": [[0, 1], [2, 3]]})",
      R"("batch": "2q1s32", "block_table": {"rows": [[0, 1], [3, 2]]})"};
  for (const std::string& variant : variants) {
    EXPECT_TRUE(ids.insert(read_one("{" + variant + "}").id).second) << variant;
  }
}

}  // namespace
}  // namespace fa2bench
