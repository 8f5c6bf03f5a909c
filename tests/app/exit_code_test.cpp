// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "app/session.hpp"

namespace fa2bench {
namespace {

Run run_with(Status status) {
  Run run;
  run.status = status;
  return run;
}

/// One workload for each status.
ExitCode code_of(const std::vector<Status>& statuses) {
  Report report;
  for (const Status status : statuses) {
    WorkloadResult result;
    result.runs.push_back(run_with(status));
    report.workloads.push_back(std::move(result));
  }
  return exit_code(report);
}

TEST(SessionExitCode, IsZeroForAnswers) {
  EXPECT_EQ(code_of({}), ExitCode::ok);
  EXPECT_EQ(code_of({Status::ok}), ExitCode::ok);
  EXPECT_EQ(code_of({Status::ok, Status::unsupported, Status::does_not_fit}), ExitCode::ok);
}

TEST(SessionExitCode, IsFourWhereSomethingDidNotRun) {
  for (const Status status : {Status::failed, Status::crashed, Status::timeout, Status::not_run}) {
    EXPECT_EQ(code_of({Status::ok, status, Status::ok}), ExitCode::failed) << to_text(status);
  }
}

TEST(SessionExitCode, IsFiveWhereSomethingIsWrong) {
  EXPECT_EQ(code_of({Status::ok, Status::wrong}), ExitCode::wrong);
}

TEST(SessionExitCode, PutsWrongBeforeFailedInEitherOrder) {
  EXPECT_EQ(code_of({Status::failed, Status::wrong}), ExitCode::wrong);
  EXPECT_EQ(code_of({Status::wrong, Status::failed}), ExitCode::wrong);
}

TEST(SessionExitCode, IsThreeWhereAShimCouldNotBeLoadedWhateverElse) {
  Report report;
  report.shims.emplace_back();
  report.shims.emplace_back().error = "no such file";
  report.workloads.emplace_back();
  report.workloads[0].runs = {run_with(Status::wrong), run_with(Status::failed)};
  EXPECT_EQ(exit_code(report), ExitCode::environment);
}

TEST(SessionExitCode, IsThreeWhereARequirementWasNotMetAllTheTime) {
  Report report;
  report.unmet_requirement = "--require-idle: somebody came";
  report.workloads.emplace_back();
  report.workloads[0].runs = {run_with(Status::wrong)};
  EXPECT_EQ(exit_code(report), ExitCode::environment);
}

TEST(SessionExitCode, IsNeverACount) {
  EXPECT_EQ(code_of(std::vector<Status>(256, Status::failed)), ExitCode::failed);
  EXPECT_EQ(code_of(std::vector<Status>(512, Status::wrong)), ExitCode::wrong);
}

TEST(SessionExitCode, LooksAtEveryShim) {
  Report report;
  report.workloads.emplace_back();
  report.workloads[0].runs = {run_with(Status::ok), run_with(Status::wrong)};
  EXPECT_EQ(exit_code(report), ExitCode::wrong);
}

}  // namespace
}  // namespace fa2bench
