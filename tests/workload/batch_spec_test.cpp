// SPDX-License-Identifier: MIT
#include "workload/batch_spec.hpp"

#include <gtest/gtest.h>

#include "workload/config_text.hpp"

namespace fa2bench {
namespace {

using Lens = std::vector<std::int32_t>;

Batch spec(const std::string& text, bool allow_empty_rows = false) {
  const JsonDocument document = parse_json("c.json", "\"" + text + "\"");
  return read_batch_spec(JsonReader(document), allow_empty_rows);
}

std::string refusal(const std::string& text) {
  try {
    spec(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(BatchSpec, ReadsTheFormsOfTheGrammar) {
  EXPECT_EQ(spec("q2k").q_lens, Lens{2048});
  EXPECT_EQ(spec("q2k").kv_lens, Lens{2048});
  EXPECT_EQ(spec("3q1s1k").q_lens, (Lens{1, 1, 1}));
  EXPECT_EQ(spec("3q1s1k").kv_lens, (Lens{1024, 1024, 1024}));
  EXPECT_EQ(spec("q1ks2k").q_lens, Lens{1024});
  EXPECT_EQ(spec("q1ks2k").kv_lens, Lens{2048});
  EXPECT_EQ(spec("q257_2q4s2051").q_lens, (Lens{257, 4, 4}));
  EXPECT_EQ(spec("q257_2q4s2051").kv_lens, (Lens{257, 2051, 2051}));
}

TEST(BatchSpec, KeepsTheOrderOfTheText) {
  EXPECT_EQ(spec("2q1s9_q8_q1s7").kv_lens, (Lens{9, 9, 8, 7}));
}

TEST(BatchSpec, RefusesAZeroCount) {
  EXPECT_EQ(refusal("q1_0q1s8"),
            "c.json:1: the file: found the segment \"0q1s8\"; expected a count, 1 … 1048576");
}

TEST(BatchSpec, RefusesAZeroLength) {
  EXPECT_EQ(refusal("q0s8"),
            "c.json:1: the file: found the segment \"q0s8\"; expected q, the new tokens, 1 … "
            "16777216, or "
            "\"allow_empty_rows\": true");
  EXPECT_EQ(
      refusal("q1s0"),
      "c.json:1: the file: found the segment \"q1s0\"; expected s, the KV length, 1 … 16777216, or "
      "\"allow_empty_rows\": true");
}

TEST(BatchSpec, TakesThemWhereEmptyRowsAreAllowed) {
  EXPECT_EQ(spec("2q0s8_q1s0_q0_q8s3", true).q_lens, (Lens{0, 0, 1, 0, 8}));
  EXPECT_EQ(spec("2q0s8_q1s0_q0_q8s3", true).kv_lens, (Lens{8, 8, 0, 0, 3}));
}

TEST(BatchSpec, RefusesMoreQueryTokensThanKvLength) {
  EXPECT_EQ(refusal("q1s8_4q8s3"),
            "c.json:1: the file: found the segment \"4q8s3\"; expected kv_len ≥ q_len = 8, because "
            "kv_len includes the query tokens, or \"allow_empty_rows\": true");
}

TEST(BatchSpec, RefusesWhatTheGrammarDoesNotHave) {
  for (const char* text : {"", "q", "1", "q1s", "q1_", "_q1", "q1__q1", "q1m", "q1K", "Q1", "q-1",
                           "q1 s2", "q1.5", "q1s2q3", "kv1k", "q1kk", "+1q1", "q1s1k2", "1kq1"}) {
    EXPECT_NE(refusal(text).find("expected [count]q<N>[k][s<N>[k]], segments joined by \"_\""),
              std::string::npos)
        << text << ": " << refusal(text);
  }
}

TEST(BatchSpec, RefusesNumbersThatWouldWrap) {
  EXPECT_NE(refusal("q1s4294967297"), "");
  EXPECT_NE(refusal("q1s18446744073709551617"), "");
  EXPECT_NE(refusal("q1s99999999999999999999999k"), "");
  EXPECT_NE(refusal("4294967297q1"), "");
}

TEST(BatchSpec, RefusesMoreSequencesThanFit) {
  EXPECT_EQ(spec("1048576q1").q_lens.size(), 1048576U);
  EXPECT_EQ(refusal("1048576q1_q1"),
            "c.json:1: the file: found 1048577 sequences or more; expected at most 1048576 "
            "sequences in a batch");
}

TEST(BatchName, IsTheSpecThatGivesTheBatch) {
  for (const char* text : {"q1", "2q1k_32q1s1k", "q257_7q1s1057_3q4s2051_2q129s4093", "q1ks2k"}) {
    EXPECT_EQ(batch_name(spec(text)), text);
  }
  EXPECT_EQ(batch_name(spec("q1024s1024_q1s2_q1s2")), "q1k_2q1s2");
  for (const char* text : {"q0", "q0s5_2q0_q1ks0_q8s3"}) {
    EXPECT_EQ(batch_name(spec(text, true)), text);
  }
}

TEST(BatchName, IsASummaryWhereTheSpecGetsLong) {
  Batch batch;
  for (std::int32_t i = 1; i <= 500; ++i) {
    batch.q_lens.push_back(i % 7 + 1);
    batch.kv_lens.push_back(i + 10);
  }
  EXPECT_EQ(batch_name(batch), "500 sequences, q 1…7, kv 11…510");
}

}  // namespace
}  // namespace fa2bench
