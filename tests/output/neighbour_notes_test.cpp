// SPDX-License-Identifier: MIT
#include "output/neighbour_notes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "output/result_table.hpp"
#include "result/sample_report.hpp"

namespace fa2bench {
namespace {

TEST(NeighbourNotes, SayNothingOfAGpuThatIsOurs) {
  EXPECT_EQ(neighbour_notes(test::cuda_report()), "");
  EXPECT_EQ(neighbour_notes(test::cpu_report()), "");
}

TEST(NeighbourNotes, SayNothingOfWhatIsNotKnown) {
  Report report = test::cuda_report();
  report.telemetry = {};
  EXPECT_EQ(neighbour_notes(report), "");
}

TEST(NeighbourNotes, NameTheMomentAtWhichOthersWereSeen) {
  Report report = test::cuda_report();
  report.telemetry.before.other_compute_processes = 1;
  EXPECT_EQ(neighbour_notes(report),
            "warning: 1 other compute process was on the GPU before the run, so that times may be "
            "longer\n");
  report.telemetry.before.other_compute_processes = 0;
  report.telemetry.after.other_compute_processes = 2;
  EXPECT_EQ(neighbour_notes(report),
            "warning: 2 other compute processes were on the GPU after the run, so that times may "
            "be longer\n");
}

TEST(NeighbourNotes, WarnOfABusyGpuWithNobodyToBeSeen) {
  Report report = test::cuda_report();
  report.telemetry.before.utilization_percent = kBusyPercent;
  EXPECT_EQ(neighbour_notes(report), "");
  report.telemetry.before.utilization_percent = 37.0;
  for (const std::optional<int> others : {std::optional(0), std::optional<int>()}) {
    report.telemetry.before.other_compute_processes = others;
    EXPECT_EQ(neighbour_notes(report),
              "warning: the GPU was 37 % busy before the run, with whose work is not known, so "
              "that times may be longer\n");
  }
}

TEST(NeighbourNotes, NameTheWorkloadsDuringWhichOthersCame) {
  Report report = test::cuda_report();
  Samples& samples = report.workloads[0].runs[0].timings[0].samples;
  samples.telemetry.assign(2, {});
  samples.telemetry.front().telemetry.other_compute_processes = 3;
  samples.telemetry.back().telemetry.other_compute_processes = 1;
  EXPECT_EQ(neighbour_notes(report),
            "warning: 3 other compute processes were on the GPU during the run, so that times may "
            "be longer (in décode)\n");
}

TEST(NeighbourNotes, DoNotMindOurOwnWorkAfterTheRun) {
  Report report = test::cuda_report();
  report.telemetry.after.utilization_percent = 100.0;
  EXPECT_EQ(neighbour_notes(report), "");
}

TEST(NeighbourNotes, WarnOfTheLoadOfACpu) {
  Report report = test::cpu_report();
  report.telemetry.before.load_average = 0.5;
  EXPECT_EQ(neighbour_notes(report), "");
  report.telemetry.before.load_average = 3.25;
  EXPECT_EQ(neighbour_notes(report),
            "warning: the load average of the minute before the run was 3.25 on 8 logical CPUs, so "
            "that times may be longer\n");
  report.telemetry.before.load_average.reset();
  EXPECT_EQ(neighbour_notes(report), "");
}

TEST(NeighbourNotes, NameTheGovernorOfACpuThatChangesItsFrequency) {
  Report report = test::cpu_report();
  report.host.cpu_governor = "powersave";
  EXPECT_EQ(neighbour_notes(report),
            "the CPU's governor is powersave, not performance: times move with its frequency\n");
  report.host.cpu_governor.clear();
  EXPECT_EQ(neighbour_notes(report), "");
}

TEST(NeighbourNotes, DoNotMindTheCpuOfAGpu) {
  Report report = test::cuda_report();
  report.telemetry.before.load_average = 3.25;
  report.host.cpu_governor = "powersave";
  EXPECT_EQ(neighbour_notes(report), "");
}

TEST(NeighbourNotes, StandBelowTheTable) {
  Report report = test::cuda_report();
  report.telemetry.before.other_compute_processes = 1;
  EXPECT_THAT(result_table(report, false),
              testing::HasSubstr("\nwarning: 1 other compute process"));
}

}  // namespace
}  // namespace fa2bench
