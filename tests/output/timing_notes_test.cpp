// SPDX-License-Identifier: MIT
#include "output/timing_notes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "output/result_table.hpp"
#include "result/sample_report.hpp"

namespace fa2bench {
namespace {

using testing::HasSubstr;
using testing::Not;

Telemetry at(std::optional<double> sm_mhz, std::vector<std::string> reasons = {},
             std::optional<double> power_w = std::nullopt) {
  Telemetry telemetry;
  telemetry.sm_mhz = sm_mhz;
  telemetry.power_w = power_w;
  telemetry.throttle_reasons = std::move(reasons);
  return telemetry;
}

/// Twelve samples of four trials, settled, at a clock that stays.
Samples quiet(Mode mode = Mode::cold) {
  Samples samples;
  samples.mode = mode;
  samples.settled = true;
  samples.trials.assign(4, {3, 3, 0.5});
  for (const double us : {100.0, 101.0, 99.0, 102.0}) {
    samples.device_us.insert(samples.device_us.end(), 3, us);
  }
  samples.host_us.assign(12, 5.0);
  samples.telemetry = {{0, at(1980.0)}, {3, at(1979.0)}};
  return samples;
}

/// One workload a, b, … for each of these, of a model with 2 layers.
Report report_of(const std::vector<Samples>& all) {
  Report report = test::cuda_report();
  report.shims.resize(1);
  report.workloads.clear();
  std::string name = "a";
  for (const Samples& samples : all) {
    WorkloadResult workload = test::sample_workload(name);
    Run run = test::sample_run("new", Status::ok, "");
    run.verify = test::sample_verify();
    run.timings = {make_timing(samples, workload.plan, report.device, {})};
    workload.runs = {run};
    report.workloads.push_back(workload);
    ++name[0];
  }
  return report;
}

std::string notes(const std::vector<Samples>& all) { return timing_notes(report_of(all)); }

TEST(TimingNotes, SayThatAProcessLaunchedSlowly) {
  Report report = report_of({quiet(), quiet()});
  report.quick_launch_us = 1.4375;
  for (WorkloadResult& workload : report.workloads) workload.runs[0].launch_us = {1.375, 1.4375};
  EXPECT_EQ(timing_notes(report), "");
  report.workloads[1].runs[0].launch_us.push_back(1.4376);
  EXPECT_THAT(timing_notes(report),
              testing::AllOf(HasSubstr("launch kernels quickly"), HasSubstr("(in b)")));
  report.quick_launch_us.reset();
  EXPECT_EQ(timing_notes(report), "");
}

TEST(TimingNotes, AreNoneOfTimesThatCanBeTrusted) {
  EXPECT_EQ(notes({}), "");
  EXPECT_EQ(notes({quiet(), quiet(Mode::warm)}), "");
}

TEST(TimingNotes, SayOnceThatTheGpuWouldWaitForTheHost) {
  Samples slow = quiet();
  slow.host_us.assign(12, 200.0);
  Samples graph = slow;
  graph.mode = Mode::graph_warm;
  EXPECT_EQ(notes({slow, quiet(), graph}),
            "a call takes longer to return than the GPU takes for it: back to back, the GPU waits "
            "for the host (in a · cold, c · graph_warm)\n");
}

TEST(TimingNotes, SayThatTheWarmUpEndedTooSoon) {
  Samples samples = quiet();
  samples.settled = false;
  EXPECT_EQ(notes({samples}), "times had not settled when the warm-up ended (in a · cold)\n");
}

TEST(TimingNotes, SayWhatHeldTheGpuBackAndHowFar) {
  Samples samples = quiet();
  samples.telemetry.insert(samples.telemetry.begin() + 1,
                           {1, at(1755.0, {"gpu_idle", "sw_power_cap"})});
  samples.trials[2].duty = 0.25;
  Samples hotter = quiet(Mode::warm);
  hotter.telemetry.insert(hotter.telemetry.begin() + 1,
                          {1, at(1500.0, {"sw_power_cap", "hw_thermal"})});
  EXPECT_EQ(notes({samples, quiet(), hotter}),
            "power or heat held the GPU back: sw_power_cap, hw_thermal, SM clock down to 1500 MHz, "
            "duty lowered to 25 % (in a · cold, c · warm)\n");
}

TEST(TimingNotes, NameNoClockThatIsNotKnownAndNoDutyThatWasKept) {
  Samples samples = quiet();
  samples.telemetry[1].telemetry = at(std::nullopt, {"hw_slowdown"});
  EXPECT_EQ(notes({samples}), "power or heat held the GPU back: hw_slowdown (in a · cold)\n");
}

TEST(TimingNotes, DoNotMindClocksThatSomebodyChose) {
  Samples samples = quiet();
  samples.telemetry[1].telemetry = at(1979.0, {"gpu_idle", "applications_clocks"});
  EXPECT_EQ(notes({samples}), "");
}

TEST(TimingNotes, SayHowFastTheSmsReallyRanInCalls) {
  Samples slowed = quiet();
  slowed.telemetry[0].telemetry.sm_mhz_in_call = 1700.0;
  EXPECT_EQ(notes({slowed}),
            "in the calls the SMs ran at 1700 MHz, though NVML says 1980 MHz (in a · cold)\n");
  Samples less = quiet();
  less.telemetry[0].telemetry.sm_mhz_in_call = 1880.0;
  EXPECT_THAT(notes({slowed, less}),
              HasSubstr("ran at 1700 … 1880 MHz, though NVML says 1980 MHz"));
  less.telemetry[0].telemetry.sm_mhz_in_call = 1900.0;  // a few µs around the call count too
  EXPECT_EQ(notes({less}), "");
}

TEST(TimingNotes, SayThatAClockChangedByMoreThanOnePercent) {
  Samples down = quiet();
  down.telemetry = {{0, at(2000.0)}, {1, at(500.0)}, {3, at(1980.0)}};
  EXPECT_EQ(notes({down}), "");
  down.telemetry.back().telemetry = at(1970.0);
  EXPECT_EQ(notes({down}),
            "the SM clock changed by 1.5 % from the first trial to the last (in a · cold)\n");
  Samples up = quiet();
  up.telemetry = {{0, at(1000.0)}, {3, at(1980.0)}};
  EXPECT_EQ(notes({down, up}),
            "the SM clock changed by up to 98.0 % from the first trial to the last (in a · cold, b "
            "· cold)\n");
  Samples memory = quiet();
  memory.telemetry[0].telemetry.memory_mhz = 3200.0;
  EXPECT_EQ(notes({memory}), "");  // not known at the end
  memory.telemetry[1].telemetry.memory_mhz = 2600.0;
  EXPECT_THAT(notes({memory}), HasSubstr("the memory clock changed by 18.8 %"));
}

TEST(TimingNotes, SayThatAnIntervalIsOfSamplesOnlyAsTheTableMarksIt) {
  Samples one = quiet();
  one.trials = {{12, 3, 0.5}};
  one.telemetry = {{0, at(1980.0)}};
  const Report report = report_of({one});
  EXPECT_EQ(timing_notes(report),
            "* ± is of the samples alone: it does not cover other places in memory (in a · "
            "cold)\n");
  EXPECT_THAT(result_table(report, false), HasSubstr(" % *  "));
  EXPECT_THAT(result_table(report_of({quiet()}), false), Not(HasSubstr("*")));
}

TEST(TimingNotes, SayThatAStepHasFewerLayersThanTheModel) {
  Samples step = quiet(Mode::step);
  step.calls = 2;
  Report report = report_of({step});
  EXPECT_EQ(timing_notes(report), "");
  report.workloads[0].workload.layers = 48;
  EXPECT_EQ(timing_notes(report),
            "a step is of 2 of the model's 48 layers: no more fit into memory (in a · step)\n");
  report.workloads[0].workload.layers = 0;  // of a result that does not say
  EXPECT_EQ(timing_notes(report), "");
}

TEST(TimingNotes, SayThatAShimWaitsAndWhatNamesTheCalls) {
  Samples samples = quiet();
  samples.host_blocking = true;
  Report report = report_of({samples});
  const std::string waits =
      "the shim waits for the device inside the call, so that times hold delays of the host";
  EXPECT_EQ(timing_notes(report),
            waits + "; --kernels names the calls where CUPTI is there (in a)\n");
  report.workloads[0].runs[0].kernels.emplace().obstacle = "CUPTI is not here";
  EXPECT_EQ(timing_notes(report), waits + " (in a)\n");
  report.workloads[0].runs[0].kernels->blocking = {{"cudaMalloc", 1}, {"cudaFree", 1}};
  EXPECT_EQ(timing_notes(report), waits + ": cudaMalloc x 1, cudaFree x 1 (in a)\n");
}

TEST(TimingNotes, NameWhatAShimDoesInsideTheCallThatDoesNotWait) {
  Report report = report_of({quiet()});
  report.workloads[0].runs[0].kernels.emplace();
  EXPECT_EQ(timing_notes(report), "");
  report.workloads[0].runs[0].kernels->blocking = {
      {"cudaMallocAsync", 1}, {"cudaFreeAsync", 1}, {"cudaEventSynchronize", 3}};
  EXPECT_EQ(timing_notes(report),
            "the shim allocates, synchronizes inside the call: cudaMallocAsync x 1, cudaFreeAsync "
            "x 1, cudaEventSynchronize x 3 (in a)\n");
}

TEST(TimingNotes, TellHowASustainedRateCameAbout) {
  Samples samples = quiet(Mode::sustained);
  samples.calls = 2;
  samples.settled = false;
  samples.settled_from = 2;
  samples.trials.assign(5, {1, 3, 1.0});
  samples.device_us = {200.0, 190.0, 238.0, 240.0, 242.0};
  samples.host_us.assign(5, 20.0);
  samples.telemetry = {{0, at(1980.0, {}, 350.0)},
                       {1, at(1980.0)},
                       {2, at(1700.0, {"sw_power_cap"}, 700.0)},
                       {4, at(1650.0, {"sw_power_cap"}, 699.6)}};
  EXPECT_EQ(notes({samples}),
            "a · sustained: a call takes 100.0 µs (1980 MHz, 350 W) at first, 95.00 µs (1980 MHz) "
            "at its fastest, and settles at 120.0 µs (1650 MHz, 700 W, sw_power_cap)\n");
  samples.telemetry.clear();
  EXPECT_EQ(notes({samples}),
            "a · sustained: a call takes 100.0 µs at first, 95.00 µs at its fastest, and settles "
            "at 120.0 µs\n");
}

TEST(TimingNotes, NameTheShimWhereThereAreSeveral) {
  Samples samples = quiet();
  samples.settled = false;
  Report report = report_of({samples});
  report.shims.resize(2);
  EXPECT_THAT(timing_notes(report), HasSubstr("(in a · new · cold)"));
}

TEST(TimingNotes, OfTimesUnderAProfilerAreNone) {
  Samples samples = quiet();
  samples.settled = false;
  Report report = report_of({samples});
  report.profiler = "--profile";
  EXPECT_EQ(timing_notes(report), "");
}

TEST(TimingNotes, StandBelowTheTable) {
  Samples samples = quiet();
  samples.settled = false;
  const Report report = report_of({samples});
  EXPECT_THAT(result_table(report, false), HasSubstr("\n" + timing_notes(report)));
}

}  // namespace
}  // namespace fa2bench
