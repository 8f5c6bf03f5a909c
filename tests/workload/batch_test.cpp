// SPDX-License-Identifier: MIT
#include "workload/batch.hpp"

#include <gtest/gtest.h>

#include "workload/config_text.hpp"

namespace fa2bench {
namespace {

using Lens = std::vector<std::int32_t>;

TEST(Batch, ExpandsGroupsInOrder) {
  const Workload workload =
      read_one(R"({"batch": [{"count": 2, "q": 1, "kv": 9}, {"q": 4, "kv": 4}]})");
  EXPECT_EQ(workload.q_lens, (Lens{1, 1, 4}));
  EXPECT_EQ(workload.kv_lens, (Lens{9, 9, 4}));
}

TEST(Batch, TakesExplicitLengths) {
  const Workload workload = read_one(R"({"q_lens": [1, 1, 7], "kv_lens": [100, 20, 7]})");
  EXPECT_EQ(workload.q_lens, (Lens{1, 1, 7}));
  EXPECT_EQ(workload.kv_lens, (Lens{100, 20, 7}));
}

TEST(Batch, RefusesAKvLengthBelowItsQueryTokens) {
  EXPECT_EQ(fault_in(R"({"batch": [{"q": 8, "kv": 3}]})"),
            "workloads[0].batch[0].kv: found 3; expected kv_len ≥ q_len = 8, because kv_len "
            "includes the query tokens, or \"allow_empty_rows\": true");
  EXPECT_EQ(fault_in(R"({"q_lens": [1, 64], "kv_lens": [1, 1]})"),
            "workloads[0].kv_lens[1]: found 1; expected kv_len ≥ q_len = 64, because kv_len "
            "includes the query tokens, or \"allow_empty_rows\": true");
}

TEST(Batch, RefusesEmptySequences) {
  EXPECT_EQ(fault_in(R"({"q_lens": [0], "kv_lens": [3]})"),
            "workloads[0].q_lens[0]: found 0; expected an integer, 1 … 16777216, or "
            "\"allow_empty_rows\": true");
  EXPECT_EQ(fault_in(R"({"q_lens": [1], "kv_lens": [0], "allow_empty_rows": false})"),
            "workloads[0].kv_lens[0]: found 0; expected an integer, 1 … 16777216, or "
            "\"allow_empty_rows\": true");
  EXPECT_EQ(fault_in(R"({"batch": [{"q": 0, "kv": 3}]})"),
            "workloads[0].batch[0].q: found 0; expected an integer, 1 … 16777216, or "
            "\"allow_empty_rows\": true");
  EXPECT_EQ(fault_in(R"({"q_lens": [], "kv_lens": []})"),
            "workloads[0].q_lens: found an empty array; expected at least one length");
  EXPECT_EQ(fault_in(R"({"batch": []})"),
            "workloads[0].batch: found an empty array; expected at least one group {count, q, kv}");
}

TEST(Batch, TakesAnyLengthsWhereEmptyRowsAreAllowed) {
  const Lens q{8, 1, 0, 0, 3};
  const Lens kv{3, 0, 7, 0, 3};
  for (const char* json :
       {R"({"allow_empty_rows": true, "q_lens": [8, 1, 0, 0, 3], "kv_lens": [3, 0, 7, 0, 3]})",
        R"({"allow_empty_rows": true, "batch": "q8s3_q1s0_q0s7_q0_q3"})",
        R"({"allow_empty_rows": true, "batch": [{"q": 8, "kv": 3}, {"q": 1, "kv": 0},
            {"q": 0, "kv": 7}, {"q": 0, "kv": 0}, {"q": 3, "kv": 3}]})",
        R"({"allow_empty_rows": true, "batch": "q8s{a}_q1s{b}_q{b}s7_q{b}_q3", "name": "x",
            "sweep": {"a": [3], "b": [0]}})"}) {
    const Workload workload = read_one(json);
    EXPECT_EQ(workload.q_lens, q) << json;
    EXPECT_EQ(workload.kv_lens, kv) << json;
  }
}

