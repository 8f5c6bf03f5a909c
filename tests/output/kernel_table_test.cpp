// SPDX-License-Identifier: MIT
#include "output/kernel_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "golden.hpp"
#include "result/sample_report.hpp"

namespace fa2bench {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Kernels of both shims, then a workload that none could be traced of.
Report traced() {
  Report report = test::cuda_report();
  Run& other = report.workloads[0].runs[1];
  other.kernels = test::sample_kernels();
  other.kernels->launches.resize(2);
  other.kernels->launches.erase(other.kernels->launches.begin());
  for (Run& run : report.workloads[1].runs) run.kernels.emplace().obstacle = "CUPTI is not here";
  return report;
}

TEST(KernelTable, IsTheGoldenFile) {
  EXPECT_EQ(kernel_table(traced()), test::golden("output", "kernels.txt"));
}

TEST(KernelTable, IsNothingIfNobodyAsked) { EXPECT_EQ(kernel_table(test::cpu_report()), ""); }

TEST(KernelTable, HasOnlyReasonsIfNothingCouldBeTraced) {
  Report report = test::cpu_report();
  report.workloads[0].runs[0].kernels.emplace().obstacle = "CUPTI is not here";
  EXPECT_EQ(kernel_table(report), "no kernels of good: CUPTI is not here (in decode)\n");
}

TEST(KernelTable, LeavesNoByteOfANameToTheTerminal) {
  Report report = traced();
  report.workloads[0].runs[0].kernels->launches[2].launch.name = "evil\x1b[31m\n";
  EXPECT_THAT(kernel_table(report), HasSubstr("evil\\x1b[31m\\n"));
  EXPECT_THAT(kernel_table(report), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace fa2bench
