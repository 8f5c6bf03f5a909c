// SPDX-License-Identifier: MIT
#include "output/self_test_table.hpp"

#include <gtest/gtest.h>

namespace fa2bench {
namespace {

SelfTestCheck spin() {
  SelfTestCheck check;
  check.name = "spin_20_us";
  check.what = "kernel of 20 µs";
  check.unit = "us";
  check.low = 19.5;
  check.high = 20.5;
  return check;
}

TEST(SelfTestTable, HasARowForEachCheckAndAVerdict) {
  SelfTest result;
  result.device.name = "NVIDIA H200";
  result.checks = {judge(spin(), 20.02, "x"), not_available(spin(), "no gate")};
  EXPECT_EQ(self_test_table(result),
            "NVIDIA H200\n"
            "\n"
            "check            measured     expected  unit  outcome\n"
            "───────────────────────────────────────────────────────────\n"
            "kernel of 20 µs     20.02  19.5 … 20.5  µs    ok\n"
            "kernel of 20 µs         -  19.5 … 20.5  µs    not available\n"
            "\n"
            "not available: kernel of 20 µs: no gate\n"
            "\n"
            "can be trusted: 1 ok, 0 failed, 1 not available\n");
  result.checks.push_back(judge(spin(), 24.0, "the clock moves"));
  EXPECT_NE(self_test_table(result).find("cannot be trusted: 1 ok, 1 failed, 1 not available\n"),
            std::string::npos);
}

TEST(SelfTestTable, SaysAFailureInOneLine) {
  EXPECT_EQ(failure_text(judge(spin(), 24.0, "the clock moves")),
            "kernel of 20 µs: 24, expected 19.5 … 20.5 µs: the clock moves");
}

}  // namespace
}  // namespace fa2bench
