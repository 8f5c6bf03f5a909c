// SPDX-License-Identifier: MIT
#include "verify/rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "workload/config_text.hpp"

namespace fa2bench {
namespace {

bool has(const std::vector<CheckedRow>& rows, std::int32_t seq, std::int32_t token) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const CheckedRow& row) { return row.seq == seq && row.token == token; });
}

std::vector<Workload> samples() {
  return {read_one(R"({"batch": "q1"})"),
          read_one(R"({"batch": "q300_q17s80_3q1s257"})"),
          read_one(R"({"batch": "70q1s100_q5s6_q129s1000"})"),
          read_one(R"({"q_lens": [3, 1, 200, 2], "kv_lens": [3, 900, 200, 1000]})"),
          read_one(R"({"batch": "q2048s4096", "num_heads": 32, "num_kv_heads": 8})"),
          read_one(R"({"batch": "2000q1s64_q77s100"})"),
          read_one(R"({"q_lens": [0, 9, 1, 300, 0, 40, 2], "kv_lens": [70, 0, 33, 270, 0, 7, 0],
                       "allow_empty_rows": true})"),
          read_one(R"({"batch": "3000q1s0_q300s200_3000q0s9", "allow_empty_rows": true})")};
}

/// First query token that sees a key; q_len where none does.
std::int32_t first_row(const Workload& workload, std::size_t seq) {
  return std::max(0, workload.q_lens[seq] - workload.kv_lens[seq]);
}

TEST(Rows, LieInTheirSequencesAndSeeTheirKeys) {
  for (const Workload& workload : samples()) {
    const std::vector<CheckedRow> rows = choose_rows(workload);
    ASSERT_FALSE(rows.empty());
    for (const CheckedRow& row : rows) {
      ASSERT_GE(row.seq, 0);
      ASSERT_LT(row.seq, static_cast<std::int32_t>(workload.q_lens.size()));
      const auto seq = static_cast<std::size_t>(row.seq);
      ASSERT_GE(row.token, 0);
      ASSERT_LT(row.token, workload.q_lens[seq]);
      const auto first = workload.q_lens.begin();
      EXPECT_EQ(row.global_token, std::accumulate(first, first + row.seq, std::int64_t{row.token}));
      EXPECT_GE(row.visible_keys, 1);
      EXPECT_EQ(row.visible_keys, workload.kv_lens[seq] - workload.q_lens[seq] + row.token + 1);
    }
  }
}

TEST(Rows, AscendWithoutRepeats) {
  for (const Workload& workload : samples()) {
    const std::vector<CheckedRow> rows = choose_rows(workload);
    for (std::size_t i = 1; i < rows.size(); ++i) {
      EXPECT_LT(std::tie(rows[i - 1].seq, rows[i - 1].token), std::tie(rows[i].seq, rows[i].token));
    }
  }
}

TEST(Rows, AlwaysHoldEndsOfFirstLastLongestAndShortestSequence) {
  for (const double budget : {0.0, 1e6, kReferenceBudget}) {
    for (const Workload& workload : samples()) {
      std::vector<std::size_t> with_keys;
      for (std::size_t s = 0; s < workload.q_lens.size(); ++s) {
        if (first_row(workload, s) < workload.q_lens[s]) with_keys.push_back(s);
      }
      const auto shorter = [&](std::size_t a, std::size_t b) {
        return workload.kv_lens[a] < workload.kv_lens[b];
      };
      const auto longest = std::max_element(with_keys.begin(), with_keys.end(), shorter);
      const auto shortest = std::min_element(with_keys.begin(), with_keys.end(), shorter);
      const std::vector<CheckedRow> rows = choose_rows(workload, budget);
      for (const std::size_t seq : {with_keys.front(), with_keys.back(), *longest, *shortest}) {
        const auto s = static_cast<std::int32_t>(seq);
        EXPECT_TRUE(has(rows, s, first_row(workload, seq))) << s;
        EXPECT_TRUE(has(rows, s, workload.q_lens[seq] - 1)) << s;
      }
    }
  }
}

