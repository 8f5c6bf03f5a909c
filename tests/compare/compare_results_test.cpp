// SPDX-License-Identifier: MIT
#include "compare/compare_results.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "compare/outcome.hpp"
#include "compare/result_samples.hpp"
#include "compare/separate_runs.hpp"

namespace fa2bench {
namespace {

using test::sample_named;
using test::sample_result;
using test::sample_rows;
using test::sample_timing;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

ResultComparison compared(const std::vector<NamedReport>& bases, const NamedReport& next,
                          const ShimChoice& shims = {}) {
  return compare_results(bases, next, shims, rules_for_separate_runs(DeviceKind::cuda));
}

std::string refusal(const std::vector<NamedReport>& bases, const NamedReport& next,
                    const ShimChoice& shims = {}) {
  try {
    (void)compared(bases, next, shims);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

/// A run of two shims, one workload.
NamedReport two_shims(const std::string& name, const std::string& first, const std::string& second,
                      double us_of_first, double us_of_second) {
  NamedReport named = sample_rows(name, 1, us_of_first);
  Run other = named.report.workloads[0].runs[0];
  other.timings = {sample_timing(us_of_second)};
  other.shim = second;
  named.report.workloads[0].runs[0].shim = first;
  named.report.workloads[0].runs.push_back(other);
  named.report.shims.push_back(named.report.shims[0]);
  named.report.shims[0].label = first;
  named.report.shims[1].label = second;
  return named;
}

TEST(CompareResults, CallsEqualOnesTheSameAndEndsWellHoweverMany) {
  for (const int count : {1, 10, 300}) {
    const ResultComparison found =
        compared({sample_rows("base", count, 50.0)}, sample_rows("new", count, 50.0));
    EXPECT_EQ(exit_code(found), ExitCode::ok);
    EXPECT_TRUE(std::all_of(found.report.rows.begin(), found.report.rows.end(),
                            [](const Comparison& row) { return row.verdict == Verdict::same; }));
    EXPECT_FALSE(found.report.interleaved);
  }
}

TEST(CompareResults, EndsWellWhereAllIsFaster) {
  const ResultComparison found =
      compared({sample_rows("base", 256, 50.0)}, sample_rows("new", 256, 40.0));
  EXPECT_EQ(exit_code(found), ExitCode::ok);
  EXPECT_EQ(found.report.rows[255].verdict, Verdict::faster);
}

TEST(CompareResults, EndsWithOneCodeHoweverManyAreSlower) {
  for (const int count : {1, 2, 255, 256, 257, 512}) {
    const ResultComparison found =
        compared({sample_rows("base", count, 50.0)}, sample_rows("new", count, 60.0));
    EXPECT_EQ(exit_code(found), ExitCode::slower) << count;
    EXPECT_EQ(static_cast<int>(exit_code(found)), 6);
  }
}

TEST(CompareResults, IsIncompleteWithoutACommonWorkloadAndWithLeftovers) {
  NamedReport next = sample_rows("new", 1, 50.0);
  next.report.workloads[0].workload.id = "ffffffffffffffff";
  const ResultComparison none = compared({sample_rows("base", 1, 50.0)}, next);
  EXPECT_EQ(none.common, 0U);
  EXPECT_EQ(exit_code(none), ExitCode::inconclusive);
  const ResultComparison some =
      compared({sample_rows("base", 20, 50.0)}, sample_rows("new", 1, 50.0));
  EXPECT_EQ(some.common, 1U);
  EXPECT_EQ(some.report.leftovers.size(), 19U);
  EXPECT_EQ(exit_code(some), ExitCode::inconclusive);
}

TEST(CompareResults, IsIncompleteWhereARunWasStopped) {
  NamedReport next = sample_rows("new", 2, 50.0);
  next.report.complete = false;
  const ResultComparison found = compared({sample_rows("base", 2, 50.0)}, next);
  EXPECT_EQ(exit_code(found), ExitCode::inconclusive);
  EXPECT_THAT(found.report.incomplete, ElementsAre(HasSubstr("new is not complete")));
  EXPECT_EQ(exit_code(found.report), ExitCode::inconclusive);
  EXPECT_THAT(summary_sentence(found.report), HasSubstr("; new is not complete: "));
}

TEST(CompareResults, PutsAWrongCandidateBeforeAFasterOneAndACrashBehindIt) {
  const NamedReport base = sample_rows("base", 3, 50.0);
  NamedReport next = sample_rows("new", 3, 40.0);
  fa2bench::Run& run = next.report.workloads[1].runs[0];
  run.timings.clear();
  run.status = Status::crashed;
  EXPECT_EQ(exit_code(compared({base}, next)), ExitCode::failed);
  next.report.workloads[2].runs[0].timings.clear();
  next.report.workloads[2].runs[0].status = Status::wrong;
  EXPECT_EQ(exit_code(compared({base}, next)), ExitCode::wrong);
}

TEST(CompareResults, HasARowForEachFailureThoughTheBaselineHasNoTimeEither) {
  for (const auto& [status, code] :
       {std::pair{Status::wrong, ExitCode::wrong}, std::pair{Status::crashed, ExitCode::failed}}) {
    NamedReport base = sample_rows("base", 2, 50.0);
    base.report.workloads[0].runs[0].timings.clear();
    base.report.workloads[0].runs[0].status = status;
    NamedReport next = base;
    next.name = "new";
    const ResultComparison found = compared({base}, next);
    EXPECT_EQ(exit_code(found), code);
    ASSERT_EQ(found.report.rows.size(), 2U);
    EXPECT_EQ(found.report.rows[0].verdict, Verdict::inconclusive);
    EXPECT_EQ(found.report.rows[0].candidate_status, status);
    EXPECT_EQ(found.report.rows[0].baseline_status, status);
    EXPECT_EQ(found.report.rows[1].candidate_status, Status::ok);
  }
}

TEST(CompareResults, TellsTheStatusOfTheSideWithoutATime) {
  const NamedReport good = sample_rows("good", 1, 50.0);
  NamedReport bad = sample_rows("bad", 1, 50.0);
  bad.report.workloads[0].runs[0].timings.clear();
  bad.report.workloads[0].runs[0].status = Status::wrong;
  const Comparison candidate = compared({good}, bad).report.rows.at(0);
  EXPECT_EQ(candidate.candidate_status, Status::wrong);
  EXPECT_EQ(candidate.baseline_status, Status::ok);
  const Comparison baseline = compared({bad}, good).report.rows.at(0);
  EXPECT_EQ(baseline.candidate_status, Status::ok);
  EXPECT_EQ(baseline.baseline_status, Status::wrong);
  bad.report.workloads[0].runs[0].status = Status::ok;
  bad.report.workloads[0].runs[0].untimed = {{Mode::cold, Status::crashed, "signal 11"}};
  EXPECT_EQ(compared({good}, bad).report.rows.at(0).candidate_status, Status::crashed);
  EXPECT_EQ(compared({bad}, good).report.rows.at(0).baseline_status, Status::crashed);
}

TEST(CompareResults, IsInconclusiveWhereTheBaselineCrashed) {
  NamedReport base = sample_rows("base", 2, 50.0);
  base.report.workloads[0].runs[0].timings.clear();
  base.report.workloads[0].runs[0].status = Status::crashed;
  const ResultComparison found = compared({base}, sample_rows("new", 2, 50.0));
  EXPECT_EQ(exit_code(found), ExitCode::inconclusive);
  EXPECT_EQ(found.report.rows[0].reason, "base: crashed");
  EXPECT_EQ(found.report.rows[1].verdict, Verdict::same);
}

TEST(CompareResults, ListsWhatForbidsItOnce) {
  NamedReport next = sample_rows("new", 2, 50.0);
  next.report.device.name = "Other GPU";
  for (WorkloadResult& result : next.report.workloads) {
    result.runs[0].timings[0].samples.gated = false;
  }
  const NamedReport base = sample_rows("base", 2, 50.0);
  EXPECT_THAT(compared({base, base}, next).forbidding,
              ElementsAre(HasSubstr("model:"), HasSubstr("gate:")));
}

TEST(CompareResults, TakesShimsOfEqualLabelsTogether) {
  const ResultComparison found =
      compared({two_shims("base", "a", "b", 50.0, 80.0)}, two_shims("new", "b", "a", 80.0, 60.0));
  ASSERT_EQ(found.report.rows.size(), 2U);
  EXPECT_THAT(found.report.candidates, ElementsAre("new (b)", "new (a)"));
  EXPECT_EQ(found.report.rows[0].baseline, "base (b)");
  EXPECT_EQ(found.report.rows[0].verdict, Verdict::same);
  EXPECT_EQ(found.report.rows[1].verdict, Verdict::slower);
  EXPECT_EQ(exit_code(found), ExitCode::slower);
}

TEST(CompareResults, TakesTheShimsThatWereChosen) {
  const NamedReport base = two_shims("base", "a", "b", 50.0, 80.0);
  const ResultComparison found =
      compared({base}, two_shims("new", "c", "d", 80.0, 60.0), {"b", "c"});
  ASSERT_EQ(found.report.rows.size(), 1U);
  EXPECT_EQ(found.report.rows[0].verdict, Verdict::same);
  EXPECT_EQ(exit_code(found), ExitCode::ok);
  EXPECT_EQ(found.report.baseline, "base (b)");
}

TEST(CompareResults, TakesTheOnlyShimOfEachSideWhateverItsLabel) {
  NamedReport next = sample_rows("new", 1, 50.0);
  next.report.shims[0].label = next.report.workloads[0].runs[0].shim = "other";
  EXPECT_EQ(exit_code(compared({sample_rows("base", 1, 50.0)}, next)), ExitCode::ok);
}

TEST(CompareResults, IsIncompleteWhereAShimHasNoPartner) {
  const ResultComparison found =
      compared({two_shims("base", "a", "b", 50.0, 80.0)}, two_shims("new", "a", "c", 50.0, 80.0));
  EXPECT_EQ(found.report.rows.size(), 1U);
  EXPECT_EQ(exit_code(found), ExitCode::inconclusive);
  EXPECT_THAT(found.report.incomplete, ElementsAre("new (c) has no partner on the other side",
                                                   "base (b) has no partner on the other side"));
}

TEST(CompareResults, AsksWhichShimsAreMeant) {
  const NamedReport base = two_shims("base", "a", "b", 50.0, 80.0);
  const NamedReport next = two_shims("new", "c", "d", 50.0, 80.0);
  EXPECT_EQ(refusal({base}, next),
            "which shims are meant? base has a, b, new has c, d, and no label is in both: give "
            "--shim-of-base LABEL, --shim-of-new LABEL");
  EXPECT_EQ(refusal({base}, next, {"c", ""}),
            "--shim-of-base c: base has no shim of this label; it has a, b");
  EXPECT_EQ(refusal({base}, next, {"", "a"}),
            "--shim-of-new a: new has no shim of this label; it has c, d");
}

TEST(CompareResults, MeasuresTheFloorFromSeveralBaselines) {
  const std::vector<NamedReport> bases{sample_rows("b1", 3, 50.0), sample_rows("b2", 3, 52.0),
                                       sample_rows("b3", 3, 51.0)};
  const ResultComparison found = compared(bases, sample_rows("new", 3, 52.0));
  EXPECT_NEAR(found.report.rows[0].floor, 0.04, 1e-9);
  EXPECT_NE(found.report.rows[0].verdict, Verdict::slower);
  EXPECT_EQ(found.report.baseline, "b1, b2, b3");
  EXPECT_EQ(exit_code(compared({bases[0]}, sample_rows("new", 3, 52.0))), ExitCode::slower);
}

TEST(CompareResults, DoesNotTrustBaselinesThatAreNearEachOtherByChance) {
  std::vector<NamedReport> bases;
  for (const double us : {50.0, 51.0}) bases.push_back(sample_rows("base", 3, us));
  bases[1].report.workloads[2].runs[0].timings = {sample_timing(50.0)};
  const ResultComparison found = compared(bases, sample_rows("new", 3, 50.0));
  EXPECT_NEAR(found.report.rows[2].floor, 0.02, 1e-9);
}

TEST(CompareResults, KeepsTheUsualFloorBelowFiveBaselines) {
  std::vector<NamedReport> bases(4, sample_rows("base", 2, 50.0));
  const auto floor = [&bases] {
    return compared(bases, sample_rows("new", 2, 50.0)).report.rows[0].floor;
  };
  EXPECT_EQ(floor(), kFloorOfGpuRuns);
  bases.resize(2);
  EXPECT_EQ(floor(), kFloorOfGpuRuns);
  bases.resize(5, bases[0]);
  EXPECT_NEAR(floor(), 0.0, 1e-9);
}

TEST(CompareResults, HasNoVerdictOfACpuThatHadOtherWork) {
  NamedReport base = sample_rows("base", 2, 50.0);
  NamedReport next = sample_rows("new", 2, 100.0);
  for (NamedReport* named : {&base, &next}) {
    named->report.device.kind = DeviceKind::host;
    named->report.device.processors = 8;
    named->report.telemetry.before.load_average = 0.5;
  }
  EXPECT_EQ(compared({base}, next).report.rows[0].verdict, Verdict::slower);
  next.report.telemetry.before.load_average = 0.6;
  for (const Comparison& row : compared({base}, next).report.rows) {
    EXPECT_EQ(row.verdict, Verdict::inconclusive);
    EXPECT_THAT(row.reason, HasSubstr("other work when new began (load average 0.6)"));
  }
  EXPECT_EQ(compared(std::vector<NamedReport>(5, base), next).report.rows[0].verdict,
            Verdict::slower);
}

TEST(CompareResults, SaysThatAFloorOfFewBaselinesIsAssumed) {
  const NamedReport base = sample_rows("base", 1, 50.0);
  const NamedReport next = sample_rows("new", 1, 50.0);
  EXPECT_THAT(
      compared({base}, next).report.notes,
      Contains("floor: separate runs of one build are taken to differ by up to 0.6 %, which "
               "is assumed: 5 baselines would measure it"));
  std::vector<NamedReport> bases(4, base);
  bases.push_back(sample_rows("base", 1, 50.5));
  EXPECT_THAT(compared(bases, next).report.notes, Contains(HasSubstr(" %, by the 5 baselines")));
}

TEST(CompareResults, SaysThatItIsWeakerEvidenceAndWhatDiffers) {
  NamedReport next = sample_rows("new", 1, 50.0);
  next.report.device.driver = "590";
  const ResultComparison found = compared({sample_rows("base", 1, 50.0)}, next);
  EXPECT_THAT(found.report.notes, Contains("runs differ in driver: not known → 590"));
  EXPECT_THAT(found.report.notes, Contains(HasSubstr("in one run is stronger evidence")));
  EXPECT_THAT(found.report.notes, Not(Contains(HasSubstr("config"))));
  EXPECT_THAT(found.forbidding, IsEmpty());
}

}  // namespace
}  // namespace fa2bench
