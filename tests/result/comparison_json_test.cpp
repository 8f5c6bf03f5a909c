// SPDX-License-Identifier: MIT
#include "result/comparison_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"
#include "golden.hpp"
#include "result/read_report.hpp"
#include "result/report_json.hpp"
#include "result/sample_report.hpp"

namespace fa2bench {
namespace {

using testing::HasSubstr;

ComparisonReport read(const std::string& text) {
  return read_comparison_file(parse_json("comparison.json", text));
}

/// The text with `from` replaced by `to`, once; the test's own mistake if it is not there.
std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string complaint(const std::string& text) {
  try {
    (void)read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ComparisonJson, IsWrittenAsTheGoldenFile) {
  EXPECT_EQ(comparison_file(test::comparison_with_gaps()),
            test::golden("result", "comparison/comparison.json"));
}

TEST(ComparisonJson, GivesBackEveryByte) {
  const std::string text = comparison_file(test::comparison_with_gaps());
  EXPECT_EQ(comparison_file(read(text)), text);
}

TEST(ComparisonJson, GivesBackEveryByteOfSeparateRuns) {
  ComparisonReport report = test::comparison_with_gaps();
  report.interleaved = false;
  report.memory.reset();
  report.outputs.clear();
  const std::string text = comparison_file(report);
  EXPECT_EQ(comparison_file(read(text)), text);
  EXPECT_FALSE(read(text).memory.has_value());
}

TEST(ComparisonJson, GivesBackEveryVerdictAndMode) {
  ComparisonReport report = test::comparison_with_gaps();
  for (std::size_t verdict = 0; verdict < kVerdictNames.size(); ++verdict) {
    for (std::size_t mode = 0; mode < kModeNames.size(); ++mode) {
      report.rows[0].verdict = static_cast<Verdict>(verdict);
      report.rows[0].mode = static_cast<Mode>(mode);
      const ComparisonReport again = read(comparison_file(report));
      EXPECT_EQ(again.rows[0].verdict, report.rows[0].verdict);
      EXPECT_EQ(again.rows[0].mode, report.rows[0].mode);
    }
  }
}

TEST(ComparisonJson, GivesBackEveryStatusAndTakesNoneForOk) {
  ComparisonReport report = test::comparison_with_gaps();
  for (int i = 0; i <= static_cast<int>(Status::not_run); ++i) {
    report.rows[0].baseline_status = report.rows[1].candidate_status = static_cast<Status>(i);
    const ComparisonReport again = read(comparison_file(report));
    EXPECT_EQ(again.rows[0].baseline_status, static_cast<Status>(i));
    EXPECT_EQ(again.rows[1].candidate_status, static_cast<Status>(i));
  }
  const std::string older =
      with(comparison_file(report), "\"baseline_status\"", "\"_baseline_status\"");
  EXPECT_EQ(read(older).rows[0].baseline_status, Status::ok);
}

TEST(ComparisonJson, IsPartOfAResultAndNullWhereThereIsNone) {
  Report report = test::cuda_report();
  EXPECT_TRUE(read_report(parse_json("result.json", report_json(report))).comparison);
  report.comparison.reset();
  const std::string text = report_json(report);
  EXPECT_THAT(text, HasSubstr("\"comparison\": null"));
  EXPECT_FALSE(read_report(parse_json("result.json", text)).comparison);
}

TEST(ComparisonJson, IsNoneInAResultThatWasWrittenBefore) {
  const std::string text = report_json(test::cuda_report());
  const Report report =
      read_report(parse_json("result.json", with(text, "\"comparison\"", "\"_comparison\"")));
  EXPECT_FALSE(report.comparison);
}

TEST(ComparisonJson, RefusesAnotherSchemaAVerdictItDoesNotKnowAndAnIntervalThatIsNone) {
  const std::string text = comparison_file(test::comparison_with_gaps());
  EXPECT_THAT(complaint(with(text, "comparison/v1", "comparison/v2")),
              HasSubstr("comparison.json:2: schema: found"));
  EXPECT_THAT(
      complaint(with(text, "\"faster\"", "\"quicker\"")),
      HasSubstr("rows[0].verdict: found \"quicker\"; expected one of faster, slower, same"));
  EXPECT_THAT(complaint(with(text, "[0.97,0.98]", "[0.97]")),
              HasSubstr("rows[0].interval: found an array; expected two ratios"));
  EXPECT_THAT(complaint(with(text, "[0.97,0.98]", "[0.98,0.97]")),
              HasSubstr("rows[0].interval: found an array; expected the lower end first"));
}

}  // namespace
}  // namespace fa2bench
