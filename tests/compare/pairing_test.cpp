// SPDX-License-Identifier: MIT
#include "compare/pairing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compare/result_samples.hpp"

namespace fa2bench {
namespace {

using test::sample_named;
using test::sample_result;
using test::sample_timing;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Pairing paired(const NamedReport& base, const NamedReport& next) {
  const Side before{base.name, &base.report, 0};
  return pair_results(std::span(&before, 1), {next.name, &next.report, 0});
}

TEST(Pairing, TakesTheSameWorkloadAndModeTogether) {
  const NamedReport base = sample_named(
      "base", {sample_result("a", "1", {sample_timing(10.0)}),
               sample_result("b", "2", {sample_timing(20.0), sample_timing(15.0, 0, Mode::warm)})});
  const NamedReport next = sample_named(
      "new", {sample_result("b", "2", {sample_timing(15.5, 0, Mode::warm), sample_timing(21.0)}),
              sample_result("a", "1", {sample_timing(11.0)})});
  const Pairing pairing = paired(base, next);
  EXPECT_THAT(pairing.leftovers, IsEmpty());
  EXPECT_EQ(pairing.common, 2U);
  ASSERT_EQ(pairing.pairs.size(), 3U);
  EXPECT_EQ(pairing.pairs[0].workload, "b");
  EXPECT_EQ(pairing.pairs[0].mode, Mode::cold);
  EXPECT_NEAR(pairing.pairs[0].baselines.at(0)->device.median, 20.0, 1e-9);
  EXPECT_NEAR(pairing.pairs[0].candidate->device.median, 21.0, 1e-9);
  EXPECT_EQ(pairing.pairs[1].mode, Mode::warm);
  EXPECT_NEAR(pairing.pairs[1].candidate->device.median, 15.5, 1e-9);
  EXPECT_EQ(pairing.pairs[2].workload, "a");
}

TEST(Pairing, LeavesOverWhatOneSideOnlyHas) {
  const NamedReport base =
      sample_named("base", {sample_result("a", "1", {sample_timing(1.0)}),
                            sample_result("gone", "2", {sample_timing(1.0)}),
                            sample_result("c", "3", {sample_timing(1.0, 0, Mode::warm)})});
  const NamedReport next = sample_named("new", {sample_result("a", "1", {sample_timing(1.0)}),
                                                sample_result("added", "4", {sample_timing(1.0)}),
                                                sample_result("c", "3", {sample_timing(1.0)})});
  const Pairing pairing = paired(base, next);
  EXPECT_EQ(pairing.common, 2U);
  EXPECT_EQ(pairing.pairs.size(), 1U);
  std::vector<std::string> left;
  for (const Leftover& leftover : pairing.leftovers) {
    left.push_back(leftover.side + " " + leftover.workload + " " +
                   (leftover.mode ? to_text(*leftover.mode) : "all"));
  }
  EXPECT_THAT(left, ElementsAre("new added all", "new c cold", "base c warm", "base gone all"));
}

TEST(Pairing, DoesNotTakeAWorkloadForAnotherOfItsName) {
  const NamedReport base = sample_named("base", {sample_result("a", "1", {sample_timing(1.0)})});
  const NamedReport next = sample_named("new", {sample_result("a", "2", {sample_timing(1.0)})});
  const Pairing pairing = paired(base, next);
  EXPECT_EQ(pairing.common, 0U);
  EXPECT_EQ(pairing.leftovers.size(), 2U);
  EXPECT_THAT(pairing.notes, ElementsAre(HasSubstr("\"a\" is another workload in")));
}

TEST(Pairing, SaysWhatARenamedWorkloadIsCalledNow) {
  const NamedReport base = sample_named("base", {sample_result("a", "1", {sample_timing(1.0)})});
  const NamedReport next = sample_named("new", {sample_result("b", "1", {sample_timing(1.0)})});
  const Pairing pairing = paired(base, next);
  EXPECT_EQ(pairing.common, 0U);
  EXPECT_EQ(pairing.leftovers.size(), 2U);
  EXPECT_THAT(pairing.notes, ElementsAre(HasSubstr("give both the same name")));
}

TEST(Pairing, SaysWhyACandidateHasNoTimeAndWhatThatMakesOfTheComparison) {
  const NamedReport base = sample_named("base", {sample_result("a", "1", {sample_timing(1.0)})});
  NamedReport next = base;
  next.name = "new";
  fa2bench::Run& run = next.report.workloads[0].runs[0];
  run.timings.clear();
  run.reason = "row 3 is off";
  for (const auto& [status, wrong, failed] :
       {std::tuple{Status::wrong, true, false}, std::tuple{Status::crashed, false, true},
        std::tuple{Status::timeout, false, true}, std::tuple{Status::unsupported, false, false}}) {
    run.status = status;
    const Pairing pairing = paired(base, next);
    EXPECT_EQ(pairing.wrong, wrong);
    EXPECT_EQ(pairing.failed, failed);
    EXPECT_THAT(pairing.leftovers, IsEmpty());
    ASSERT_EQ(pairing.pairs.size(), 1U);
    EXPECT_EQ(pairing.pairs[0].candidate, nullptr);
    EXPECT_EQ(pairing.pairs[0].reason, std::string("new: ") + to_text(status) + ": row 3 is off");
  }
}

TEST(Pairing, DoesNotBlameACandidateForABaselineThatCrashed) {
  const NamedReport next = sample_named("new", {sample_result("a", "1", {sample_timing(1.0)})});
  NamedReport base = next;
  base.name = "base";
  base.report.workloads[0].runs[0].timings.clear();
  base.report.workloads[0].runs[0].status = Status::crashed;
  const Pairing pairing = paired(base, next);
  EXPECT_FALSE(pairing.failed);
  ASSERT_EQ(pairing.pairs.size(), 1U);
  EXPECT_THAT(pairing.pairs[0].baselines, IsEmpty());
  EXPECT_EQ(pairing.pairs[0].reason, "base: crashed");
}

TEST(Pairing, SaysWhyAModeHasNoTime) {
  const NamedReport base = sample_named(
      "base", {sample_result("a", "1", {sample_timing(1.0), sample_timing(1.0, 0, Mode::graph)})});
  NamedReport next = sample_named("new", {sample_result("a", "1", {sample_timing(1.0)})});
  next.report.workloads[0].runs[0].untimed = {{Mode::graph, Status::failed, "not capturable"}};
  const Pairing pairing = paired(base, next);
  EXPECT_TRUE(pairing.failed);
  ASSERT_EQ(pairing.pairs.size(), 2U);
  EXPECT_EQ(pairing.pairs[1].reason, "new: failed: not capturable");
}

TEST(Pairing, NamesAWorkloadThatNeitherSideCouldTime) {
  NamedReport base = sample_named("base", {sample_result("a", "1", {})});
  base.report.workloads[0].runs[0].status = Status::unsupported;
  const Pairing pairing = paired(base, base);
  EXPECT_THAT(pairing.pairs, IsEmpty());
  EXPECT_THAT(pairing.notes, ElementsAre("no time on either side: a (unsupported)"));
}

TEST(Pairing, HasARowForAFailureWhereNeitherSideHasATime) {
  NamedReport base = sample_named(
      "base", {sample_result("a", "1", {}, "shim"), sample_result("b", "2", {sample_timing(1.0)})});
  base.report.workloads[0].runs[0].status = Status::unsupported;
  NamedReport next = base;
  next.name = "new";
  next.report.workloads[1].runs[0].timings = {sample_timing(1.0, 0, Mode::warm)};
  fa2bench::Run& run = next.report.workloads[0].runs[0];
  for (const Status status : {Status::wrong, Status::crashed, Status::failed, Status::timeout}) {
    run.status = status;
    const Pairing pairing = paired(base, next);
    ASSERT_EQ(pairing.pairs.size(), 1U);
    EXPECT_EQ(pairing.pairs[0].workload, "a");
    EXPECT_EQ(pairing.pairs[0].mode, Mode::warm) << "the first that the candidate was timed in";
    EXPECT_EQ(pairing.pairs[0].candidate, nullptr);
    EXPECT_EQ(pairing.pairs[0].reason, std::string("new: ") + to_text(status));
  }
  next.report.workloads[0].runs.clear();
  ASSERT_EQ(paired(base, next).pairs.size(), 1U);
  EXPECT_EQ(paired(base, next).pairs[0].reason, "new has no run of its shim");
}

TEST(Pairing, HasARowForAModeThatFailedThoughTheBaselineHasNoneEither) {
  const NamedReport base = sample_named("base", {sample_result("a", "1", {sample_timing(1.0)})});
  NamedReport next = base;
  next.name = "new";
  next.report.workloads[0].runs[0].untimed = {{Mode::graph, Status::failed, "not capturable"},
                                              {Mode::step, Status::does_not_fit, "no memory"}};
  const Pairing pairing = paired(base, next);
  EXPECT_TRUE(pairing.failed);
  ASSERT_EQ(pairing.pairs.size(), 2U);
  EXPECT_EQ(pairing.pairs[1].mode, Mode::graph);
  EXPECT_EQ(pairing.pairs[1].reason, "new: failed: not capturable");
}

TEST(Pairing, TakesEveryBaselineThatHasTheWorkload) {
  const NamedReport first = sample_named("b1", {sample_result("a", "1", {sample_timing(1.0)})});
  const NamedReport second = sample_named("b2", {sample_result("a", "1", {sample_timing(2.0)}),
                                                 sample_result("b", "2", {sample_timing(2.0)})});
  const NamedReport next = sample_named("new", {sample_result("a", "1", {sample_timing(1.0)}),
                                                sample_result("b", "2", {sample_timing(1.0)})});
  const std::vector<Side> sides{{"b1", &first.report, 0}, {"b2", &second.report, 0}};
  const Pairing pairing = pair_results(sides, {"new", &next.report, 0});
  EXPECT_THAT(pairing.leftovers, IsEmpty());
  ASSERT_EQ(pairing.pairs.size(), 2U);
  EXPECT_EQ(pairing.pairs[0].baselines.size(), 2U);
  EXPECT_EQ(pairing.pairs[1].baselines.size(), 1U);
}

TEST(Pairing, SaysWhichBaselineLacksWhatOthersHave) {
  const NamedReport first = sample_named("b1", {sample_result("a", "1", {sample_timing(1.0)})});
  const NamedReport second = sample_named(
      "b2", {sample_result("a", "1", {sample_timing(2.0), sample_timing(2.0, 0, Mode::warm)}),
             sample_result("b", "2", {sample_timing(2.0)})});
  const std::vector<Side> sides{{"b1", &first.report, 0}, {"b2", &second.report, 0}};
  EXPECT_THAT(pair_results(sides, {"new", &second.report, 0}).notes,
              ElementsAre("b1 has no time of a · warm and 1 more, which other baselines have"));
  EXPECT_THAT(pair_results(sides, {"new", &first.report, 0}).notes, IsEmpty());
}

}  // namespace
}  // namespace fa2bench
