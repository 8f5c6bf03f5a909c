// SPDX-License-Identifier: MIT
// Small configs that stand for much: sweeps and counts that multiply. Each is refused within a
// second and 1 GiB, before the product is made.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "hostile.hpp"

namespace fa2bench {
namespace {

using namespace test;

std::string list_of(std::size_t count) {
  std::string list = "[1";
  for (std::size_t i = 2; i <= count; ++i) list += fmt::format(", {}", i);
  return list + "]";
}

/// A sweep of `axes` axes a0, a1, … of `values` values each, all of them in the batch.
std::string product(std::size_t axes, std::size_t values) {
  std::string batch;
  std::string sweep;
  for (std::size_t a = 0; a < axes; ++a) {
    batch += fmt::format(R"({}{{"q": 1, "kv": "{{a{}}}"}})", a == 0 ? "" : ", ", a);
    sweep += fmt::format(R"({}"a{}": {})", a == 0 ? "" : ", ", a, list_of(values));
  }
  return config_with("\"batch\": [" + batch + "], \"sweep\": {" + sweep + "}");
}

TEST(HostileSweep, ToATrillionWorkloads) {
  for (const auto& [axes, values] : std::vector<std::pair<std::size_t, std::size_t>>{
           {12, 10}, {3, 10'000}, {2, 1'000'000}, {40, 2}, {64, 2}, {200, 2}}) {
    expect_refused(read_config_apart(product(axes, values)), "workloads[0].sweep: found");
  }
}

TEST(HostileSweep, OfThousandsOfAxesOfOneValue) {
  expect_refused(read_config_apart(product(60'000, 1)), "axes");
}

TEST(HostileSweep, WithAnAxisNameOfAMegabyte) {
  const std::string axis(1'000'000, 'a');
  expect_refused(read_config_apart(config_with("\"batch\": \"q1s{" + axis + "}\", \"sweep\": {\"" +
                                               axis + "\": " + list_of(10'000) + "}")),
                 "the axis name \"aaa");
}

TEST(HostileSweep, ThatMultipliesText) {
  const std::string big(1'000'000, 'x');
  // A terabyte if it were made.
  expect_refused(
      read_config_apart(config_with("\"batch\": \"q1\", \"name\": \"" + repeated("{a}", 1'000'000) +
                                    "\", \"sweep\": {\"a\": [\"" + big + "\"]}")),
      "more text to fill in");
  expect_refused(read_config_apart(config_with("\"batch\": [" + repeated("\"{a}\", ", 1'000'000) +
                                               "1], \"sweep\": {\"a\": [\"" + big + "\"]}")),
                 "more text to fill in");
}

TEST(HostileSweep, ThatCopiesALargeNote) {
  // 10^5 copies of the note would take minutes; it is not part of a workload.
  const Outcome outcome = read_config_apart(
      config_with(R"("name": "n{a}", "seed": "{a}", "batch": "q1", "block_table": {"_note": [)" +
                  repeated("1, ", 1'000'000) + "1]}, \"sweep\": {\"a\": " + list_of(1000) + "}"));
  expect_cheap(outcome);
  EXPECT_EQ(outcome.said, "1000 workloads");
}

TEST(HostileSweep, OverLargeDefaults) {
  // Rows of the defaults that every workload replaces count all the same: they are copied.
  expect_refused(
      read_config_apart(R"({"schema": "ferrum-fa2-bench/config/v1", "defaults": {"num_heads": 1,
                     "num_kv_heads": 1, "block_table": {"rows": [[)" +
                        repeated("1,", 1'000'000) + R"(1]]}}, "workloads": [{"name": "n{a}",
                     "seed": "{a}", "batch": "q1", "block_table": {"layout": "reversed"}, "sweep": {"a": )" +
                        list_of(10'000) + "}}]}"),
      "at most 33554432 in one file");
}

TEST(HostileSweep, OfTheLargestBatch) {
  expect_refused(read_config_apart(
                     config_with(R"("batch": [{"count": 1048576, "q": 1, "kv": 1}], "seed": "{a}",
                     "name": "n{a}", "sweep": {"a": )" +
                                 list_of(1000) + "}")),
                 "at most 33554432 in one file");
}

TEST(HostileSweep, WithReferencesDeepInside) {
  // The place of an inner element has a name as long as it is deep: it is not to be kept for each.
  const std::string level = "[{\"" + std::string(58, 'k') + "\": ";
  expect_refused(
      read_config_apart(config_with("\"batch\": \"q1\", \"name\": " + repeated(level, 28) + "[" +
                                    repeated("\"{a}\", ", 1'000'000) + "1]" + repeated("}]", 28) +
                                    ", \"sweep\": {\"a\": [1, 2]}")),
      "name: found an array; expected a string");
}

TEST(HostileCounts, ThatMultiplyPastSixtyFourBits) {
  const std::vector<std::pair<std::string, std::string>> batches{
      {R"([{"count": 1048576, "q": 1, "kv": 16777216}])", "block table of"},
      {R"([{"count": 1048576, "q": 16777216, "kv": 16777216}])", "query tokens in all"},
      {R"([{"count": 1048577, "q": 1, "kv": 1}])", "an integer, 1 … 1048576"},
      {R"([{"count": 1048576, "q": 1, "kv": 1}, {"count": 1, "q": 1, "kv": 1}])",
       "1048577 sequences or more"},
      {R"([{"count": 18446744073709551615, "q": 1, "kv": 1}])", "an integer, 1 … 1048576"},
      {R"([{"count": 18446744073709551617, "q": 1, "kv": 1}])", "an integer, 1 … 1048576"},
      {R"([{"count": 1e300, "q": 1, "kv": 1}])", "an integer, 1 … 1048576"},
      {R"([{"count": -9223372036854775808, "q": 1, "kv": 1}])", "an integer, 1 … 1048576"},
      {R"("1048576q1s16384k")", "block table of"},
      {R"("18446744073709551617q1")", "a count"},
      {R"("q18446744073709551617k")", "the new tokens"},
      {R"("1048576q1_1048576q1")", "sequences or more"}};
  for (const auto& [text, part] : batches) {
    expect_refused(read_config_apart(config_with("\"batch\": " + text)), part);
  }
}

TEST(HostileCounts, OfBlocksPastInt32) {
  expect_refused(read_config_apart(config_with(R"("batch": "128q1s16384k", "block_size": 1,
                                         "block_table": {"width": 16777216})")),
                 "block table of");
  expect_refused(read_config_apart(config_with(
                     R"("batch": "q1s17", "block_table": {"first_block": 2147483646})")),
                 "which an int32 block id can name");
}

}  // namespace
}  // namespace fa2bench
