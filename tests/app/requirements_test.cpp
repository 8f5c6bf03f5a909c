// SPDX-License-Identifier: MIT
#include "app/requirements.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "result/sample_report.hpp"

namespace fa2bench {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

std::string refusal(const std::string& text) {
  try {
    (void)parse_clock_range(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

TEST(ParseClockRange, TakesAClockWithOnePercent) {
  const ClockRange range = parse_clock_range("1980");
  EXPECT_EQ(range.mhz, 1980.0);
  EXPECT_EQ(range.tolerance_percent, 1.0);
}

TEST(ParseClockRange, TakesATolerance) {
  EXPECT_EQ(parse_clock_range("1980±2%").tolerance_percent, 2.0);
  EXPECT_EQ(parse_clock_range("1980+-0.5%").tolerance_percent, 0.5);
  EXPECT_EQ(parse_clock_range("1980±0%").tolerance_percent, 0.0);
  EXPECT_EQ(parse_clock_range("1980.5+-2%").mhz, 1980.5);
}

TEST(ParseClockRange, RefusesEverythingElse) {
  for (const std::string text :
       {"", "fast", "0", "-1980", "nan", "inf", "100001", "1980MHz", "1980 ", "1980±", "1980±2",
        "1980±%", "1980±x%", "1980±-1%", "1980±51%", "1980±nan%", "±1%", "1980+-", "1980%"}) {
    EXPECT_THAT(refusal(text), HasSubstr("--require-clocks " + text + ": expected MHz from 1 to "))
        << text;
  }
}

DeviceFacts gpu() {
  DeviceFacts facts;
  facts.kind = DeviceKind::cuda;
  facts.uuid = "GPU-0123";
  return facts;
}

DeviceFacts cpu(int processors) {
  DeviceFacts facts;
  facts.processors = processors;
  return facts;
}

Telemetry reading(std::optional<int> others, std::optional<double> utilization) {
  Telemetry telemetry;
  telemetry.other_compute_processes = others;
  telemetry.utilization_percent = utilization;
  return telemetry;
}

Telemetry at_clock(std::optional<double> mhz) {
  Telemetry telemetry;
  telemetry.sm_mhz = mhz;
  return telemetry;
}

const Requirements kIdle{true, std::nullopt};
const Requirements kClocks{false, ClockRange{1980.0, 1.0}};

std::string unmet_idle(const Telemetry& before) {
  return unmet_before(kIdle, {before, {}, {}}, gpu());
}

TEST(RequireNothing, IsMetByWhatIsNotKnown) {
  EXPECT_EQ(unmet_before({}, {}, gpu()), "");
  EXPECT_EQ(unmet_now({}, {}, gpu()), "");
  EXPECT_EQ(unmet_before({}, {reading(3, 100.0), {}, {}}, gpu()), "");
}

TEST(RequireIdle, IsMetByAGpuWithNobodyElse) {
  EXPECT_EQ(unmet_idle(reading(0, 0.0)), "");
  EXPECT_EQ(unmet_idle(reading(0, kBusyPercent)), "");
  EXPECT_EQ(unmet_idle(reading(0, std::nullopt)), "");  // a MIG part
}

TEST(RequireIdle, CountsTheOthers) {
  EXPECT_THAT(unmet_idle(reading(1, 0.0)), HasSubstr("1 other compute process is on the GPU"));
  EXPECT_THAT(unmet_idle(reading(2, 0.0)), HasSubstr("2 other compute processes are on the GPU"));
}

TEST(RequireIdle, IsNotMetByABusyGpuWithNobodyToBeSeen) {
  EXPECT_THAT(unmet_idle(reading(0, 37.0)), HasSubstr("the GPU was 37 % busy before this run"));
}

TEST(RequireIdle, IsNotMetByWhatIsNotKnown) {
  EXPECT_THAT(unmet_idle(reading(std::nullopt, 0.0)), HasSubstr("is not known here"));
  EXPECT_THAT(unmet_now(kIdle, {}, gpu()), HasSubstr("is not known here"));
}

TEST(RequireIdle, DoesNotMindOurOwnWorkDuringTheRun) {
  EXPECT_EQ(unmet_now(kIdle, reading(0, 100.0), gpu()), "");
}

TEST(RequireIdle, NoticesWhoComesLater) {
  EXPECT_THAT(unmet_now(kIdle, reading(1, 100.0), gpu()), HasSubstr("1 other compute process"));
}

std::string unmet_load(std::optional<double> load, int processors) {
  Telemetry before;
  before.load_average = load;
  return unmet_before(kIdle, {before, {}, {}}, cpu(processors));
}

TEST(RequireIdle, LooksAtTheLoadOfACpu) {
  EXPECT_EQ(unmet_load(0.5, 2), "");
  EXPECT_THAT(unmet_load(0.75, 2),
              HasSubstr("the load average of the last minute is 0.75, at most 0.5 expected"));
  EXPECT_EQ(unmet_load(9.0, 192), "");
  EXPECT_THAT(unmet_load(10.0, 192), HasSubstr("at most 9.6 expected"));
  EXPECT_THAT(unmet_load(std::nullopt, 2), HasSubstr("is not known here"));
}

TEST(RequireIdle, DoesNotCountOurOwnLoadOfACpuDuringTheRun) {
  Telemetry now;
  now.load_average = 2.0;
  EXPECT_EQ(unmet_now(kIdle, now, cpu(2)), "");
}

TEST(RequireClocks, IsMetWithinTheTolerance) {
  for (const double mhz : {1960.5, 1980.0, 1999.5}) {
    EXPECT_EQ(unmet_now(kClocks, at_clock(mhz), gpu()), "") << mhz;
  }
}

TEST(RequireClocks, NamesTheClockAndWhatFixesIt) {
  for (const double mhz : {1755.0, 1960.0, 2000.0}) {
    const std::string text = unmet_now(kClocks, at_clock(mhz), gpu());
    EXPECT_THAT(text, HasSubstr("--require-clocks 1980±1%: the SM clock is "));
    EXPECT_THAT(text, HasSubstr("nvidia-smi -i GPU-0123 -lgc 1980"));
  }
}

TEST(RequireClocks, IsNotMetByAClockThatIsNotKnown) {
  EXPECT_THAT(unmet_now(kClocks, {}, gpu()), HasSubstr("the SM clock is not known here"));
  EXPECT_THAT(unmet_now(kClocks, at_clock(1980.0), cpu(2)),
              HasSubstr("the CPU's frequency is not known here"));
}

TEST(RequireClocks, LooksAtTheDeviceOnceItIsReadyNotWhileItRests) {
  EXPECT_EQ(unmet_before(kClocks, {at_clock(345.0), at_clock(1980.0), {}}, gpu()), "");
  EXPECT_NE(unmet_before(kClocks, {at_clock(1980.0), at_clock(345.0), {}}, gpu()), "");
}

TEST(RequireClocks, OfACpuAreItsFrequency) {
  Telemetry telemetry;
  telemetry.cpu_mhz = 1985.0;
  EXPECT_EQ(unmet_now(kClocks, telemetry, cpu(2)), "");
  telemetry.cpu_mhz = 2500.0;
  EXPECT_THAT(
      unmet_now(kClocks, telemetry, cpu(2)),
      HasSubstr("the CPU's frequency is 2500 MHz; fix it (cpupower frequency-set -d 1980MHz "
                "-u 1980MHz)"));
}

/// Two trials at these clocks of one workload and mode.
Report with_trials(double first_mhz, double second_mhz) {
  Report report = test::cuda_report();
  Samples& samples = report.workloads[0].runs[0].timings[0].samples;
  samples.trials = {{4, 1, 0.5}, {4, 1, 0.5}};
  samples.telemetry = {{0, at_clock(first_mhz)}, {1, at_clock(second_mhz)}};
  report.workloads[0].runs[0].timings.resize(1);
  return report;
}

TEST(RequireClocks, HoldForEveryTrial) {
  EXPECT_EQ(unmet_during(kClocks, with_trials(1980.0, 1979.0)), "");
  const std::string text = unmet_during(kClocks, with_trials(1980.0, 1755.0));
  EXPECT_THAT(text, HasSubstr("the SM clock is 1755 MHz"));
  EXPECT_THAT(text, EndsWith("(first seen after trial 2 of décode · old, cold)"));
}

TEST(RequireIdle, NamesTheTrialAfterWhichSomebodyWasThere) {
  Report report = with_trials(1980.0, 1980.0);
  auto& after = report.workloads[0].runs[0].timings[0].samples.telemetry;
  after[0].telemetry.other_compute_processes = after[1].telemetry.other_compute_processes = 0;
  EXPECT_EQ(unmet_during(kIdle, report), "");
  after[1].telemetry.other_compute_processes = 1;
  EXPECT_THAT(unmet_during(kIdle, report),
              EndsWith("(first seen after trial 2 of décode · old, cold)"));
  EXPECT_EQ(unmet_during({}, report), "");
}

TEST(Requirements, NameTheOthersBeforeTheClocks) {
  const Requirements both{true, ClockRange{1980.0, 1.0}};
  EXPECT_THAT(unmet_now(both, reading(1, 0.0), gpu()), HasSubstr("--require-idle"));
  Telemetry alone = reading(0, 0.0);
  alone.sm_mhz = 345.0;
  EXPECT_THAT(unmet_now(both, alone, gpu()), HasSubstr("--require-clocks"));
}

}  // namespace
}  // namespace fa2bench
