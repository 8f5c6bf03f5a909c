// SPDX-License-Identifier: MIT
#include "compare/verdict.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "compare/outcome.hpp"
#include "compare/percent.hpp"

namespace fa2bench {
namespace {

Comparison row_of(double ratio, double half_width, double p_value) {
  Comparison row;
  row.workload = "decode";
  row.baseline = "old";
  row.candidate = "new";
  row.ratio = ratio;
  row.interval = Interval{ratio - half_width, ratio + half_width};
  row.p_value = p_value;
  return row;
}

Comparison judged(Comparison row, const ComparisonRules& rules = {}) {
  std::vector<Comparison> rows{std::move(row)};
  judge(rows, rules);
  return rows[0];
}

/// Of one row with this verdict and ratio for each workload.
ComparisonReport report_of(const std::vector<std::pair<Verdict, double>>& rows) {
  ComparisonReport report;
  report.baseline = "old";
  report.candidates = {"new"};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Comparison row = row_of(rows[i].second, 0.001, 0.0);
    row.workload = "w" + std::to_string(i);
    row.verdict = rows[i].first;
    report.rows.push_back(row);
  }
  return report;
}

TEST(Verdict, IsSlowerOrFasterBeyondTheEffectAndChance) {
  EXPECT_EQ(judged(row_of(1.02, 0.005, 1e-4)).verdict, Verdict::slower);
  EXPECT_EQ(judged(row_of(0.98, 0.005, 1e-4)).verdict, Verdict::faster);
  EXPECT_EQ(judged(row_of(0.98, 0.005, 1e-4)).reason, "");
}

TEST(Verdict, IsTheSameWithinTheEffectThoughItDiffersBeyondChance) {
  EXPECT_EQ(judged(row_of(1.005, 0.004, 1e-4)).verdict, Verdict::same);
  EXPECT_EQ(judged(row_of(1.0, 0.0099, 1.0)).verdict, Verdict::same);
}

TEST(Verdict, IsHeldToTheErrorOfAllRowsTogether) {
  // Holm at 1 %: 0.0033 for the smallest of three, then 0.005, then 0.01.
  std::vector<Comparison> rows{row_of(1.05, 0.01, 0.009), row_of(1.05, 0.01, 0.003),
                               row_of(1.05, 0.01, 0.0049)};
  judge(rows, {});
  for (const Comparison& row : rows) EXPECT_EQ(row.verdict, Verdict::slower);
  rows = {row_of(1.05, 0.01, 0.009), row_of(1.05, 0.01, 0.003), row_of(1.05, 0.01, 0.0051)};
  judge(rows, {});
  EXPECT_EQ(rows[1].verdict, Verdict::slower);
  EXPECT_EQ(rows[0].verdict, Verdict::inconclusive);
  EXPECT_EQ(rows[2].verdict, Verdict::inconclusive);
  EXPECT_EQ(rows[2].reason,
            "slower by 5 % ±1 %, which may be chance among all comparisons (floor 0 %); more "
            "--processes or a longer --time-limit would tell");
}

TEST(Verdict, SaysWhatKeepsItInconclusive) {
  EXPECT_EQ(judged(row_of(1.002, 0.014, 0.8)).reason,
            "slower by 0.2 %: ±1.4 % is wider than the 1 % asked for; more --processes or a longer "
            "--time-limit would tell");
  EXPECT_EQ(judged(row_of(0.994, 0.005, 1e-4)).reason,
            "faster by 0.6 %, below --min-effect 1 %, and not shown to be the same");
  EXPECT_EQ(judged(row_of(0.994, 0.006, 0.03)).reason,
            "faster by 0.6 % ±0.6 %, which may be more or less than --min-effect 1 %; more "
            "--processes or a longer --time-limit would tell");
  Comparison unsteady = row_of(1.02, 0.03, 1.0);
  unsteady.floor = 0.04;
  EXPECT_EQ(judged(unsteady).reason, "slower by 2 %, but the baseline differs from itself by 4 %");
}

TEST(Verdict, IsNeverGivenWithoutUsableNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {nan, 0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    Comparison row = row_of(1.05, 0.01, 0.0);
    row.ratio = bad;
    EXPECT_EQ(judged(row).verdict, Verdict::inconclusive);
    EXPECT_EQ(judged(row).reason, "there is no time of both to compare");
  }
  Comparison row = row_of(1.05, 0.01, 0.0);
  row.interval = Interval{nan, 1.0};
  EXPECT_EQ(judged(row).verdict, Verdict::inconclusive);
  EXPECT_EQ(judged(row_of(1.05, 0.01, nan)).verdict, Verdict::inconclusive);
  row = row_of(1.05, 0.01, 0.0);
  row.p_value.reset();
  EXPECT_EQ(judged(row).verdict, Verdict::inconclusive);
}

TEST(Verdict, KeepsTheReasonOfARowWithoutARatio) {
  Comparison row = row_of(1.0, 0.0, 0.0);
  row.ratio.reset();
  row.reason = "new was wrong";
  row.verdict = Verdict::faster;
  EXPECT_EQ(judged(row).reason, "new was wrong");
  EXPECT_EQ(judged(row).verdict, Verdict::inconclusive);
  row.ratio = 1.1;
  row.interval.reset();
  row.reason.clear();
  EXPECT_EQ(judged(row).reason,
            "too few placements for an interval; more --processes or a longer --time-limit would "
            "tell");
}

TEST(Verdict, OfARowWithoutNumbersDoesNotCountAmongAllRows) {
  std::vector<Comparison> rows{row_of(1.05, 0.01, 0.009), row_of(1.0, 0.0, 0.0)};
  rows[1].ratio.reset();
  judge(rows, {});
  EXPECT_EQ(rows[0].verdict, Verdict::slower);
}

TEST(ComparisonExitCode, IsSlowerHoweverManyRowsAre) {
  for (const std::size_t count : {1U, 2U, 255U, 256U, 257U, 512U}) {
    const ComparisonReport report =
        report_of(std::vector<std::pair<Verdict, double>>(count, {Verdict::slower, 1.1}));
    EXPECT_EQ(static_cast<int>(exit_code(report)), 6) << count;
  }
}

TEST(ComparisonExitCode, IsZeroWhenAllAreFasterOrTheSame) {
  EXPECT_EQ(exit_code(report_of({{Verdict::faster, 0.9}, {Verdict::faster, 0.5}})), ExitCode::ok);
  EXPECT_EQ(exit_code(report_of({{Verdict::same, 1.0}, {Verdict::same, 1.0}})), ExitCode::ok);
}

TEST(ComparisonExitCode, IsInconclusiveWhereAnythingIsOpenOrMissing) {
  EXPECT_EQ(exit_code(report_of({{Verdict::faster, 0.9}, {Verdict::inconclusive, 1.0}})),
            ExitCode::inconclusive);
  EXPECT_EQ(exit_code(report_of({})), ExitCode::inconclusive);
  ComparisonReport report = report_of({{Verdict::same, 1.0}});
  report.leftovers.push_back({"old", "prefill", "id", std::nullopt});
  EXPECT_EQ(exit_code(report), ExitCode::inconclusive);
  report.rows[0].verdict = Verdict::slower;
  EXPECT_EQ(exit_code(report), ExitCode::slower);
}

TEST(WorseExitCode, IsTheFirstThatApplies) {
  const std::vector<ExitCode> order{ExitCode::internal,     ExitCode::usage,  ExitCode::environment,
                                    ExitCode::wrong,        ExitCode::failed, ExitCode::slower,
                                    ExitCode::inconclusive, ExitCode::ok};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i; j < order.size(); ++j) {
      EXPECT_EQ(worse(order[i], order[j]), order[i]);
      EXPECT_EQ(worse(order[j], order[i]), order[i]);
    }
  }
}

