// SPDX-License-Identifier: MIT
#include "output/progress.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fa2bench {
namespace {

TEST(ProgressStyle, IsABarOnATerminalAndLinesElsewhere) {
  EXPECT_EQ(choose_progress_style(false, false, true), ProgressStyle::bar);
  EXPECT_EQ(choose_progress_style(false, false, false), ProgressStyle::lines);
}

TEST(ProgressStyle, IsNoneWhereEitherOptionAsksForIt) {
  for (const bool terminal : {false, true}) {
    EXPECT_EQ(choose_progress_style(true, false, terminal), ProgressStyle::none);
    EXPECT_EQ(choose_progress_style(false, true, terminal), ProgressStyle::none);
    EXPECT_EQ(choose_progress_style(true, true, terminal), ProgressStyle::none);
  }
}

TEST(ProgressBar, ShowsShareCountTimeLeftAndWhatIsDone) {
  EXPECT_EQ(progress_bar(5, 10, 12.0, "decode 32x4096", 80),
            "[##########----------]   5/10  about 12 s left  decode 32x4096");
}

TEST(ProgressBar, GivesNoTimeLeftBeforeTheFirstStepIsOver) {
  EXPECT_EQ(progress_bar(0, 4, 9.0, "a", 80), "[--------------------]   0/4  a");
}

TEST(ProgressBar, GivesALongTimeInMinutes) {
  EXPECT_EQ(progress_bar(1, 3, 89.0, "a", 80), "[######--------------]   1/3  about 3 min left  a");
}

TEST(ProgressBar, IsFullAtTheEnd) {
  EXPECT_EQ(progress_bar(4, 4, 8.0, "", 80), "[####################]   4/4  about 0 s left  ");
}

TEST(ProgressBar, SurvivesATotalOfZero) {
  EXPECT_EQ(progress_bar(0, 0, 0.0, "", 80), "[####################]   0/0  ");
}

TEST(ProgressBar, IsCutToTheWidth) {
  const std::string whole = progress_bar(5, 10, 12.0, "decode", 80);
  EXPECT_EQ(progress_bar(5, 10, 12.0, "decode", 30), whole.substr(0, 30));
  EXPECT_EQ(progress_bar(5, 10, 12.0, "decode", whole.size()), whole);
  EXPECT_EQ(progress_bar(5, 10, 12.0, "decode", whole.size() - 1),
            whole.substr(0, whole.size() - 1));
  EXPECT_EQ(progress_bar(5, 10, 12.0, "decode", 0), "");
}

TEST(ProgressBar, IsNeverCutInsideACharacter) {
  const std::string bar = "[--------------------]   0/4  ";
  EXPECT_EQ(progress_bar(0, 4, 0.0, "é·µ", bar.size() + 2), bar + "é·");
}

TEST(Progress, WritesALineForEachStepWhereThereIsNoTerminal) {
  testing::internal::CaptureStderr();
  {
    Progress progress(ProgressStyle::lines);
    progress.show(0, 2, "first");
    progress.show(1, 2, "second");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "[0/2] first\n[1/2] second\n");
}

TEST(Progress, WritesNothingWhereNoneIsAsked) {
  testing::internal::CaptureStderr();
  {
    Progress progress(ProgressStyle::none);
    progress.show(0, 2, "first");
    progress.finish();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Progress, RedrawsTheBarOnOneLineAndRemovesItOnce) {
  testing::internal::CaptureStderr();
  {
    Progress progress(ProgressStyle::bar);
    progress.show(0, 2, "first");
    progress.show(0, 2, "second");
    progress.finish();
  }
  const std::string empty = "[--------------------]   0/2  ";
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "\r\033[K" + empty + "first\r\033[K" + empty + "second\r\033[K");
}

TEST(Progress, RemovesTheBarWhenItGoes) {
  testing::internal::CaptureStderr();
  { Progress(ProgressStyle::bar).show(0, 1, ""); }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "\r\033[K[--------------------]   0/1  \r\033[K");
}

}  // namespace
}  // namespace fa2bench
