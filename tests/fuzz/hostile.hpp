// SPDX-License-Identifier: MIT
// What the tests of hostile inputs share: texts, and the claim that they are refused cheaply.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "apart.hpp"
#include "workload/config.hpp"

namespace fa2bench::test {

/// `text` `count` times.
inline std::string repeated(std::string_view text, std::size_t count) {
  std::string all;
  all.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

/// A config of one workload that has `members` besides its heads.
inline std::string config_with(const std::string& members) {
  return R"({"schema": "ferrum-fa2-bench/config/v1", "workloads": [{"num_heads": 4, )"
         R"("num_kv_heads": 2, )" +
         members + "}]}";
}

/// What reading a config came to.
inline Outcome read_config_apart(const std::string& text) {
  return run_apart([&] {
    return std::to_string(read_config(parse_json("c.json", text)).size()) + " workloads";
  });
}

inline void expect_cheap(const Outcome& outcome) {
  EXPECT_EQ(outcome.fault, "") << outcome.said;
  EXPECT_LE(outcome.cpu_s, kMostSeconds) << outcome.said;
  if (!kSanitized) {
    EXPECT_LE(outcome.peak_mib, kMostMib) << outcome.said;
  }
}

/// The input was refused with a message that has `part`, and at little cost.
inline void expect_refused(const Outcome& outcome, const std::string& part) {
  expect_cheap(outcome);
  EXPECT_TRUE(outcome.refused) << outcome.said;
  EXPECT_THAT(outcome.said, testing::HasSubstr(part));
  EXPECT_LE(outcome.said.size(), 2000U);
  EXPECT_EQ(outcome.said.find('\n'), std::string::npos);
}

}  // namespace fa2bench::test
