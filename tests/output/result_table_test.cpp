// SPDX-License-Identifier: MIT
#include "output/result_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "golden.hpp"
#include "result/sample_report.hpp"

namespace fa2bench {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Two shims on a GPU with all that can become of a run.
Report many_statuses() {
  Report report = test::cuda_report();
  report.workloads[0].runs[0].timings[0].speed_of_light = 0.125;
  WorkloadResult wide = test::sample_workload("wide heads");
  wide.runs = {test::sample_run("old", Status::unsupported, "head_dim 512: the shim describes 128"),
               test::sample_run("new", Status::failed, "code 4 (launch failed): no kernel")};
  report.workloads.insert(report.workloads.begin() + 1, wide);
  report.workloads[0].runs[1].reason = "before timing: wrote no output";
  return report;
}

TEST(ResultTable, OfOneShimOnTheCpuIsTheGoldenFile) {
  EXPECT_EQ(result_table(test::cpu_report(), false), test::golden("output", "cpu.txt"));
}

TEST(ResultTable, OfTwoShimsAndEveryStatusIsTheGoldenFile) {
  EXPECT_EQ(result_table(many_statuses(), false), test::golden("output", "two_shims.txt"));
}

TEST(ResultTable, HasNoEscapesUnlessColorIsAsked) {
  EXPECT_THAT(result_table(many_statuses(), false), Not(HasSubstr("\033")));
}

TEST(ResultTable, ColorsTheStatusesThatAreNotOk) {
  const std::string text = result_table(many_statuses(), true);
  EXPECT_THAT(text, HasSubstr("décode · new · \033[31mwrong\033[0m: before timing"));
  EXPECT_THAT(text, HasSubstr("huge · old · \033[31mdoes_not_fit\033[0m: needs"));
  EXPECT_THAT(text, Not(HasSubstr("\033[31mok")));
}

TEST(ResultTable, ColorChangesNothingElse) {
  std::string text = result_table(many_statuses(), true);
  for (const std::string escape : {"\033[31m", "\033[0m"}) {
    for (std::size_t at = text.find(escape); at != std::string::npos; at = text.find(escape)) {
      text.erase(at, escape.size());
    }
  }
  EXPECT_EQ(text, result_table(many_statuses(), false));
}

TEST(ResultTable, ShowsADashWhereThereIsNoNumber) {
  Report report = test::cpu_report();
  Timing& timing = report.workloads[0].runs[0].timings[0];
  timing.device.median_interval.reset();
  timing.tb_per_s.reset();
  timing.tflop_per_s.reset();
  timing.speed_of_light.reset();
  EXPECT_THAT(
      result_table(report, false),
      HasSubstr("cold  ok           100.0 µs          -        8  10.00 µs         -         "
                "-             -\n"));
}

TEST(ResultTable, NamesTheCeilingsThatAreKnown) {
  Report report = test::cpu_report();
  report.ceilings = {{}, 1.5, ""};
  EXPECT_THAT(result_table(report, false), HasSubstr("; measured ceilings: matrix 1.5 TFLOP/s\n"));
  report.ceilings = {};
  EXPECT_THAT(result_table(report, false), Not(HasSubstr("ceilings")));
}

TEST(ResultTable, HasTheLastWordsOfAWorkerThatWasLost) {
  Report report = test::cpu_report();
  auto& run = report.workloads[0].runs[0];
  run.status = Status::crashed;
  run.reason = "the shim was killed";
  run.timings.clear();
  run.output = "first\n\x1b[31mlast\r\n\n";
  EXPECT_THAT(result_table(report, false),
              HasSubstr("crashed: the shim was killed\n  its last words: \\x1b[31mlast\n"));
  run.output = "only";
  EXPECT_THAT(result_table(report, false), HasSubstr("its last words: only\n"));
  run.output = " \n";
  EXPECT_THAT(result_table(report, false), Not(HasSubstr("last words")));
}

TEST(ResultTable, WarnsOfTimesUnderAProfiler) {
  Report report = test::cpu_report();
  EXPECT_THAT(result_table(report, false), Not(HasSubstr("timed under")));
  report.profiler = "ncu";
  EXPECT_THAT(result_table(report, false),
              HasSubstr("\ntimed under ncu: no baseline, and not to be compared\n"));
}

TEST(ResultTable, SaysInCacheInsteadOfAShareOfTheReadLimit) {
  Report report = test::cpu_report();
  report.workloads[0].runs[0].timings[1].cache_resident = true;
  EXPECT_THAT(result_table(report, false), HasSubstr("in cache"));
}

}  // namespace
}  // namespace fa2bench
