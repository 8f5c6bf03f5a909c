// SPDX-License-Identifier: MIT
#include "result/self_test.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace fa2bench {
namespace {

using Outcome = SelfTestCheck::Outcome;

SelfTestCheck within(std::optional<double> low, std::optional<double> high) {
  SelfTestCheck check;
  check.name = "spin_20_us";
  check.low = low;
  check.high = high;
  return check;
}

TEST(SelfTestCheck, IsRightFromBoundToBound) {
  for (const double right : {19.5, 20.0, 20.5}) {
    const SelfTestCheck check = judge(within(19.5, 20.5), right, "why");
    EXPECT_EQ(check.outcome, Outcome::ok) << right;
    EXPECT_EQ(check.measured, right);
    EXPECT_EQ(check.reason, "");
  }
  for (const double wrong : {19.4, 20.6, std::numeric_limits<double>::quiet_NaN()}) {
    const SelfTestCheck check = judge(within(19.5, 20.5), wrong, "why");
    EXPECT_EQ(check.outcome, Outcome::failed) << wrong;
    EXPECT_EQ(check.reason, "why");
  }
}

TEST(SelfTestCheck, NeedsNoBounds) {
  EXPECT_EQ(judge(within({}, {}), 1e9, "").outcome, Outcome::ok);
  EXPECT_EQ(judge(within({}, 5.0), -1e9, "").outcome, Outcome::ok);
  EXPECT_EQ(judge(within(5.0, {}), 1e9, "").outcome, Outcome::ok);
  EXPECT_EQ(judge(within(5.0, {}), 4.0, "").outcome, Outcome::failed);
}

TEST(SelfTestCheck, SaysWhatIsExpected) {
  EXPECT_EQ(expectation(within(19.5, 20.5)), "19.5 … 20.5");
  EXPECT_EQ(expectation(within({}, 3.5)), "≤ 3.5");
  EXPECT_EQ(expectation(within(1.0, {})), "≥ 1");
  EXPECT_EQ(expectation(within({}, {})), "");
}

TEST(SelfTest, TellsTheFirstFailure) {
  SelfTest result;
  EXPECT_EQ(result.failure(), nullptr);
  result.checks = {judge(within(1.0, 2.0), 1.5, "a"), not_available(within(1.0, 2.0), "b")};
  EXPECT_EQ(result.failure(), nullptr);
  result.checks.push_back(judge(within(1.0, 2.0), 3.0, "c"));
  result.checks.push_back(judge(within(1.0, 2.0), 4.0, "d"));
  ASSERT_NE(result.failure(), nullptr);
  EXPECT_EQ(result.failure()->reason, "c");
}

TEST(SelfTestJson, HasNullForWhatIsNotThere) {
  SelfTest result;
  result.checks = {judge(within({}, 2.0), 1.5, "a"), not_available(within({}, {}), "b"),
                   judge(within({}, 2.0), std::numeric_limits<double>::quiet_NaN(), "c")};
  const auto json = nlohmann::json::parse(self_test_json(result));
  EXPECT_EQ(json["schema"], "ferrum-fa2-bench/selftest/v1");
  EXPECT_EQ(json["trusted"], false);
  EXPECT_EQ(json["checks"][0]["measured"], 1.5);
  EXPECT_TRUE(json["checks"][0]["low"].is_null());
  EXPECT_EQ(json["checks"][0]["high"], 2.0);
  EXPECT_TRUE(json["checks"][0]["reason"].is_null());
  EXPECT_TRUE(json["checks"][1]["measured"].is_null());
  EXPECT_EQ(json["checks"][1]["outcome"], "not_available");
  EXPECT_TRUE(json["checks"][2]["measured"].is_null());
  EXPECT_EQ(json["checks"][2]["outcome"], "failed");
}

}  // namespace
}  // namespace fa2bench
