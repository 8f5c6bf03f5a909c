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
            "includes the query tokens");
  EXPECT_EQ(fault_in(R"({"q_lens": [1, 64], "kv_lens": [1, 1]})"),
            "workloads[0].kv_lens[1]: found 1; expected kv_len ≥ q_len = 64, because kv_len "
            "includes the query tokens");
}

TEST(Batch, RefusesEmptySequences) {
  EXPECT_EQ(fault_in(R"({"q_lens": [0], "kv_lens": [3]})"),
            "workloads[0].q_lens[0]: found 0; expected an integer, 1 … 16777216");
  EXPECT_EQ(fault_in(R"({"q_lens": [1], "kv_lens": [0]})"),
            "workloads[0].kv_lens[0]: found 0; expected an integer, 1 … 16777216");
  EXPECT_EQ(fault_in(R"({"q_lens": [], "kv_lens": []})"),
            "workloads[0].q_lens: found an empty array; expected at least one length");
  EXPECT_EQ(fault_in(R"({"batch": []})"),
            "workloads[0].batch: found an empty array; expected at least one group {count, q, kv}");
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
