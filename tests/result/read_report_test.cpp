// SPDX-License-Identifier: MIT
#include "result/read_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "result/report_json.hpp"
#include "result/sample_report.hpp"

namespace fa2bench {
namespace {

std::string written_again(const std::string& text) {
  return report_json(read_report(parse_json("result.json", text)));
}

/// The text with `from` replaced by `to`, once; the test's own mistake if it is not there.
std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string complaint(const std::string& text) {
  try {
    (void)read_report(parse_json("result.json", text));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ReadReport, GivesBackEveryByteOfACpuReport) {
  const std::string text = report_json(test::cpu_report());
  EXPECT_EQ(written_again(text), text);
}

TEST(ReadReport, GivesBackEveryByteOfACudaReportWithNulls) {
  const std::string text = report_json(test::cuda_report());
  EXPECT_EQ(written_again(text), text);
}

TEST(ReadReport, GivesBackEveryByteOfATimingWithoutRates) {
  Report report = test::cpu_report();
  Timing& timing = report.workloads[0].runs[0].timings[0];
  timing.tb_per_s.reset();
  timing.tflop_per_s.reset();
  const std::string text = report_json(report);
  EXPECT_EQ(written_again(text), text);
  const Report read = read_report(parse_json("result.json", text));
  EXPECT_FALSE(read.workloads[0].runs[0].timings[0].tb_per_s.has_value());
  EXPECT_FALSE(read.workloads[0].runs[0].timings[0].tflop_per_s.has_value());
}

TEST(ReadReport, TellsMaximaThatWereStated) {
  const Report read = read_report(parse_json("result.json", report_json(test::cpu_report())));
  EXPECT_EQ(read.workloads[0].workload.stated_max_kv_len, 800);
  EXPECT_EQ(read.workloads[1].workload.stated_max_kv_len, std::nullopt);
}

TEST(ReadReport, TakesAResultThatWasWrittenBeforeMaximaWereTold) {
  std::string text = report_json(test::cpu_report());
  for (const char* key : {"stated_max_q_len", "stated_max_kv_len"}) {
    text = with(text, key, std::string("_") + key);
  }
  const Report read = read_report(parse_json("result.json", text));
  EXPECT_EQ(read.workloads[0].workload.stated_max_q_len, std::nullopt);
}

TEST(ReadReport, TakesAResultThatWasWrittenBeforeLayersWereTold) {
  const std::string text = report_json(test::cpu_report());
  EXPECT_EQ(read_report(parse_json("result.json", text)).workloads[0].workload.layers, 2);
  const Report read =
      read_report(parse_json("result.json", with(text, "\"layers\": 2", "\"_layers\": 2")));
  EXPECT_EQ(read.workloads[0].workload.layers, 0);
  EXPECT_EQ(written_again(report_json(read)), report_json(read));
}

TEST(ReadReport, TakesAResultThatWasWrittenBeforeLaunchesWereMeasured) {
  const std::string text = report_json(test::cuda_report());
  EXPECT_EQ(read_report(parse_json("result.json", text)).quick_launch_us, 1.4375);
  const Report read = read_report(parse_json(
      "result.json", with(with(text, "quick_launch_us", "_quick"), "\"launch_us\"", "\"_us\"")));
  EXPECT_EQ(read.quick_launch_us, std::nullopt);
  EXPECT_TRUE(read.workloads[0].runs[0].launch_us.empty());
}

TEST(ReadReport, GivesEachTrialAPlacementOfItsOwnInAResultThatWasWrittenBeforeTurns) {
  std::string text = report_json(test::cuda_report());
  const auto placement = [](const std::string& json, std::size_t trial) {
    const Report read = read_report(parse_json("result.json", json));
    return read.workloads[0].runs[0].timings[1].samples.trials[trial].placement;
  };
  EXPECT_EQ(placement(text, 1), 5U);
  EXPECT_EQ(placement(text, 2), 4U);
  for (int i = 0; i < 2; ++i) text = with(text, "\"placement\"", "\"_placement\"");
  EXPECT_EQ(placement(text, 1), 1U);
  EXPECT_EQ(placement(text, 2), 2U);
}

TEST(ReadReport, RefusesPlacementsOfSomeTrials) {
  const std::string text = report_json(test::cuda_report());
  EXPECT_THAT(complaint(with(text, "\"placement\": [4,5,4]", "\"placement\": [4,5]")),
              testing::HasSubstr("timings[1].trials.placement: found an array; expected one number "
                                 "for each trial"));
}

TEST(ReadReport, GivesBackWhyThereAreNoKernels) {
  Report report = test::cpu_report();
  report.workloads[0].runs[0].kernels.emplace().obstacle = "this device has no kernel trace";
  const std::string text = report_json(report);
  EXPECT_EQ(written_again(text), text);
}

TEST(ReadReport, TakesAResultThatWasWrittenBeforeKernelsWereTraced) {
  const std::string text =
      with(report_json(test::cuda_report()), "\"kernels\": {", "\"_kernels\": {");
  const Report read = read_report(parse_json("result.json", text));
  EXPECT_FALSE(read.workloads[0].runs[0].kernels);
}

TEST(ReadReport, TakesAResultThatWasWrittenBeforeCallsOfCudaWereTold) {
  const std::string text = report_json(test::cuda_report());
  const std::string older =
      with(with(text, "\"blocking\"", "\"_blocking\""), "\"allocations\"", "\"_allocations\"");
  const Report read = read_report(parse_json("result.json", older));
  const fa2bench::Run& run = read.workloads[0].runs[0];
  EXPECT_TRUE(run.kernels->blocking.empty());
  EXPECT_EQ(run.verify->constancy.graph->allocations, 0);
}

TEST(ReadReport, RefusesAGridThatIsNone) {
  const std::string text = report_json(test::cuda_report());
  EXPECT_THAT(complaint(with(text, "[132,2,1]", "[132,2]")),
              testing::HasSubstr("kernels.launches[1].grid: found"));
}

TEST(ReadReport, GivesBackWhoLookedOnAndTakesAResultThatDoesNotSay) {
  Report report = test::cpu_report();
  report.profiler = "nsys";
  const std::string text = report_json(report);
  EXPECT_EQ(written_again(text), text);
  EXPECT_EQ(read_report(parse_json("result.json", text)).profiler, "nsys");
  const std::string older = with(text, "\"profiler\"", "\"_profiler\"");
  EXPECT_EQ(read_report(parse_json("result.json", older)).profiler, "");
}

TEST(ReadReport, GivesBackEveryByteWhereTheDeviceToldNothing) {
  Report report = test::cuda_report();
  report.telemetry = {};
  report.device.ecc = report.device.mig = report.device.persistence = std::nullopt;
  report.device.power_limit_w = report.device.max_sm_mhz = std::nullopt;
  report.host.cpu_governor.clear();
  report.host.load_average.reset();
  const std::string text = report_json(report);
  EXPECT_EQ(written_again(text), text);
}

TEST(ReadReport, TellsNoThrottleReasonFromAnUnknownOne) {
  Report report = test::cuda_report();
  report.telemetry.before.throttle_reasons = std::vector<std::string>();
  report.telemetry.ready.throttle_reasons.reset();
  const Report read = read_report(parse_json("result.json", report_json(report)));
  EXPECT_EQ(read.telemetry.before, report.telemetry.before);
  EXPECT_EQ(read.telemetry.ready, report.telemetry.ready);
}

TEST(ReadReport, TakesAResultThatWasWrittenBeforeTelemetry) {
  std::string text = report_json(test::cuda_report());
  for (const char* key : {"telemetry", "unmet_requirement", "ecc", "cpu_governor"}) {
    text = with(text, '"' + std::string(key) + '"', "\"_" + std::string(key) + '"');
  }
  const Report read = read_report(parse_json("result.json", text));
  EXPECT_EQ(read.telemetry.ready, Telemetry{});
  EXPECT_EQ(read.unmet_requirement, "");
  EXPECT_EQ(read.device.ecc, std::nullopt);
  EXPECT_EQ(read.host.cpu_governor, "");
}

TEST(ReadReport, LeavesKeysAloneThatItDoesNotKnow) {
  const std::string text = report_json(test::cpu_report());
  EXPECT_EQ(written_again(with(text, "\"complete\"", "\"added_later\": [1], \"complete\"")), text);
}

TEST(ReadReport, GivesBackEveryConventionForRowsWithoutKeys) {
  Report report = test::cpu_report();
  for (int out = 0; out <= static_cast<int>(EmptyOut::mixed); ++out) {
    for (int lse = 0; lse <= static_cast<int>(EmptyLse::mixed); ++lse) {
      report.workloads[0].runs[0].verify->empty_rows =
          EmptyRows{7, static_cast<EmptyOut>(out), static_cast<EmptyLse>(lse)};
      const std::string text = report_json(report);
      EXPECT_EQ(written_again(text), text);
    }
  }
}

TEST(ReadReport, GivesBackARunWithNothingToDo) {
  Report report = test::cpu_report();
  WorkloadResult& result = report.workloads[0];
  result.plan.total_q_tokens = result.plan.max_q_len = result.plan.max_kv_len = 0;
  result.plan.total_kv_tokens = result.plan.live_blocks = 0;
  result.plan.cost = {};
  result.runs[0].reason = kNothingToDo;
  result.runs[0].timings.clear();
  const std::string text = report_json(report);
  EXPECT_EQ(written_again(text), text);
}

TEST(ReadReport, NamesTheSchemaItExpects) {
  const std::string text = report_json(test::cpu_report());
  EXPECT_EQ(complaint(with(text, "result/v1", "result/v0")),
            "result.json:2: schema: found \"ferrum-fa2-bench/result/v0\"; expected "
            "\"ferrum-fa2-bench/result/v1\"");
}

TEST(ReadReport, NamesThePlaceOfAnUnknownStatus) {
  const std::string text = report_json(test::cpu_report());
  EXPECT_THAT(
      complaint(with(text, "\"status\": \"ok\"", "\"status\": \"okay\"")),
      testing::HasSubstr("workloads[0].runs[0].status: found \"okay\"; expected one of ok, "));
}

TEST(ReadReport, RefusesATimingWithoutSamples) {
  std::string text = report_json(test::cpu_report());
  const std::size_t at = text.find("\"samples_us\": [");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, text.find(']', at) - at, "\"samples_us\": [");
  EXPECT_THAT(complaint(text), testing::HasSubstr("samples_us: found an empty array; expected at "
                                                  "least one sample"));
}

TEST(ReadReport, RefusesASampleThatIsNoNumber) {
  std::string text = report_json(test::cpu_report());
  const std::size_t at = text.find("\"samples_us\": [");
  ASSERT_NE(at, std::string::npos);
  EXPECT_THAT(complaint(text.replace(at, 15, "\"samples_us\": [null, ")),
              testing::HasSubstr("samples_us[0]: found null; expected a number"));
}

TEST(ReadReport, RefusesACountThatItCouldNotWriteAgain) {
  const std::string text = report_json(test::cpu_report());
  EXPECT_THAT(complaint(with(text, "\"rows\": ", "\"rows\": 1844674407370955161")),
              testing::HasSubstr("verify.rows: found 1844674407370955161"));
}

TEST(ReadReport, RefusesAMissingKey) {
  const std::string text = report_json(test::cpu_report());
  EXPECT_THAT(complaint(with(text, "\"l2_bytes\"", "\"l3_bytes\"")),
              testing::HasSubstr("environment.device: found an object without it; expected the key "
                                 "\"l2_bytes\""));
}

}  // namespace
}  // namespace fa2bench
