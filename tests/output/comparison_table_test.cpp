// SPDX-License-Identifier: MIT
#include "output/comparison_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "golden.hpp"
#include "output/table.hpp"
#include "result/sample_report.hpp"

namespace fa2bench {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ComparisonTable, OfTwoCandidatesIsTheGoldenFile) {
  EXPECT_EQ(comparison_table(test::sample_comparison(), false),
            test::golden("output", "comparison.txt"));
}

TEST(ComparisonTable, OfSevenCandidatesStaysWithinAHundredColumns) {
  ComparisonReport report = test::sample_comparison();
  report.rows.clear();
  report.candidates.clear();
  report.leftovers.clear();
  report.outputs.clear();
  for (int i = 0; i < 7; ++i) {
    Comparison row = test::sample_comparison().rows[2];
    row.workload = "decode of 128 sequences x 131072 tokens, 8 KV heads, aged pool";
    row.mode = Mode::graph_warm;
    row.candidate = "candidate" + std::to_string(i);
    row.baseline_us = 1234567.8;
    report.candidates.push_back(row.candidate);
    report.rows.push_back(row);
  }
  const std::string text = comparison_table(report, false);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(display_width(line), 100U) << line;
  }
  EXPECT_THAT(text, HasSubstr("candidate6 against old, the baseline"));
  EXPECT_THAT(text, HasSubstr("…"));
}

TEST(ComparisonTable, ColorsVerdictsAndChangesNothingElse) {
  const ComparisonReport report = test::sample_comparison();
  std::string text = comparison_table(report, true);
  EXPECT_THAT(text, HasSubstr("\033[31mslower\033[0m"));
  EXPECT_THAT(text, HasSubstr("\033[32mfaster\033[0m"));
  EXPECT_THAT(text, HasSubstr("\033[33minconclusive\033[0m"));
  EXPECT_THAT(text, HasSubstr("\033[31mcrashed\033[0m"));
  for (const std::string escape : {"\033[31m", "\033[32m", "\033[33m", "\033[0m"}) {
    for (std::size_t at = text.find(escape); at != std::string::npos; at = text.find(escape)) {
      text.erase(at, escape.size());
    }
  }
  EXPECT_EQ(text, comparison_table(report, false));
}

TEST(ComparisonTable, ShowsADashForASideWithoutATime) {
  EXPECT_THAT(comparison_table(test::sample_comparison(), false),
              HasSubstr("98.50             -  -                       crashed\n"));
}

TEST(ComparisonTable, SaysOnceWhatWentWrongWithWhichSide) {
  ComparisonReport report = test::sample_comparison();
  EXPECT_THAT(comparison_table(report, false), Not(HasSubstr("\nslow: crashed")));
  report.interleaved = false;  // so that nothing but the table tells it
  report.rows[4].baseline_status = Status::wrong;
  report.rows[4].reason = "old: wrong: before timing";
  const std::string text = comparison_table(report, false);
  EXPECT_THAT(text, HasSubstr("  baseline wrong\n"));
  EXPECT_THAT(text, HasSubstr("\nslow: crashed: signal 11 (segmentation fault) (in "));
  EXPECT_THAT(text, HasSubstr("\nold: wrong: before timing (in "));
}

TEST(ComparisonTable, LetsNoNameMoveTheCursor) {
  ComparisonReport report = test::sample_comparison();
  report.rows[0].workload = "\033[2Jdecode\n";
  report.notes = {"a\nb"};
  const std::string text = comparison_table(report, false);
  EXPECT_THAT(text, Not(HasSubstr("\033")));
  EXPECT_THAT(text, HasSubstr("\\x1b[2Jdecode\\n"));
  EXPECT_THAT(text, HasSubstr("a\\nb\n"));
}

TEST(ComparisonTable, SaysOfACandidateWithoutRowsThatNothingIsInCommon) {
  ComparisonReport report = test::sample_comparison();
  report.rows.clear();
  EXPECT_THAT(comparison_table(report, false),
              HasSubstr("fast against old, the baseline\nnothing in common\n"));
}

TEST(ChangeText, HasTwoDigitsOnlyWhereTheIntervalIsNarrow) {
  Comparison row;
  EXPECT_EQ(change_text(row), "-");
  row.ratio = 0.979;
  EXPECT_EQ(change_text(row), "−2.1 %");
  row.interval = Interval{0.976, 0.982};
  EXPECT_EQ(change_text(row), "−2.10 % [−2.40, −1.80]");
  row.interval = Interval{0.93, 1.02};
  EXPECT_EQ(change_text(row), "−2.1 % [−7.0, +2.0]");
}

TEST(ChangeText, GivesNoSignToWhatIsZeroAsWritten) {
  Comparison row;
  row.ratio = 0.99999;
  EXPECT_EQ(change_text(row), "0.0 %");
}

TEST(ComparisonNotes, SayWhoseMemoryItWas) {
  ComparisonReport report = test::sample_comparison();
  EXPECT_THAT(comparison_table(report, false),
              HasSubstr("all shims were timed on the same memory"));
  report.memory = MemorySharing{false, "CUDA IPC: not supported"};
  EXPECT_THAT(comparison_table(report, false),
              HasSubstr("each shim had memory of its own, so that placement is part of the change: "
                        "CUDA IPC: not supported\n"));
}

TEST(ComparisonNotes, SayOfSeparateRunsThatTheyWereSeparate) {
  ComparisonReport report = test::sample_comparison();
  EXPECT_THAT(comparison_table(report, false), Not(HasSubstr("separate runs")));
  report.interleaved = false;
  report.memory.reset();
  EXPECT_THAT(comparison_table(report, false), HasSubstr("from separate runs, not taken in turn"));
}

TEST(ComparisonNotes, SayThatAllOutputsAreTheSameBits) {
  EXPECT_THAT(comparison_table(test::sample_comparison(), false),
              HasSubstr("outputs of fast: bit for bit those of old\n"));
}

}  // namespace
}  // namespace fa2bench