TEST(Rows, HoldThoseRoundPageAndTileEdges) {
  // 40 keys are older than the chunk: rows 23 and 24 end at key 63 and 64, 87 and 88 at 127, 128.
  const Workload workload = read_one(R"({"batch": "q300s340"})");
  const std::vector<CheckedRow> rows = choose_rows(workload);
  for (const std::int32_t token : {0, 15, 16, 63, 64, 127, 128, 299}) {
    EXPECT_TRUE(has(rows, 0, token)) << token;
  }
  for (const std::int64_t tile : {16, 64, 128}) {
    const auto ends_at_edge = [&](const CheckedRow& row) { return row.visible_keys % tile == 0; };
    const auto starts_after = [&](const CheckedRow& row) { return row.visible_keys % tile == 1; };
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), ends_at_edge)) << tile;
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), starts_after)) << tile;
  }
}

TEST(Rows, HoldThoseRoundEdgesBehindEmptyOnes) {
  // The first 100 rows see nothing; row 100 sees one key, row 115 sixteen, row 299 all 200.
  const Workload workload = read_one(R"({"batch": "q300s200", "allow_empty_rows": true})");
  const std::vector<CheckedRow> rows = choose_rows(workload);
  for (const std::int32_t token : {100, 127, 128, 299}) EXPECT_TRUE(has(rows, 0, token)) << token;
  for (const std::int64_t tile : {16, 64, 128}) {
    const auto ends_at_edge = [&](const CheckedRow& row) { return row.visible_keys % tile == 0; };
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), ends_at_edge)) << tile;
  }
}

TEST(Rows, AreManyWhereFewSequencesOfManySeeAKey) {
  const Workload workload =
      read_one(R"({"batch": "60000q1s0_q300s200_5000q0s9", "allow_empty_rows": true})");
  EXPECT_GT(choose_rows(workload).size(), 100U);
}

TEST(Rows, AreNoneWhereNoRowSeesAKey) {
  for (const char* batch : {"q5s0_2q1s0", "3q0_q0s40"}) {
    EXPECT_TRUE(choose_rows(read_one(std::string(R"({"allow_empty_rows": true, "batch": ")") +
                                     batch + "\"}"))
                    .empty());
  }
}

TEST(Rows, HoldEveryRowOfASmallDecodeBatch) {
  EXPECT_EQ(choose_rows(read_one(R"({"batch": "70q1s100"})")).size(), 70U);
}

TEST(Rows, CostNoMoreThanTheBudgetButForTheFirstFour) {
  const Workload workload =
      read_one(R"({"batch": "64q1s8192", "num_heads": 32, "num_kv_heads": 8})");
  const auto cost = [&](std::size_t rows) {  // of sequences with one row each
    return static_cast<double>(rows) * 8192 * 128 * (3.0 * 32 + 24.0 * 8);
  };
  for (const double budget : {2e9, 8e9}) {
    const std::size_t count = choose_rows(workload, budget).size();
    EXPECT_LE(cost(count), budget);
    EXPECT_GT(cost(count + 1), budget);
  }
  EXPECT_EQ(choose_rows(workload, 0.0).size(), 4U);  // the first four sequences, whatever they cost
}

TEST(Rows, AreAThousandOrSoAtMost) {
  EXPECT_LE(choose_rows(read_one(R"({"batch": "5000q1s16"})"), 1e15).size(), 1040U);
}

TEST(Rows, AreTheSameEachTimeAndOthersForAnotherSeed) {
  const auto tokens = [](const char* json) {
    std::vector<std::int64_t> list;
    for (const CheckedRow& row : choose_rows(read_one(json))) list.push_back(row.global_token);
    return list;
  };
  const char* first = R"({"batch": "4000q1s16", "seed": 1})";
  EXPECT_EQ(tokens(first), tokens(first));
  EXPECT_NE(tokens(first), tokens(R"({"batch": "4000q1s16", "seed": 2})"));
}

TEST(Rows, OfAMillionSequencesAreChosen) {
  // Quadratic work in the number of sequences would not end.
  const Workload workload = read_one(R"({"batch": "1048575q1s5_q2s9", "num_heads": 1,
                                         "num_kv_heads": 1})");
  const std::vector<CheckedRow> rows = choose_rows(workload);
  EXPECT_TRUE(has(rows, 0, 0));
  EXPECT_TRUE(has(rows, 1048575, 1));
}

}  // namespace
}  // namespace fa2bench
