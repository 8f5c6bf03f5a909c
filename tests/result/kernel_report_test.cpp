// SPDX-License-Identifier: MIT
#include "result/kernel_report.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace fa2bench {
namespace {

Launch kernel(const std::string& name, std::uint32_t blocks = 1) {
  Launch launch;
  launch.name = name;
  launch.grid = {blocks, 1, 1};
  launch.block = {128, 1, 1};
  return launch;
}

/// A call of "split" and "combine".
KernelTrace call(double first_us, double gap_us, double second_us) {
  KernelTrace trace;
  const double start = first_us + gap_us;
  trace.launches = {{kernel("split"), 0.0, first_us},
                    {kernel("combine"), start, start + second_us}};
  trace.span_us = start + second_us;
  return trace;
}

TEST(KernelReport, HasTheMedianOfEachPlace) {
  const KernelReport report =
      make_kernel_report({call(10.0, 1.0, 3.0), call(12.0, 5.0, 2.0), call(11.0, 0.5, 2.5)}, true);
  EXPECT_EQ(report.obstacle, "");
  EXPECT_EQ(report.calls, 3);
  EXPECT_TRUE(report.gated);
  ASSERT_EQ(report.launches.size(), 2U);
  EXPECT_EQ(report.launches[0].launch, kernel("split"));
  EXPECT_EQ(report.launches[0].us, 11.0);
  EXPECT_EQ(report.launches[0].gap_us, 0.0);
  EXPECT_EQ(report.launches[1].us, 2.5);
  EXPECT_EQ(report.launches[1].gap_us, 1.0);
  EXPECT_EQ(report.span_us, 14.0);
}

TEST(KernelReport, HasTheFunctionsOfTheLastCall) {
  KernelTrace first = call(10.0, 1.0, 3.0);
  first.api_calls = {{"cudaMalloc", 1}};
  KernelTrace last = call(10.0, 1.0, 3.0);
  last.api_calls = {{"cudaStreamSynchronize", 1}};
  EXPECT_EQ(make_kernel_report({first, last}, true).blocking, last.api_calls);
}

TEST(KernelReport, MeasuresAGapFromTheEndOfAllBefore) {
  KernelTrace trace;  // the second is done long before the first
  trace.launches = {
      {kernel("long"), 0.0, 20.0}, {kernel("short"), 1.0, 2.0}, {kernel("last"), 23.0, 24.0}};
  trace.span_us = 24.0;
  const KernelReport report = make_kernel_report({trace}, false);
  EXPECT_FALSE(report.gated);
  EXPECT_EQ(report.launches[1].gap_us, -19.0);
  EXPECT_EQ(report.launches[2].gap_us, 3.0);
}

TEST(KernelReport, IsNoneIfCallsDifferInNumber) {
  KernelTrace other = call(10.0, 1.0, 2.0);
  other.launches.pop_back();
  const KernelReport report =
      make_kernel_report({call(10.0, 1.0, 2.0), call(10.0, 1.0, 2.0), other}, true);
  EXPECT_EQ(report.obstacle, "calls differ: 1 launches in call 3, 2 in call 1");
  EXPECT_TRUE(report.launches.empty());
  EXPECT_EQ(report.calls, 3);
}

TEST(KernelReport, IsNoneIfCallsDifferInAKernelOrItsSize) {
  KernelTrace other = call(10.0, 1.0, 2.0);
  other.launches[1].launch = kernel("combine", 64);
  EXPECT_EQ(make_kernel_report({call(10.0, 1.0, 2.0), other}, true).obstacle,
            "calls differ: launch 2 is combine <<<64x1x1, 128x1x1>>> in call 2, combine <<<1x1x1, "
            "128x1x1>>> in call 1");
  other.launches[1].launch = {LaunchKind::fill, "64 bytes", {}, {}, 0, {}};
  EXPECT_EQ(make_kernel_report({call(10.0, 1.0, 2.0), other}, true).obstacle,
            "calls differ: launch 2 is fill of 64 bytes in call 2, combine <<<1x1x1, 128x1x1>>> in "
            "call 1");
}

}  // namespace
}  // namespace fa2bench
