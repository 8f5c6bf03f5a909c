// SPDX-License-Identifier: MIT
#include "compare/differences.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "compare/result_samples.hpp"

namespace fa2bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// What differs if the new side is changed so.
Differences after(const std::function<void(Report&)>& change) {
  const NamedReport base = test::sample_rows("base", 1, 10.0);
  NamedReport next = base;
  next.name = "new";
  change(next.report);
  return differences_of_runs(base, next);
}

TEST(Differences, OfARunAndItselfThereAreNone) {
  const Differences differences = after([](Report&) {});
  EXPECT_THAT(differences.forbidding, IsEmpty());
  EXPECT_THAT(differences.others, IsEmpty());
}

TEST(Differences, ForbidAnotherModelMigKindOrNumberOfProcessors) {
  EXPECT_THAT(after([](Report& r) { r.device.name = "Other GPU"; }).forbidding,
              ElementsAre("model: Example GPU → Other GPU"));
  EXPECT_THAT(after([](Report& r) { r.device.mig = true; }).forbidding,
              ElementsAre("MIG: off → on"));
  EXPECT_THAT(after([](Report& r) { r.device.processors = 16; }).forbidding,
              ElementsAre("processors: 132 → 16"));
  EXPECT_THAT(after([](Report& r) { r.device.kind = DeviceKind::host; }).forbidding,
              ElementsAre("device: GPU → CPU"));
}

TEST(Differences, ForbidWhatWasTakenUnderAProfiler) {
  EXPECT_THAT(after([](Report& r) { r.profiler = "nsys"; }).forbidding,
              ElementsAre(HasSubstr("new was taken under nsys")));
}

TEST(Differences, ArePassedOverWhereOnlyIndexAndUuidDiffer) {
  const Differences differences = after([](Report& r) {
    r.device.index = 3;
    r.device.uuid = "GPU-7";
  });
  EXPECT_THAT(differences.forbidding, IsEmpty());
  EXPECT_THAT(differences.others, IsEmpty());
}

TEST(Differences, OfEverythingElseAreListed) {
  const Differences differences = after([](Report& r) {
    r.device.driver = "590";
    r.device.cuda_driver = "13.1";
    r.device.ecc = true;
    r.device.power_limit_w = 500.0;
    r.device.max_sm_mhz = 1755.0;
    r.tool.version = "0.2.0";
    r.tool.git = "fedcba";
    r.host.hostname = "bench-2";
    r.host.cpu_governor = "powersave";
    r.config_sha256 = std::string(64, 'd');
    r.limits.processes = 3;
    r.limits.duty = 0.25;
  });
  EXPECT_THAT(differences.forbidding, IsEmpty());
  EXPECT_THAT(
      differences.others,
      ElementsAre("driver: not known → 590", "CUDA of the driver: not known → 13.1",
                  "ECC: not known → on", "power limit in W: not known → 500",
                  "highest SM clock in MHz: not known → 1755", "tool: not known → 0.2.0",
                  "tool's commit: not known → fedcba", "host: not known → bench-2",
                  "CPU governor: not known → powersave", "config: not known → dddddddddddd",
                  "limits: 5 s, 0.5 %, 1 process → 5 s, 0.5 %, 3 processes", "duty: 0.5 → 0.25"));
}

TEST(Differences, ForbidAnotherCacheGateOrNumberOfCalls) {
  const Timing base = test::sample_timing(10.0);
  const auto lines = [&](const std::function<void(Samples&)>& change) {
    Timing next = base;
    change(next.samples);
    const std::vector<TimedPair> pairs{{"w0", "0", Mode::cold, {&base}, &next, ""},
                                       {"w1", "1", Mode::cold, {&base}, &next, ""},
                                       {"w2", "2", Mode::cold, {&base}, nullptr, "no time"}};
    return differences_of_pairs(pairs);
  };
  EXPECT_THAT(lines([](Samples&) {}), IsEmpty());
  EXPECT_THAT(lines([](Samples& s) { s.cache = CacheState::as_left; }),
              ElementsAre("cache: swept → as_left (w0 · cold) and 1 more"));
  EXPECT_THAT(lines([](Samples& s) { s.gated = false; }),
              ElementsAre("gate: gated → without the gate (w0 · cold) and 1 more"));
  EXPECT_THAT(lines([](Samples& s) { s.calls = 48; }),
              ElementsAre("calls of a sample: 1 → 48 (w0 · cold) and 1 more"));
}

TEST(Differences, ForbidAnotherDataRecipe) {
  const NamedReport base = test::sample_rows("base", 2, 10.0);
  NamedReport next = base;
  EXPECT_THAT(differences_of_data(base, next), IsEmpty());
  next.report.workloads[1].recipe = "uniform/v0";
  EXPECT_THAT(differences_of_data(base, next), ElementsAre(HasSubstr(" → uniform/v0 (w1)")));
}

TEST(Differences, TellTheSameBuildFromAnother) {
  const NamedReport base = test::sample_rows("base", 1, 10.0);
  NamedReport next = base;
  const Side before{"base", &base.report, 0};
  const Side now{"new", &next.report, 0};
  EXPECT_THAT(notes_on_shims(before, now), ElementsAre(HasSubstr("the same build on both sides")));
  next.report.shims[0].fingerprint.sha256 = std::string(64, 'b');
  EXPECT_THAT(notes_on_shims(before, now),
              ElementsAre("shim: shim (aaaaaaaaaaaa) → shim (bbbbbbbbbbbb)"));
  next.report.shims[0].fingerprint.sha256.clear();
  EXPECT_THAT(notes_on_shims(before, now), ElementsAre(HasSubstr("→ shim (not known)")));
}

TEST(Differences, TellWhichSideWasHeldBackAndWhoseClockMoved) {
  Timing base = test::sample_timing(10.0);
  Timing next = base;
  const std::vector<TimedPair> pairs{{"w0", "0", Mode::cold, {&base}, &next, ""}};
  Telemetry telemetry;
  telemetry.sm_mhz = 1980.0;
  telemetry.throttle_reasons = std::vector<std::string>();
  base.samples.telemetry = {{0, telemetry}};
  next.samples.telemetry = {{0, telemetry}};
  EXPECT_THAT(notes_on_clocks(pairs), IsEmpty());
  next.samples.telemetry[0].telemetry.throttle_reasons = {{"sw_power_cap"}};
  EXPECT_THAT(notes_on_clocks(pairs),
              ElementsAre(HasSubstr("in 0 series of the baseline and 1 of the candidate")));
  next.samples.telemetry[0].telemetry.throttle_reasons = std::vector<std::string>();
  next.samples.telemetry[0].telemetry.sm_mhz = 1755.0;
  EXPECT_THAT(notes_on_clocks(pairs), ElementsAre(HasSubstr("1980 → 1755 MHz")));
}

}  // namespace
}  // namespace fa2bench
