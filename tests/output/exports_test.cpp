// SPDX-License-Identifier: MIT
// The same report in every format for machines, held against golden files, which
// golden_formats_test.py reads as their consumers do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "golden.hpp"
#include "output/annotations.hpp"
#include "output/csv.hpp"
#include "output/gbench.hpp"
#include "output/junit.hpp"
#include "output/markdown.hpp"
#include "result/sample_report.hpp"

namespace fa2bench {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Exports, OfAComparisonAreTheGoldenFiles) {
  const Report report = test::compared_report();
  EXPECT_EQ(to_markdown(report), test::golden("output", "compared.md"));
  EXPECT_EQ(to_junit(report), test::golden("output", "compared.xml"));
  EXPECT_EQ(to_csv(report), test::golden("output", "compared.csv"));
  EXPECT_EQ(to_gbench(report), test::golden("output", "compared.gbench.json"));
  EXPECT_EQ(github_annotations(report), test::golden("output", "compared.annotations.txt"));
}

TEST(Exports, OfOneShimAreTheGoldenFiles) {
  const Report report = test::cpu_report();
  EXPECT_EQ(to_markdown(report), test::golden("output", "cpu.md"));
  EXPECT_EQ(to_junit(report), test::golden("output", "cpu.xml"));
  EXPECT_EQ(to_csv(report), test::golden("output", "cpu.csv"));
  EXPECT_EQ(to_gbench(report), test::golden("output", "cpu.gbench.json"));
  EXPECT_EQ(github_annotations(report), test::golden("output", "cpu.annotations.txt"));
}

/// A comparison of files: its rows are all there is.
Report of_files() {
  Report report;
  report.comparison = test::sample_comparison();
  report.comparison->leftovers.clear();
  return report;
}

TEST(Exports, OfFilesHaveTheRows) {
  Report report = of_files();
  report.comparison->interleaved = false;
  EXPECT_THAT(to_junit(report), HasSubstr("tests=\"6\" failures=\"3\" errors=\"1\" skipped=\"0\""));
  EXPECT_THAT(to_csv(report), HasSubstr("\r\ndecode,00112233445566ff,fast,cold,ok,passed,,,"));
  EXPECT_THAT(to_markdown(report), HasSubstr("| `decode` | cold | `fast` | 97.90 | 100.00 | −2.10 "
                                             "% [−2.40, −1.80] | faster |\n"));
  EXPECT_THAT(github_annotations(report),
              HasSubstr("::error title=slower%3A decode · cold::slow: "));
}

TEST(Exports, OfFilesSayThatACandidateIsWrong) {
  Report report = of_files();
  report.comparison->rows.resize(4);
  Comparison& row = report.comparison->rows[3];
  row.candidate_status = Status::wrong;
  row.reason = "slow: wrong: before timing";
  EXPECT_THAT(to_markdown(report), HasSubstr("1 wrong, 1 slower, 2 passed."));
  EXPECT_THAT(to_markdown(report),
              HasSubstr("- **wrong** `decode · warm` (`slow`): `wrong: before timing`\n"));
  EXPECT_THAT(to_markdown(report), HasSubstr("| wrong |\n"));
  EXPECT_THAT(to_junit(report),
              HasSubstr("<failure type=\"wrong\" message=\"wrong: before timing\">"));
  EXPECT_THAT(to_csv(report), HasSubstr(",slow,warm,wrong,wrong,wrong: before timing,"));
  EXPECT_THAT(github_annotations(report),
              HasSubstr("::error title=wrong%3A decode · warm::slow: wrong: before timing\n"));
}

TEST(Exports, SayThatABaselineCrashed) {
  Report report = of_files();
  report.comparison->rows.resize(4);
  Comparison& row = report.comparison->rows[3];
  row.candidate_status = Status::ok;
  row.baseline_status = Status::crashed;
  row.reason = "old: crashed: signal 11";
  EXPECT_THAT(to_markdown(report), HasSubstr("- **baseline crashed** `decode · warm` (`slow`): "
                                             "`old: crashed: signal 11`\n"));
  EXPECT_THAT(to_markdown(report), HasSubstr("| baseline crashed |\n"));
  EXPECT_THAT(to_junit(report),
              HasSubstr("<failure type=\"inconclusive\" message=\"old: crashed: signal 11\">"));
  EXPECT_THAT(to_csv(report), HasSubstr(",ok,inconclusive,old: crashed: signal 11,"));
  EXPECT_THAT(github_annotations(report),
              HasSubstr("::warning title=baseline crashed%3A decode · warm::slow: old: crashed"));
}

TEST(Junit, NeverPassesWhatIsInconclusive) {
  Report report = test::cpu_report();
  report.workloads.resize(1);
  report.workloads[0].workload.gates = {{"graph_us_max", 1.0}};
  EXPECT_THAT(to_junit(report), HasSubstr("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"0\""));
  EXPECT_THAT(to_junit(report), HasSubstr("<failure type=\"inconclusive\" message=\"graph_us_max"));
}

