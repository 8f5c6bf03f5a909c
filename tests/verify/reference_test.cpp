// SPDX-License-Identifier: MIT
// The reference makes its data from the recipe; the naive one reads what stands in the pools.
#include "verify/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "verify/host_target.hpp"
#include "verify/naive_attention.hpp"

namespace fa2bench::test {
namespace {

void expect_exact(const std::string& json) {
  SCOPED_TRACE(json);
  const HostWorkload target(json);
  const Reference reference =
      compute_reference(target.workload, target.table, choose_rows(target.workload));
  const ExactResult exact = exact_attention(target.buffers.call());
  const auto heads = static_cast<std::size_t>(target.workload.shape.num_heads);
  const auto dim = static_cast<std::size_t>(target.workload.shape.head_dim);
  const auto tokens = static_cast<std::size_t>(target.plan.total_q_tokens);
  ASSERT_FALSE(reference.rows.empty());
  for (std::size_t row = 0; row < reference.rows.size(); ++row) {
    const auto token = static_cast<std::size_t>(reference.rows[row].global_token);
    for (std::size_t head = 0; head < heads; ++head) {
      const HeadReference& found = reference.at(row, static_cast<int>(head));
      const std::size_t lse = head * tokens + token;
      ASSERT_NEAR(found.lse, exact.lse[lse], 1e-11) << "token " << token << ", head " << head;
      ASSERT_GE(found.score_bound, exact.largest_score[lse] * (1.0 - 1e-12));
      ASSERT_EQ(found.out.size(), dim);
      for (std::size_t d = 0; d < dim; ++d) {
        const std::size_t at = (token * heads + head) * dim + d;
        ASSERT_NEAR(found.out[d], exact.out[at], 1e-11) << "token " << token << ", head " << head;
        ASSERT_NEAR(found.spread[d], exact.spread[at], 1e-11);
      }
    }
  }
}

TEST(Reference, IsExactForDecode) {
  expect_exact(R"({"batch": "q1_q1s15_q1s16_q1s17_q1s127_q1s128_q1s129_q1s700"})");
}

TEST(Reference, IsExactForPrefill) { expect_exact(R"({"batch": "q1_q17_q64_q130"})"); }

TEST(Reference, IsExactForChunks) { expect_exact(R"({"batch": "q5s6_q16s300_q65s129_q2s257"})"); }

TEST(Reference, IsExactForGroupsOfQueryHeads) {
  expect_exact(R"({"batch": "q3s50_2q1s90", "num_heads": 28, "num_kv_heads": 4, "head_dim": 64})");
  expect_exact(R"({"batch": "q3s50", "num_heads": 5, "num_kv_heads": 1})");
  expect_exact(R"({"batch": "q3s50", "num_heads": 3, "num_kv_heads": 3})");
}

TEST(Reference, IsExactForOtherPagesAndHeadSizes) {
  expect_exact(R"({"batch": "q3s50_q1s33", "block_size": 1, "head_dim": 8})");
  expect_exact(R"({"batch": "q3s50_q1s300", "block_size": 256, "head_dim": 24})");
  expect_exact(R"({"batch": "q3s50_q1s300", "block_size": 3, "head_dim": 256})");
}

TEST(Reference, IsExactBesideRowsWithoutKeys) {
  expect_exact(R"({"batch": "q0s9_q8s3_q64s1_q3s2_q1s0_q130s64_q0_2q1s90", "allow_empty_rows": true,
                   "block_table": {"unused": "live_block"}})");
}

TEST(Reference, IsExactForASharedPrefix) {
  expect_exact(
      R"({"batch": "3q1s100_q4s128_2q1s65", "shared_prefix": {"tokens": 64, "groups": 2}})");
}

TEST(Reference, IsExactForABlockUsedTwice) {
  expect_exact(R"({"batch": "q2s90_q1s25_q1s18",
                   "block_table": {"rows": [[7, 3, 0, 9, 4, 7], [7, 5], [11, 5]]}})");
}

TEST(Reference, IsExactForEveryLayoutAndUnusedPolicy) {
  for (const char* layout : {"shuffled", "contiguous", "reversed", "interleaved", "aged"}) {
    for (const char* unused :
         {"minus_one", "int_max", "num_blocks", "live_block", "poison_block"}) {
      expect_exact(std::string(R"({"batch": "q3s50_2q1s90", "block_table": {"layout": ")") +
                   layout + R"(", "unused": ")" + unused + R"(", "width": 9}})");
    }
  }
}

TEST(Reference, DoesNotDependOnThePlacement) {
  const Workload workload = read_one(R"({"batch": "q3s50_2q1s90"})");
  const Reference first =
      compute_reference(workload, build_block_table(workload, 0), choose_rows(workload));
  const Reference second =
      compute_reference(workload, build_block_table(workload, 1), choose_rows(workload));
  for (std::size_t i = 0; i < first.heads.size(); ++i) {
    EXPECT_EQ(first.heads[i].out, second.heads[i].out);
    EXPECT_EQ(first.heads[i].lse, second.heads[i].lse);
  }
}

TEST(Reference, OfOneKeyIsItsValueAndScore) {
  const Workload workload = read_one(R"({"batch": "q1"})");
  const Reference reference =
      compute_reference(workload, build_block_table(workload), choose_rows(workload));
  ASSERT_EQ(reference.rows.size(), 1U);
  const HostWorkload target(workload);
  const ExactResult exact = exact_attention(target.buffers.call());
  for (int head = 0; head < 4; ++head) {
    const HeadReference& found = reference.at(0, head);
    for (std::size_t d = 0; d < 128; ++d) {
      // Key 0 of KV head `head / 2`: element d of that head in logical block 0.
      const auto index = static_cast<std::uint64_t>(head / 2) * 128 + d;
      const double value =
          normal_units(
              random_block(1, static_cast<std::uint32_t>(Tensor::v), index / 4).word[index % 4]) /
          256.0;
      EXPECT_EQ(found.out[d], value);
      EXPECT_EQ(found.spread[d], std::abs(value));
    }
    EXPECT_NEAR(found.lse, exact.lse[static_cast<std::size_t>(head)], 1e-13);
  }
}

// All scores equal: LSE = score + ln n, and out is the value. Pages of one token make one key n.
TEST(Reference, OfEqualScoresIsTheScorePlusLnN) {
  const auto reference_of = [](int keys) {
    std::string row = "3";
    for (int key = 1; key < keys; ++key) row += ", 3";
    const Workload workload =
        read_one(R"({"q_lens": [1], "kv_lens": [)" + std::to_string(keys) +
                 R"(], "block_size": 1, "block_table": {"rows": [[)" + row + "]]}}");
    return compute_reference(workload, build_block_table(workload), choose_rows(workload));
  };
  const Reference one = reference_of(1);
  for (const int keys : {2, 127, 128, 129, 1000}) {
    const Reference many = reference_of(keys);
    for (int head = 0; head < 4; ++head) {
      EXPECT_NEAR(many.at(0, head).lse, one.at(0, head).lse + std::log(keys), 1e-12) << keys;
      for (std::size_t d = 0; d < 128; ++d) {
        EXPECT_NEAR(many.at(0, head).out[d], one.at(0, head).out[d], 1e-13) << keys;
      }
    }
  }
}

}  // namespace
}  // namespace fa2bench::test