TEST(SummarySentence, SaysWhatIsFasterSameAndOpen) {
  EXPECT_EQ(summary_sentence(report_of({{Verdict::faster, 0.947},
                                        {Verdict::same, 1.0},
                                        {Verdict::faster, 0.979},
                                        {Verdict::inconclusive, 1.0},
                                        {Verdict::same, 1.0}})),
            "new is faster than old on 2 of 5 workloads (2.1 to 5.3 % less time), the same on 2, "
            "and inconclusive on 1.");
}

TEST(SummarySentence, NamesTheWorstSlowerOneFirst) {
  EXPECT_EQ(summary_sentence(report_of(
                {{Verdict::faster, 0.9}, {Verdict::slower, 1.02}, {Verdict::slower, 1.25}})),
            "new is slower than old on 2 of 3 workloads (at worst, w2 takes 25 % more time) and "
            "faster on 1 (10 % less time).");
}

TEST(SummarySentence, ReadsWellWhereThereIsOneKindOnly) {
  EXPECT_EQ(summary_sentence(report_of({{Verdict::same, 1.0}})),
            "new is as fast as old on 1 of 1 workload.");
  EXPECT_EQ(summary_sentence(report_of({{Verdict::inconclusive, 1.0}})),
            "whether new is faster than old is inconclusive.");
  EXPECT_EQ(
      summary_sentence(report_of({{Verdict::inconclusive, 1.0}, {Verdict::inconclusive, 1.0}})),
      "whether new is faster than old is inconclusive on all of 2 workloads.");
  EXPECT_EQ(summary_sentence(report_of({})), "new could not be compared with old.");
  EXPECT_EQ(summary_sentence({}), "nothing was compared.");
}

TEST(SummarySentence, HasEachCandidateAndWhatCouldNotBePaired) {
  ComparisonReport report = report_of({{Verdict::same, 1.0}, {Verdict::same, 1.0}});
  report.rows[1].workload = report.rows[0].workload;  // in another mode
  report.rows.push_back(report.rows[0]);
  report.rows[2].candidate = "newer";
  report.candidates.emplace_back("newer");
  report.leftovers.resize(3);
  EXPECT_EQ(summary_sentence(report),
            "new is as fast as old on 2 of 2 timings; newer is as fast as old on 1 of 1 workload; "
            "3 could not be paired.");
}

