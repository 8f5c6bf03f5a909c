// SPDX-License-Identifier: MIT
#include "result/gates.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "result/sample_report.hpp"

namespace fa2bench {
namespace {

/// One right run with a median of 100 µs in mode cold, at a quarter of the read ceiling.
Report gated(const std::string& key, double bound) {
  Report report = test::cpu_report();
  report.workloads.resize(1);
  report.workloads[0].workload.gates = {{key, bound}};
  auto& run = report.workloads[0].runs[0];
  run.timings.resize(1);
  run.timings[0].speed_of_light = 0.25;
  run.timings[0].limit = "read";
  return report;
}

std::string reason(const Report& report) {
  const auto misses =
      gate_misses(report, report.workloads[0].workload, report.workloads[0].runs[0]);
  return misses.empty() ? "" : misses[0].reason;
}

TEST(Gates, HaveAKeyForEachModeAndOneForTheShare) {
  std::vector<std::string> expected;
  for (const char* mode : kModeNames) expected.push_back(std::string(mode) + "_us_max");
  expected.emplace_back("speed_of_light_min");
  EXPECT_EQ(std::vector<std::string>(kGateKeys.begin(), kGateKeys.end()), expected);
}

TEST(Gates, AreMetByAMedianAtTheBound) {
  const Report report = gated("cold_us_max", 100.0);
  EXPECT_EQ(reason(report), "");
  EXPECT_EQ(gates_exit_code(report), ExitCode::ok);
}

TEST(Gates, AreMissedByALargerMedianWhateverItsInterval) {
  Report report = gated("cold_us_max", 99.99);
  report.workloads[0].runs[0].timings[0].device.median_interval = Interval{50.0, 150.0};
  EXPECT_EQ(reason(report), "cold_us_max not met: 100 µs, more than 99.99 µs");
  EXPECT_EQ(gates_exit_code(report), ExitCode::slower);
}

TEST(Gates, AreMissedByASmallerShareOfTheCeiling) {
  EXPECT_EQ(reason(gated("speed_of_light_min", 0.25)), "");
  const Report report = gated("speed_of_light_min", 0.5);
  EXPECT_EQ(reason(report), "speed_of_light_min not met: 0.25 of the read ceiling, less than 0.5");
  EXPECT_EQ(gates_exit_code(report), ExitCode::slower);
}

TEST(Gates, AreNeverMetByAShareOfNoKnownCeiling) {
  Report report = gated("speed_of_light_min", 0.0);
  report.workloads[0].runs[0].timings[0].speed_of_light.reset();
  EXPECT_EQ(reason(report), "speed_of_light_min not known: no ceiling was measured");
  EXPECT_EQ(gates_exit_code(report), ExitCode::inconclusive);
}

TEST(Gates, AreNeverMetByAModeThatWasNotTimed) {
  Report report = gated("graph_us_max", 1e9);
  EXPECT_EQ(reason(report), "graph_us_max not known: mode graph was not timed; add --mode graph");
  EXPECT_EQ(gates_exit_code(report), ExitCode::inconclusive);
  report.workloads[0].runs[0].untimed = {{Mode::graph, Status::failed, "not capturable"}};
  EXPECT_EQ(reason(report), "graph_us_max not known: mode graph has no time: failed");
}

TEST(Gates, AreNeverMetByARunWithoutTimes) {
  Report report = gated("cold_us_max", 1e9);
  auto& run = report.workloads[0].runs[0];
  run.timings.clear();
  for (const Status status : {Status::unsupported, Status::does_not_fit, Status::crashed}) {
    run.status = status;
    EXPECT_EQ(reason(report),
              std::string("cold_us_max not known: mode cold has no time: ") + to_text(status));
    EXPECT_EQ(gates_exit_code(report), ExitCode::inconclusive);
  }
  run.status = Status::ok;
  run.reason = kNothingToDo;
  EXPECT_EQ(gates_exit_code(report), ExitCode::inconclusive);
}

TEST(Gates, AreNeverMetByATimeThatIsNoNumber) {
  Report report = gated("cold_us_max", 1e9);
  report.workloads[0].runs[0].timings[0].device.median = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(gates_exit_code(report), ExitCode::slower);
}

TEST(Gates, AreNotHeldAgainstTimesUnderAProfiler) {
  for (const auto& [key, bound] : {std::pair{"cold_us_max", 1e9}, std::pair{"cold_us_max", 1.0},
                                   std::pair{"speed_of_light_min", 0.0}}) {
    Report report = gated(key, bound);
    report.profiler = "nsys";
    EXPECT_EQ(reason(report),
              std::string(key) + " not known: times under nsys are not those of a plain run");
    EXPECT_EQ(gates_exit_code(report), ExitCode::inconclusive);
  }
}

TEST(Gates, SayThatAFigureMissesBeforeThatOneIsUnknown) {
  Report report = gated("graph_us_max", 1e9);
  report.workloads[0].workload.gates.push_back({"cold_us_max", 1.0});
  EXPECT_EQ(gates_exit_code(report), ExitCode::slower);
}

TEST(Gates, AreNotOnTheBaselineOfAComparison) {
  Report report = gated("cold_us_max", 1.0);
  report.comparison.emplace();
  report.comparison->baseline = report.workloads[0].runs[0].shim;
  EXPECT_EQ(gates_exit_code(report), ExitCode::ok);
  report.comparison->baseline = "another";
  EXPECT_EQ(gates_exit_code(report), ExitCode::slower);
}

}  // namespace
}  // namespace fa2bench