TEST(Junit, NeverPassesAComparisonOfNothing) {
  Report report;
  report.comparison.emplace();
  report.comparison->candidates = {"new.json"};
  EXPECT_THAT(to_junit(report), HasSubstr("tests=\"1\" failures=\"1\""));
  report.comparison->leftovers = {{"old.json", "decode", "00112233445566ff", std::nullopt}};
  EXPECT_THAT(to_junit(report), HasSubstr("<failure type=\"inconclusive\" message=\"not compared: "
                                          "only old.json has it\">"));
}

TEST(Junit, NeverPassesAnIncompleteComparison) {
  Report report;
  report.comparison = test::sample_comparison();
  report.comparison->rows.resize(2);  // faster and the same
  report.comparison->leftovers.clear();
  report.comparison->incomplete = {"new.json is not complete: its run was stopped"};
  EXPECT_THAT(to_junit(report), HasSubstr("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"0\""));
  EXPECT_THAT(to_junit(report), HasSubstr("<testcase name=\"comparison\""));
  EXPECT_THAT(to_csv(report), HasSubstr("inconclusive,new.json is not complete: "));
  EXPECT_THAT(to_markdown(report), HasSubstr("- **inconclusive** `comparison` ("));
  EXPECT_THAT(github_annotations(report),
              HasSubstr("::warning title=inconclusive%3A comparison::"));
}

TEST(Exports, CallWhatACandidateDoesNotTakeButTheBaselineDoesInconclusive) {
  Report report = test::compared_report();
  report.workloads.resize(1);
  report.comparison->leftovers.clear();
  report.comparison->rows = {report.comparison->rows[0]};
  report.comparison->rows[0].verdict = Verdict::inconclusive;
  report.comparison->rows[0].reason = "fast has no time: unsupported";
  report.workloads[0].workload.gates.clear();
  for (const Status status : {Status::unsupported, Status::does_not_fit}) {
    report.workloads[0].runs.resize(1);
    report.workloads[0].runs.push_back(test::sample_run("fast", status, "head_dim 512"));
    EXPECT_THAT(to_junit(report), HasSubstr("failures=\"1\" errors=\"0\" skipped=\"0\""));
    EXPECT_THAT(github_annotations(report), HasSubstr("::warning title=inconclusive%3A decode"));
  }
}

TEST(Exports, SayThatARequirementWasNotMet) {
  Report report = test::cpu_report();
  report.workloads.resize(1);
  const std::string met = to_gbench(report);
  report.unmet_requirement = "--require-idle: somebody came";
  EXPECT_THAT(to_junit(report), HasSubstr("failures=\"0\" errors=\"1\" skipped=\"0\""));
  EXPECT_THAT(to_junit(report), HasSubstr("<testcase name=\"requirements\""));
  EXPECT_THAT(to_junit(report),
              HasSubstr("<error type=\"failed\" message=\"--require-idle: somebody came\">"));
  EXPECT_THAT(to_csv(report), HasSubstr("\r\nrequirements,,ferrum-fa2-bench,,,failed,--require-i"));
  EXPECT_THAT(to_markdown(report), HasSubstr("- **failed** `requirements` ("));
  EXPECT_THAT(github_annotations(report), HasSubstr("::error title=failed%3A requirements::"));
  EXPECT_THAT(met, HasSubstr("\"name\": \"decode/cold_median\""));
  EXPECT_THAT(to_gbench(report), HasSubstr("\"name\": \"decode/cold_median\""));
}

TEST(Exports, CallAFasterRowThatMissesADemandNotSlower) {
  Report report = test::compared_report();
  report.workloads[0].workload.gates = {{"cold_us_max", 50.0}};
  EXPECT_THAT(to_markdown(report), HasSubstr("−1.80] | demand missed |\n"));
  EXPECT_THAT(to_junit(report), HasSubstr("<failure type=\"demand missed\" message=\"cold_us_max"));
  EXPECT_THAT(to_csv(report), HasSubstr(",ok,demand missed,\"cold_us_max not met"));
  EXPECT_THAT(github_annotations(report), HasSubstr("::error title=demand missed%3A decode"));
  EXPECT_THAT(github_annotations(report), HasSubstr("1 demand missed"));
}

TEST(Junit, LeavesOutWhatXmlCannotHold) {
  Report report = test::cpu_report();
  report.workloads[0].workload.name = "a\xEF\xBF\xBE\xEF\xBF\xBF\x07\xFFz";
  EXPECT_THAT(to_junit(report), HasSubstr("name=\"a\\x07\\xffz · cold\""));
}

