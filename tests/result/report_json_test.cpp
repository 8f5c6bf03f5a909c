// SPDX-License-Identifier: MIT
// The result file as text. golden/ holds whole files; schema_test.py holds the schema against them.
#include "result/report_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <limits>
#include <locale>
#include <nlohmann/json.hpp>
#include <string>

#include "golden.hpp"
#include "result/sample_report.hpp"

namespace fa2bench {
namespace {

using testing::HasSubstr;
using testing::Not;

nlohmann::json parsed(const Report& report) { return nlohmann::json::parse(report_json(report)); }

TEST(ReportJson, HasNoErrorWhereNothingWasCompared) {
  Report report = test::cpu_report();
  VerifyReport& verify = *report.workloads[0].runs[0].verify;
  verify.rows = 0;
  const std::string text = report_json(report);
  for (const char* key : {"max_abs_err", "tolerance", "worst_share", "worst_row_share",
                          "f16_yardstick_share", "lse_max_abs_err", "lse_tolerance"}) {
    EXPECT_NE(text.find('"' + std::string(key) + "\": null"), std::string::npos) << key;
  }
}

TEST(ReportJson, WritesACompleteCpuReportAsTheGoldenFile) {
  EXPECT_EQ(report_json(test::cpu_report()), test::golden("result", "cpu.json"));
}

TEST(ReportJson, WritesAnInterruptedGpuReportAsTheGoldenFile) {
  EXPECT_EQ(report_json(test::cuda_report()), test::golden("result", "cuda.json"));
}

TEST(ReportJson, IsStrictJsonWithNullForWhatIsNotFinite) {
  Report report = test::cpu_report();
  auto& run = report.workloads[0].runs[0];
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  run.verify->max_abs_err = kNan;
  run.timings[0].device.mean = -kInfinity;
  run.timings[0].samples.device_us[1] = kInfinity;
  report.ceilings.read_gb_per_s = kNan;
  const nlohmann::json json = parsed(report);  // throws for NaN and inf
  const auto& written = json["workloads"][0]["runs"][0];
  EXPECT_TRUE(written["verify"]["max_abs_err"].is_null());
  EXPECT_TRUE(written["timings"][0]["cpu_us"]["mean"].is_null());
  EXPECT_TRUE(written["timings"][0]["samples_us"][1].is_null());
  EXPECT_EQ(written["timings"][0]["samples_us"][2], 99.5);
  EXPECT_TRUE(json["environment"]["ceilings"]["read_gb_per_s"].is_null());
}

TEST(ReportJson, HasNoSpreadOfOneSample) {
  Report report = test::cpu_report();
  Samples samples = test::sample_samples(Mode::cold);
  samples.device_us = {100.0};
  samples.host_us = {5.0};
  samples.trials = {{1, 3, 0.5}};
  report.workloads[0].runs[0].timings = {
      make_timing(samples, report.workloads[0].plan, report.device, report.ceilings)};
  const auto timing = parsed(report)["workloads"][0]["runs"][0]["timings"][0];
  EXPECT_EQ(timing["cpu_us"]["median"], 100.0);
  EXPECT_TRUE(timing["cpu_us"]["ci95"].is_null());
  EXPECT_EQ(timing["spread"]["ci95_of"], "samples");
  EXPECT_TRUE(timing["spread"]["between_trials_us"].is_null());
  EXPECT_TRUE(timing["spread"]["within_trials_us"].is_null());
}

TEST(ReportJson, KeepsSamplesWhoseDeviceWasNotAsRequired) {
  Report report = test::cpu_report();
  report.unmet_requirement = "--require-clocks 99999±1%: the SM clock is 1980 MHz";
  const auto json = parsed(report);
  EXPECT_EQ(json["environment"]["unmet_requirement"], report.unmet_requirement);
  EXPECT_EQ(json["workloads"][0]["runs"][0]["status"], "ok");
  EXPECT_EQ(json["workloads"][0]["runs"][0]["timings"][0]["samples_us"].size(), 8U);
}

TEST(ReportJson, WritesTheSeedAsText) {
  Report report = test::cpu_report();
  report.workloads[0].workload.seed = 18446744073709551615ULL;
  EXPECT_EQ(parsed(report)["workloads"][0]["data"]["seed"], "18446744073709551615");
}

TEST(ReportJson, EscapesTextThatIsNoUtf8) {
  Report report = test::cpu_report();
  report.workloads[1].runs[0].reason = "bad \xFF\xC0\xAF \x1B[31m";
  report.shims[0].path = "/sh\xE9m.so";
  report.shims[0].fingerprint.real_path = "/sh\xE9m.so";
  report.shims[0].fingerprint.dependencies[0].name = "\x80";
  report.command = {"\xF0\x28\x8C\x28"};
  report.host.cpu = "C\xC3";
  const nlohmann::json json = parsed(report);
  EXPECT_EQ(json["workloads"][1]["runs"][0]["reason"], "bad \\xff\\xc0\\xaf \\x1b[31m");
  EXPECT_EQ(json["shims"][0]["path"], "/sh\\xe9m.so");
  EXPECT_EQ(json["shims"][0]["real_path"], "/sh\\xe9m.so");
  EXPECT_EQ(json["shims"][0]["dependencies"][0]["name"], "\\x80");
  EXPECT_EQ(json["command"][0], "\\xf0(\\x8c(");
  EXPECT_EQ(json["environment"]["host"]["cpu"], "C\\xc3");
}

TEST(ReportJson, NamesTheTimeAfterTheDevice) {
  Report report = test::cpu_report();
  EXPECT_THAT(report_json(report), HasSubstr("\"cpu_us\""));
  EXPECT_THAT(report_json(report), Not(HasSubstr("\"gpu_us\"")));
  report.device.kind = DeviceKind::cuda;
  EXPECT_THAT(report_json(report), HasSubstr("\"gpu_us\""));
  EXPECT_THAT(report_json(report), Not(HasSubstr("\"cpu_us\"")));
}

TEST(ReportJson, KeepsEveryDigitOfASample) {
  Report report = test::cpu_report();
  Timing& timing = report.workloads[0].runs[0].timings[0];
  timing.samples.device_us[0] = 0.1 + 0.2;
  const nlohmann::json json = parsed(report);
  EXPECT_EQ(json["workloads"][0]["runs"][0]["timings"][0]["samples_us"][0].get<double>(),
            0.1 + 0.2);
}

TEST(ReportJson, IsTheSameInADecimalCommaLocale) {
  const std::string before = report_json(test::cpu_report());
  const char* chosen = nullptr;
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8"}) {
    if (chosen == nullptr) chosen = std::setlocale(LC_ALL, name);
  }
  if (chosen == nullptr) GTEST_SKIP() << "no locale with a decimal comma is installed";
  const std::string after = report_json(test::cpu_report());
  std::setlocale(LC_ALL, "C");
  EXPECT_EQ(after, before);
}

/// "1.234.567,5": what a German locale does to C++ streams, with no such locale installed.
class DecimalComma : public std::numpunct<char> {
  [[nodiscard]] char do_decimal_point() const override { return ','; }
  [[nodiscard]] char do_thousands_sep() const override { return '.'; }
  [[nodiscard]] std::string do_grouping() const override { return "\3"; }
};

TEST(ReportJson, IsTheSameUnderAGlobalCxxLocaleWithADecimalComma) {
  const std::string before = report_json(test::cpu_report());
  const std::locale classic = std::locale::global(std::locale(std::locale(), new DecimalComma));
  const std::string after = report_json(test::cpu_report());
  std::locale::global(classic);
  EXPECT_EQ(after, before);
}

}  // namespace
}  // namespace fa2bench
