// SPDX-License-Identifier: MIT
#include "output/empty_row_notes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "output/result_table.hpp"
#include "result/sample_report.hpp"

namespace fa2bench {
namespace {

using testing::HasSubstr;
using testing::Not;

using Left = std::optional<EmptyRows>;

const EmptyRows kOurs{3, EmptyOut::zero, EmptyLse::neg_inf};
const EmptyRows kFlash{3, EmptyOut::zero, EmptyLse::pos_inf};
const EmptyRows kNan{3, EmptyOut::nan, EmptyLse::nan};
const EmptyRows kNothing{3, EmptyOut::unwritten, EmptyLse::unwritten};

/// A workload on which shims a, b, … left that.
WorkloadResult workload(const std::string& name, const std::vector<Left>& left) {
  WorkloadResult result = test::sample_workload(name);
  std::string label = "a";
  for (const Left& empty : left) {
    Run run = test::sample_run(label, Status::ok, "");
    run.verify = test::sample_verify();
    run.verify->empty_rows = empty;
    result.runs.push_back(run);
    ++label[0];
  }
  return result;
}

std::string notes(std::vector<WorkloadResult> workloads) {
  Report report = test::cpu_report();
  report.workloads = std::move(workloads);
  return empty_row_notes(report);
}

TEST(EmptyRowNotes, AreNoneWhereShimsAgreeOrHaveNoSuchRows) {
  EXPECT_EQ(notes({}), "");
  EXPECT_EQ(notes({workload("w", {kOurs})}), "");
  EXPECT_EQ(notes({workload("w", {kOurs, kOurs})}), "");
  EXPECT_EQ(notes({workload("w", {kOurs, std::nullopt})}), "");
  EmptyRows more = kOurs;
  more.rows = 4;
  EXPECT_EQ(notes({workload("v", {kOurs, kOurs}), workload("w", {more, more})}), "");
}

TEST(EmptyRowNotes, NameShimsThatDiffer) {
  EXPECT_EQ(notes({workload("w", {kFlash, kOurs})}),
            "shims differ in rows without keys: a: out 0, lse +inf; b: out 0, lse -inf (in w)\n");
  EXPECT_EQ(notes({workload("w", {kOurs, kNan, kOurs})}),
            "shims differ in rows without keys: a, c: out 0, lse -inf; b: out NaN, lse NaN (in "
            "w)\n");
}

TEST(EmptyRowNotes, WarnOfRowsThatAreLeftUnwritten) {
  EXPECT_EQ(notes({workload("w", {kNothing})}),
            "warning: a leaves out and lse of rows without keys unwritten (in w)\n");
  EXPECT_EQ(notes({workload("w", {EmptyRows{1, EmptyOut::unwritten, EmptyLse::neg_inf}, kOurs})}),
            "warning: a leaves out of rows without keys unwritten (in w)\n"
            "shims differ in rows without keys: a: out unwritten, lse -inf; b: out 0, lse -inf (in "
            "w)\n");
}

TEST(EmptyRowNotes, WarnOfRowsThatAreNotTreatedAlike) {
  EXPECT_EQ(notes({workload("w", {EmptyRows{2, EmptyOut::zero, EmptyLse::mixed}})}),
            "warning: a does not treat all rows without keys alike in lse (in w)\n");
}

TEST(EmptyRowNotes, GatherTheWorkloadsOfOneNote) {
  std::vector<WorkloadResult> workloads;
  for (const char* name : {"s", "t", "u", "v", "w", "x"}) {
    workloads.push_back(workload(name, {kNothing}));
  }
  workloads[1].runs[0].verify->empty_rows = kOurs;
  EXPECT_EQ(notes({workloads.begin(), workloads.end() - 1}),
            "warning: a leaves out and lse of rows without keys unwritten (in s, u, v, w)\n");
  EXPECT_EQ(notes(workloads),
            "warning: a leaves out and lse of rows without keys unwritten (in s, u, v, w and 1 "
            "more)\n");
}

TEST(EmptyRowNotes, SayNothingOfAShimThatIsWrong) {
  WorkloadResult result = workload("w", {kOurs, kNothing});
  result.runs[1].status = Status::wrong;
  EXPECT_EQ(notes({result}), "");
}

TEST(EmptyRowNotes, StandBehindTheReasonsOfTheTable) {
  Report report = test::cpu_report();
  EXPECT_THAT(result_table(report, false), Not(HasSubstr("rows without keys")));
  report.workloads.push_back(workload("w", {kFlash, kOurs}));
  EXPECT_THAT(
      result_table(report, false),
      HasSubstr("wide heads · good · unsupported: head_dim 512: the shim describes 64, 128\n"
                "\nshims differ in rows without keys: a: out 0, lse +inf; b: out 0, lse "
                "-inf (in w)\n"));
}

TEST(EmptyRowNotes, LeaveARunWithNothingToDoUncolored) {
  Report report = test::cpu_report();
  report.workloads[0].runs[0].timings.clear();
  report.workloads[0].runs[0].reason = kNothingToDo;
  EXPECT_THAT(result_table(report, true),
              HasSubstr("decode · good · ok: nothing to do: no query tokens\n"));
}

}  // namespace
}  // namespace fa2bench