TEST(Csv, QuotesWhatHoldsACommaOrAQuote) {
  Report report = test::cpu_report();
  report.workloads[0].workload.name = "a,\"b\"";
  EXPECT_THAT(to_csv(report), HasSubstr("\r\n\"a,\"\"b\"\"\",00112233445566ff,good,cold,ok,"));
}

/// Each line of a table for people could be one where a step of GitHub Actions prints it.
TEST(Csv, HasNoLineThatIsAWorkflowCommand) {
  Report report = test::cpu_report();
  report.workloads[0].workload.name = " ::error::x";
  EXPECT_THAT(to_csv(report), HasSubstr("\r\n\" ::error::x\",00112233445566ff,good,cold,ok,"));
}

TEST(Gbench, HasARepetitionForEachProcess) {
  const std::string text = to_gbench(test::compared_report());
  EXPECT_THAT(text, HasSubstr("\"repetitions\": 4"));
  EXPECT_THAT(text, HasSubstr("\"repetition_index\": 3"));
  EXPECT_THAT(text, Not(HasSubstr("\"repetition_index\": 4")));
}

TEST(Gbench, GivesNoTimeToWhatHasNone) {
  Report report = test::cpu_report();
  report.workloads[0].runs = {test::sample_run("good", Status::crashed, "signal 11")};
  const std::string text = to_gbench(report);
  EXPECT_THAT(text, HasSubstr("\"name\": \"decode/crashed\""));
  EXPECT_THAT(text, Not(HasSubstr("\"name\": \"decode\"")));
}

TEST(Markdown, FitsAComment) {
  Report report = test::cpu_report();
  const WorkloadResult one = report.workloads[0];
  report.workloads.clear();
  for (int i = 0; i < 3000; ++i) {
    report.workloads.push_back(one);
    WorkloadResult& added = report.workloads.back();
    added.workload.name = "a name of ordinary length, number " + std::to_string(i);
    added.runs[0].status = Status::wrong;
    added.runs[0].reason = std::string(5000, 'x');
  }
  const std::string text = to_markdown(report);
  EXPECT_LT(text.size(), 65536U);
  EXPECT_THAT(text, HasSubstr("- and 5980 more\n"));
  EXPECT_THAT(text, HasSubstr("\n5850 more rows are in the result.\n"));
}

TEST(Markdown, LetsNoNameFormatOrMention) {
  Report report = test::cpu_report();
  report.workloads[1].workload.name = "`x` | <img src=x> @all";
  report.comparison = test::sample_comparison();
  report.comparison->rows[5].workload = "**b** @all #1 https://x.y [l](z) <i>|";
  const std::string text = to_markdown(report);
  EXPECT_THAT(text, HasSubstr("| `` `x` \\| <img src=x> @all `` |"));
  EXPECT_THAT(text, Not(HasSubstr("<b>")));
  // Outside of code spans, as the summary has it.
  const std::string summary = text.substr(0, text.find('\n'));
  EXPECT_THAT(summary, HasSubstr("\\*\\*b\\*\\* @"));
  EXPECT_THAT(summary, Not(HasSubstr("@all")));
  EXPECT_THAT(summary, Not(HasSubstr("://")));
  EXPECT_THAT(summary, Not(HasSubstr(" <i>")));
}

TEST(Annotations, SayHowManyAreLeftOut) {
  Report report = test::cpu_report();
  const WorkloadResult one = report.workloads[1];
  report.workloads.assign(25, one);
  for (WorkloadResult& result : report.workloads) result.runs[0].status = Status::failed;
  const std::string text = github_annotations(report);
  EXPECT_THAT(text, HasSubstr("::error title=ferrum-fa2-bench::and 16 more of this kind"));
  std::size_t errors = 0;
  for (std::size_t at = text.find("::error"); at != std::string::npos;
       at = text.find("::error", at + 1)) {
    ++errors;
  }
  EXPECT_EQ(errors, 10U);
}

TEST(Annotations, EscapeWhatEndsAMessageOrAProperty) {
  Report report = test::cpu_report();
  report.workloads.resize(1);
  report.workloads[0].workload.name = "a:b,c%";
  report.workloads[0].runs = {test::sample_run("good", Status::wrong, "1: 50 %\n::stop")};
  EXPECT_EQ(github_annotations(report),
            "::error title=wrong%3A a%3Ab%2Cc%25::good: wrong: 1: 50 %25\\n::stop\n"
            "::notice title=ferrum-fa2-bench::Of 1 timing: 1 wrong, 0 passed.\n");
}

TEST(Annotations, NoLineOfATableIsACommand) {
  EXPECT_EQ(without_commands("a ::b\n::error::x\n  ::stop-commands::y\nz ##[add-mask]q"),
            "a ::b\n\\x3a:error::x\n  \\x3a:stop-commands::y\nz \\x23#[add-mask]q");
  EXPECT_EQ(without_commands("decode  cold  ok\n"), "decode  cold  ok\n");
}

}  // namespace
}  // namespace fa2bench
