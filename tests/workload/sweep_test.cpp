// SPDX-License-Identifier: MIT
#include "workload/sweep.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "workload/config_text.hpp"

namespace fa2bench {
namespace {

using testing::ElementsAre;

std::vector<std::string> names_of(const std::string& workload) {
  std::vector<std::string> names;
  for (const Workload& point : read_text(config_of(workload))) names.push_back(point.name);
  return names;
}

/// "[1,2,…,count]"
std::string one_to(int count) {
  std::vector<int> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 1);
  return fmt::format("[{}]", fmt::join(values, ","));
}

TEST(Sweep, IsAProductInFileOrderWithTheFirstAxisSlowest) {
  const auto points = read_text(config_of(
      R"({"name": "decode {b}x{kv}", "batch": [{"count": "{b}", "q": 1, "kv": "{kv}"}],
          "sweep": {"b": [1, 8], "kv": [512, 4096]}})"));
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[0].name, "decode 1x512");
  EXPECT_EQ(points[1].name, "decode 1x4096");
  EXPECT_EQ(points[2].name, "decode 8x512");
  EXPECT_EQ(points[3].name, "decode 8x4096");
  EXPECT_EQ(points[3].kv_lens, std::vector<std::int32_t>(8, 4096));
}

TEST(Sweep, ReplacesInsideStrings) {
  EXPECT_THAT(names_of(R"({"batch": "{b}q1s{kv}k_q7", "sweep": {"b": [2, 3], "kv": ["1", "2"]}})"),
              ElementsAre("2q1s1k_q7", "2q1s2k_q7", "3q1s1k_q7", "3q1s2k_q7"));
}

TEST(Sweep, SweepsStringsAndSeeds) {
  const auto points = read_text(config_of(
      R"({"name": "{l} {s}", "batch": "q1", "seed": "{s}", "block_table": {"layout": "{l}"},
          "sweep": {"l": ["aged", "reversed"], "s": [18446744073709551615, "12"]}})"));
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[0].seed, 18446744073709551615U);
  EXPECT_EQ(points[1].seed, 12U);
  EXPECT_EQ(points[0].table.layout, TableLayout::aged);
  EXPECT_EQ(points[2].table.layout, TableLayout::reversed);
}

TEST(Sweep, AppendsAxesThatTheNameDoesNotMention) {
  EXPECT_THAT(names_of(R"({"name": "d {b}", "batch": "{b}q1s{kv}", "num_heads": "{h}",
                           "sweep": {"h": [4, 8], "b": [2], "kv": [32]}})"),
              ElementsAre("d 2 h=4 kv=32", "d 2 h=8 kv=32"));
}

TEST(Sweep, NamesAPointByItsBatchAndTheAxesThatItDoesNotShow) {
  EXPECT_THAT(names_of(R"({"batch": "{b}q1s64", "num_heads": "{h}",
                           "sweep": {"b": [2, 3], "h": [4]}})"),
              ElementsAre("2q1s64 h=4", "3q1s64 h=4"));
}

TEST(Sweep, LeavesNotesAlone) {
  EXPECT_THAT(
      names_of(R"({"_note": "{nothing}", "batch": "{b}q1", "sweep": {"b": [2], "_why": 1}})"),
      ElementsAre("2q1"));
}

TEST(Sweep, RefusesAnUnknownAxis) {
  EXPECT_EQ(fault_in(R"({"name": "x{bb}", "batch": "{b}q1", "sweep": {"b": [1]}})"),
            "workloads[0].name: found the unknown axis \"bb\" in \"x{bb}\"; expected an axis of "
            "the sweep: b");
  EXPECT_EQ(fault_in(R"({"batch": [{"q": 1, "kv": "{kv}"}]})"),
            "workloads[0].batch[0].kv: found the unknown axis \"kv\" in \"{kv}\"; expected no "
            "braces without a sweep");
  EXPECT_EQ(fault_in(R"({"name": "x {b", "batch": "{b}q1", "sweep": {"b": [1]}})"),
            "workloads[0].name: found the unknown axis \"{b\" in \"x {b\"; expected an axis of the "
            "sweep: b");
}

TEST(Sweep, RefusesAnAxisThatIsNeverUsed) {
  EXPECT_EQ(fault_in(R"({"batch": "{b}q1", "sweep": {"b": [1], "kv": [1, 2]}})"),
            "workloads[0].sweep.kv: found the axis \"kv\", which is never used; expected "
            "\"{kv}\" in a string of the workload");
}

TEST(Sweep, RefusesBadAxes) {
  EXPECT_EQ(fault_in(R"({"batch": "q1", "sweep": {}})"),
            "workloads[0].sweep: found no axis; expected at least one axis: {\"name\": [values]}");
  EXPECT_EQ(fault_in(R"({"batch": "{b}q1", "sweep": {"b": []}})"),
            "workloads[0].sweep.b: found an empty array; expected at least one value");
  EXPECT_EQ(fault_in(R"({"batch": "{b}q1", "sweep": {"b": 3}})"),
            "workloads[0].sweep.b: found 3; expected an array");
  EXPECT_EQ(fault_in(R"({"batch": "{b}q1", "sweep": {"b": [1, 2.5]}})"),
            "workloads[0].sweep.b[1]: found 2.5; expected an integer or a string");
  EXPECT_EQ(fault_in(R"({"batch": "q1", "sweep": {"b c": [1]}})"),
            "workloads[0].sweep.b c: found the axis name \"b c\"; expected letters, digits and "
            "\"_\", a letter first");
}

TEST(Sweep, SaysWhichPointIsAtFault) {
  EXPECT_EQ(
      fault_in(R"({"batch": [{"q": "{q}", "kv": "{kv}"}], "sweep": {"q": [1, 64], "kv": [8]}})"),
      "workloads[0](q=64, kv=8).batch[0].kv: found 8; expected kv_len ≥ q_len = 64, because "
      "kv_len includes the query tokens, or \"allow_empty_rows\": true");
  EXPECT_EQ(fault_in(R"({"batch": [{"q": 1, "kv": "{kv}"}], "sweep": {"kv": ["8"]}})"),
            "workloads[0](kv=8).batch[0].kv: found \"8\"; expected an integer, 1 … 16777216");
}

TEST(Sweep, RefusesAProductThatIsTooLarge) {
  const std::string sweep = fmt::format(R"("sweep": {{"a": {0}, "b": {0}}})", one_to(400));
  EXPECT_EQ(fault_in(R"({"name": "{a}{b}", "batch": "q1", )" + sweep + "}"),
            "workloads[0].sweep: found a product that is larger; expected at most 100000 more "
            "workloads in this file");
}

TEST(Sweep, RefusesAFileThatExpandsToTooManySequences) {
  EXPECT_EQ(fault_in(R"({"batch": "1048576q1s{a}", "sweep": {"a": )" + one_to(40) + "}}"),
            "workloads[0](a=33): found 34603008 sequences and row ids in the workloads up to here; "
            "expected at most 33554432 in one file; split it");
}

}  // namespace
}  // namespace fa2bench