/// Rows without times, of a candidate and a baseline that ended so.
ComparisonReport ended(const std::vector<std::pair<Status, Status>>& sides) {
  ComparisonReport report =
      report_of(std::vector<std::pair<Verdict, double>>(sides.size(), {Verdict::inconclusive, 1}));
  for (std::size_t i = 0; i < sides.size(); ++i) {
    report.rows[i].candidate_status = sides[i].first;
    report.rows[i].baseline_status = sides[i].second;
  }
  return report;
}

TEST(SummarySentence, SaysHowACandidateWentWrongBeforeAllElse) {
  EXPECT_EQ(summary_sentence(ended({{Status::wrong, Status::ok}, {Status::wrong, Status::ok}})),
            "new is wrong on 2 of 2 workloads.");
  ComparisonReport report = ended({{Status::ok, Status::ok},
                                   {Status::crashed, Status::ok},
                                   {Status::wrong, Status::ok},
                                   {Status::unsupported, Status::ok},
                                   {Status::timeout, Status::ok},
                                   {Status::failed, Status::ok},
                                   {Status::not_run, Status::ok}});
  report.rows[0].verdict = Verdict::slower;
  report.rows[0].ratio = 1.25;
  EXPECT_EQ(summary_sentence(report),
            "new is wrong on 1 of 7 workloads, crashes on 1, does not return on 1, fails on 1, was "
            "not run on 1, is slower than old on 1 (w0 takes 25 % more time), and inconclusive on "
            "1.");
}

TEST(SummarySentence, SaysOfABaselineThatWentWrongThatNothingCanBeHeldAgainstIt) {
  EXPECT_EQ(summary_sentence(ended({{Status::ok, Status::crashed}, {Status::ok, Status::wrong}})),
            "old is wrong on 1 of 2 workloads and crashes on 1; new could not be compared with "
            "old.");
  ComparisonReport report = ended({{Status::ok, Status::ok}, {Status::ok, Status::crashed}});
  report.rows[0].verdict = Verdict::faster;
  report.rows[0].ratio = 0.9;
  EXPECT_EQ(summary_sentence(report),
            "old crashes on 1 of 2 workloads; new is faster than old on 1 of 2 workloads (10 % "
            "less time) and not comparable on 1.");
  EXPECT_EQ(summary_sentence(ended({{Status::wrong, Status::crashed}})),
            "new is wrong on 1 of 1 workload; old crashes on 1 of 1 workload.");
}

TEST(SummarySentence, HasTheCandidateThatIsWrongFirst) {
  ComparisonReport report = ended({{Status::ok, Status::ok},
                                   {Status::ok, Status::ok},
                                   {Status::crashed, Status::wrong},
                                   {Status::wrong, Status::wrong}});
  report.candidates = {"good", "lost", "bad"};
  report.rows[0].candidate = report.rows[1].candidate = "good";
  report.rows[0].verdict = report.rows[1].verdict = Verdict::same;
  report.rows[2].candidate = "lost";
  report.rows[2].baseline_status = Status::ok;
  report.rows[3].candidate = "bad";
  report.rows[3].baseline_status = Status::ok;
  EXPECT_EQ(summary_sentence(report),
            "bad is wrong on 1 of 1 workload; lost crashes on 1 of 1 workload; good is as fast as "
            "old on 2 of 2 workloads.");
}

TEST(SummarySentence, CountsABaselineThatWentWrongOnceForAllCandidates) {
  ComparisonReport report = ended({{Status::ok, Status::crashed}, {Status::ok, Status::crashed}});
  report.candidates = {"new", "newer"};
  report.rows[1].workload = report.rows[0].workload;
  report.rows[1].candidate = "newer";
  EXPECT_EQ(summary_sentence(report),
            "old crashes on 1 of 1 workload; new could not be compared with old; newer could not "
            "be compared with old.");
}

TEST(VerdictText, SaysWhichSideWentWrongAndHow) {
  const auto text = [](Status candidate, Status baseline) {
    return verdict_text(ended({{candidate, baseline}}).rows[0]);
  };
  EXPECT_EQ(text(Status::wrong, Status::ok), "wrong");
  EXPECT_EQ(text(Status::not_run, Status::ok), "not run");
  EXPECT_EQ(text(Status::ok, Status::crashed), "baseline crashed");
  EXPECT_EQ(text(Status::unsupported, Status::wrong), "baseline wrong");
  EXPECT_EQ(text(Status::failed, Status::timeout), "failed, baseline timeout");
  EXPECT_EQ(text(Status::wrong, Status::wrong), "both wrong");
  EXPECT_EQ(text(Status::unsupported, Status::ok), "inconclusive");
  EXPECT_EQ(text(Status::ok, Status::ok), "inconclusive");
}

TEST(Percent, HasNoZerosThatSayNothing) {
  EXPECT_EQ(percent_number(0.0), "0");
  EXPECT_EQ(percent_number(0.00031), "0.031");
  EXPECT_EQ(percent_number(-0.0025), "0.25");
  EXPECT_EQ(percent_number(0.01), "1");
  EXPECT_EQ(percent_number(0.123), "12.3");
  EXPECT_EQ(percent_number(10.0), "1000");
}

}  // namespace
}  // namespace fa2bench