TEST(Batch, TakesThePermissionOfTheDefaultsUnlessTheWorkloadHasItsOwn) {
  const auto config = [](const char* workload) {
    return std::string(R"({"schema": "ferrum-fa2-bench/config/v1", "defaults": {"num_heads": 1,
      "num_kv_heads": 1, "allow_empty_rows": true}, "workloads": [)") +
           workload + "]}";
  };
  EXPECT_EQ(complaint(config(R"({"batch": "q1s0"})")), "");
  EXPECT_EQ(complaint(config(R"({"batch": "q1s0", "allow_empty_rows": false})")),
            "c.json:2: workloads[0].batch: found the segment \"q1s0\"; expected s, the KV length, "
            "1 … 16777216, or \"allow_empty_rows\": true");
}

TEST(Batch, StillRefusesANegativeLengthAndAZeroCountWhereEmptyRowsAreAllowed) {
  EXPECT_EQ(fault_in(R"({"allow_empty_rows": true, "q_lens": [1], "kv_lens": [-1]})"),
            "workloads[0].kv_lens[0]: found -1; expected an integer, 0 … 16777216");
  EXPECT_EQ(fault_in(R"({"allow_empty_rows": true, "batch": [{"count": 0, "q": 1, "kv": 1}]})"),
            "workloads[0].batch[0].count: found 0; expected an integer, 1 … 1048576");
  EXPECT_EQ(fault_in(R"({"allow_empty_rows": true, "batch": "q1_0q0"})"),
            "workloads[0].batch: found the segment \"0q0\"; expected a count, 1 … 1048576");
  EXPECT_EQ(fault_in(R"({"allow_empty_rows": 1, "batch": "q1"})"),
            "workloads[0].allow_empty_rows: found 1; expected true or false");
}

TEST(Batch, RefusesLengthListsOfDifferentSizes) {
  EXPECT_EQ(fault_in(R"({"q_lens": [1, 1, 1], "kv_lens": [9, 9]})"),
            "workloads[0].kv_lens: found 2 lengths; expected 3, as many as q_lens has");
}

TEST(Batch, RefusesTwoBatchesAndNone) {
  EXPECT_EQ(fault_in(R"({"name": "x"})"),
            "workloads[0]: found no batch; expected \"batch\", or \"q_lens\" with \"kv_lens\"");
  EXPECT_EQ(fault_in(R"({"q_lens": [1]})"),
            "workloads[0]: found \"q_lens\" without \"kv_lens\"; expected \"batch\", or \"q_lens\" "
            "with \"kv_lens\"");
  EXPECT_EQ(fault_in(R"({"kv_lens": [1]})"),
            "workloads[0]: found \"kv_lens\" without \"q_lens\"; expected \"batch\", or \"q_lens\" "
            "with \"kv_lens\"");
  EXPECT_EQ(fault_in(R"({"batch": "q1", "kv_lens": [1]})"),
            "workloads[0].batch: found \"batch\" beside \"kv_lens\"; expected one of them");
  EXPECT_EQ(fault_in(R"({"batch": 3})"),
            "workloads[0].batch: found 3; expected a batch-spec string or an array of groups "
            "{count, q, kv}");
}

TEST(Batch, RefusesAGroupThatLacksALength) {
  EXPECT_EQ(fault_in(R"({"batch": [{"count": 2, "q": 1}]})"),
            "workloads[0].batch[0]: found an object without it; expected the key \"kv\"");
}

TEST(Batch, SumsQueryTokensIn64Bits) {
  EXPECT_EQ(fault_in(R"({"batch": [{"count": 128, "q": 16777216, "kv": 16777216}]})"),
            "workloads[0].batch: found 2147483648 query tokens in all; expected at most "
            "2147483647, which the shim's int can carry");
  EXPECT_EQ(fault_in(R"({"batch": "127q16384k"})"), "");
}

}  // namespace
}  // namespace fa2bench
