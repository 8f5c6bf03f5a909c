// SPDX-License-Identifier: MIT
// A run of several shims over fakes: who begins, what is joined, what is compared.
#include "app/contest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/fake_runner.hpp"
#include "app/fake_shim.hpp"

namespace fa2bench::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class ContestTest : public testing::Test {
 protected:
  ContestTest() {
    settings_.limits.max_trials = 12;  // ended by the count, never by the clock
    settings_.limits.time_limit = Seconds(1e6);
    settings_.limits.max_samples = 1'000'000'000;
  }

  /// A shim whose calls take this long, in so many processes.
  void add(const std::string& label, double us = 100.0, int processes = 3) {
    report_.shims.emplace_back().label = label;
    Contestant& contestant = shims_.emplace_back();
    contestant.label = label;
    for (int process = 0; process < processes; ++process) {
      auto fake = std::make_unique<FakeRunner>(
          book_, std::to_string(shims_.size() - 1) + "." + std::to_string(process));
      fake->time = [us] { return us; };
      fake->difference.emplace();
      fakes_[shims_.size() - 1].push_back(fake.get());
      contestant.processes.push_back(std::move(fake));
    }
  }

  FakeRunner& fake(std::size_t shim, std::size_t process) { return *fakes_[shim][process]; }

  const Report& run(const std::vector<std::string>& names = {"a"}) {
    std::vector<Workload> workloads;
    for (const std::string& name : names) workloads.push_back(small_workload(name));
    const SessionEvents events{
        [this](std::size_t done, std::size_t total, const std::string& now, const std::string&) {
          steps_.push_back(std::to_string(done) + "/" + std::to_string(total) + " " + now);
        },
        [this](const Report& report) {
          saved_.push_back(report.comparison->rows.size());
          if (on_save_) on_save_();
        }};
    run_contest(workloads, shims_, settings_, events, stop_.get_token(), nullptr, report_);
    return report_;
  }

  [[nodiscard]] const auto& run_of(std::size_t shim, std::size_t workload = 0) const {
    return report_.workloads.at(workload).runs.at(shim);
  }
  [[nodiscard]] const std::vector<Comparison>& rows() const { return report_.comparison->rows; }

  std::shared_ptr<TurnBook> book_ = std::make_shared<TurnBook>();
  std::vector<Contestant> shims_;
  std::array<std::vector<FakeRunner*>, kMostContestants> fakes_;
  SessionSettings settings_;
  std::stop_source stop_;
  Report report_;
  std::vector<std::string> steps_;
  std::vector<std::size_t> saved_;  ///< rows at each save
  std::function<void()> on_save_;
};

Run ended(Status status, const std::string& reason) {
  Run run;
  run.status = status;
  run.reason = reason;
  return run;
}

TEST_F(ContestTest, BeginsWithEachProcessOfEachShimAndEndsThemInThatOrder) {
  add("old", 100.0, 2);
  add("new", 100.0, 2);
  run();
  EXPECT_THAT(book_->events, ElementsAre("begin 0.0", "begin 0.1", "begin 1.0", "begin 1.1",
                                         "end 0.0 cold max_trials", "end 0.1 cold max_trials",
                                         "end 1.0 cold max_trials", "end 1.1 cold max_trials"));
  EXPECT_FALSE(book_->clashed);
  EXPECT_TRUE(report_.complete);
}

TEST_F(ContestTest, GivesEachProcessItsShareOfTheTimeAndNoneATrace) {
  add("old");
  add("new");
  settings_.check_graph = true;
  settings_.trace_kernels = true;
  run();
  for (std::size_t process = 0; process < 3; ++process) {
    const RunRequest& request = fake(1, process).requests.front();
    EXPECT_TRUE(request.in_turns);
    EXPECT_EQ(request.limits.time_limit, settings_.limits.time_limit / 3);
    EXPECT_EQ(request.check_graph, process == 0);
    EXPECT_EQ(request.trace_kernels, process == 2);
  }
  EXPECT_EQ(report_.limits.processes, 3);
}

TEST_F(ContestTest, LetsTheFirstProcessOfAShimCheckTheMostRows) {
  add("old");
  add("new");
  run();
  for (std::size_t shim = 0; shim < 2; ++shim) {
    EXPECT_EQ(fake(shim, 0).requests.front().reference_budget, kReferenceBudget);
    EXPECT_EQ(fake(shim, 2).requests.front().reference_budget, kReferenceBudget / 16);
  }
}

TEST_F(ContestTest, GivesEachProcessAnEqualShareOfTheMemory) {
  add("old");
  add("new");
  settings_.free = mib(600);
  run();
  for (std::size_t shim = 0; shim < 2; ++shim) {
    for (std::size_t process = 0; process < 3; ++process) {
      EXPECT_EQ(fake(shim, process).requests.front().room, mib(100));
    }
  }
}

TEST_F(ContestTest, JoinsTheProcessesOfAShimAndComparesItWithTheFirst) {
  add("old", 100.0);
  add("same", 100.0);
  add("slow", 150.0);
  run();
  ASSERT_EQ(rows().size(), 2U);
  EXPECT_EQ(rows()[0].candidate, "same");
  EXPECT_EQ(rows()[0].verdict, Verdict::same);
  EXPECT_EQ(rows()[1].candidate, "slow");
  EXPECT_EQ(rows()[1].verdict, Verdict::slower);
  EXPECT_EQ(rows()[1].baseline, "old");
  EXPECT_EQ(rows()[1].workload, "a");
  EXPECT_NEAR(*rows()[1].baseline_us, 100.0, 1e-9);
  EXPECT_NEAR(*rows()[1].candidate_us, 150.0, 1e-9);
  EXPECT_NEAR(*rows()[1].ratio, 1.5, 1e-12);
  EXPECT_EQ(rows()[1].processes, 3U);
  EXPECT_EQ(rows()[1].placements, 12U);
  const Samples& samples = run_of(2).timings.at(0).samples;
  ASSERT_EQ(samples.trials.size(), 3U * 12 * 2);
  EXPECT_EQ(samples.trials.front().process, 0);
  EXPECT_EQ(samples.trials.back().process, 2);
  EXPECT_EQ(exit_code(report_), ExitCode::slower);
}

TEST_F(ContestTest, EndsWithZeroIfAllAreFasterOrTheSame) {
  add("old", 100.0);
  add("same", 100.0);
  add("fast", 50.0);
  run();
  EXPECT_EQ(exit_code(report_), ExitCode::ok);
}

TEST_F(ContestTest, SaysWhatOneProcessDoesNotTell) {
  add("old", 100.0, 1);
  add("new", 100.0, 1);
  run({"a", "b"});
  EXPECT_THAT(report_.comparison->notes, ElementsAre(StartsWith("one process of each shim: ")));
}

TEST_F(ContestTest, HasNoSuchNoteWithMoreProcesses) {
  add("old", 100.0, 2);
  add("new", 100.0, 2);
  run();
  EXPECT_THAT(report_.comparison->notes, IsEmpty());
}

TEST_F(ContestTest, IsInconclusiveOnFewPlacements) {
  add("old");
  add("new");
  settings_.limits.max_trials = 1;
  run();
  EXPECT_EQ(rows().at(0).verdict, Verdict::inconclusive);
  EXPECT_EQ(exit_code(report_), ExitCode::inconclusive);
}

TEST_F(ContestTest, SaysNothingOfTimesWithAndWithoutTheGate) {
  add("old", 200.0);
  add("new", 100.0);
  for (std::size_t process = 0; process < 3; ++process) fake(1, process).kind.gated = true;
  run();
  EXPECT_EQ(rows().at(0).verdict, Verdict::inconclusive);
  EXPECT_EQ(rows()[0].reason,
            "old waits for the device and was timed without the gate, new was not");
  EXPECT_EQ(rows()[0].baseline_us, 200.0);
  EXPECT_EQ(rows()[0].candidate_us, 100.0);
  EXPECT_EQ(exit_code(report_), ExitCode::inconclusive);
}

TEST_F(ContestTest, TakesEveryModeInTurn) {
  add("old");
  add("new");
  settings_.modes = {Mode::cold, Mode::graph};
  run();
  ASSERT_EQ(rows().size(), 2U);
  EXPECT_EQ(rows()[0].mode, Mode::cold);
  EXPECT_EQ(rows()[1].mode, Mode::graph);
  EXPECT_EQ(run_of(1).timings.size(), 2U);
}

TEST_F(ContestTest, ACandidateThatIsWrongInATurnHasNoTimesAndTheOthersGoOn) {
  add("old");
  add("bad", 10.0);
  add("new");
  fake(1, 1).loss = [](std::size_t turn) {
    return turn == 5 ? std::optional(ended(Status::wrong, "call 7: NaN")) : std::nullopt;
  };
  run();
  EXPECT_EQ(run_of(1).status, Status::wrong);
  EXPECT_EQ(run_of(1).reason, "in process 2 of this shim: call 7: NaN");
  EXPECT_THAT(run_of(1).timings, IsEmpty());
  EXPECT_EQ(rows()[0].candidate, "bad");
  EXPECT_EQ(rows()[0].verdict, Verdict::inconclusive);
  EXPECT_FALSE(rows()[0].ratio);
  EXPECT_THAT(rows()[0].reason, StartsWith("bad: wrong: in process 2"));
  EXPECT_EQ(rows()[0].baseline_status, Status::ok);
  EXPECT_EQ(rows()[0].candidate_status, Status::wrong);
  EXPECT_EQ(rows()[1].verdict, Verdict::same);
  EXPECT_EQ(exit_code(report_), ExitCode::wrong);
}

TEST_F(ContestTest, IsWrongRatherThanSlower) {
  add("old");
  add("slow", 200.0);
  add("bad");
  fake(2, 0).end = ended(Status::wrong, "after timing");
  run();
  EXPECT_EQ(rows()[0].verdict, Verdict::slower);
  EXPECT_EQ(exit_code(report_), ExitCode::wrong);
}

TEST_F(ContestTest, TimesTheCandidatesThoughTheBaselineCrashes) {
  add("old");
  add("new");
  fake(0, 0).refusal = ended(Status::crashed, "was killed");
  run({"a", "b"});
  EXPECT_EQ(run_of(0).status, Status::crashed);
  EXPECT_EQ(run_of(1).status, Status::ok);
  EXPECT_FALSE(run_of(1).timings.empty());
  EXPECT_EQ(rows()[0].reason, "old: crashed: was killed");
  EXPECT_EQ(rows()[0].baseline_status, Status::crashed);
  EXPECT_EQ(rows()[0].candidate_status, Status::ok);
  EXPECT_EQ(rows()[0].candidate_us, 100.0);
  EXPECT_EQ(report_.comparison->outputs.at(0).obstacle, "old: crashed");
  EXPECT_FALSE(fake(1, 0).requests.front().outputs);  // there is nothing to compare with
  EXPECT_EQ(exit_code(report_), ExitCode::failed);
  // No further process of it, in neither workload.
  EXPECT_EQ(std::count(book_->events.begin(), book_->events.end(), "begin 0.1"), 0);
  EXPECT_EQ(std::count(book_->events.begin(), book_->events.end(), "begin 0.0"), 2);
}

TEST_F(ContestTest, ALossInAProcessThatIsNotTheFirstEndsTheOthersOfTheShim) {
  add("old");
  add("new");
  fake(1, 2).refusal = ended(Status::timeout, "no answer");
  run();
  EXPECT_THAT(book_->events, testing::Contains("renew 1.0"));
  EXPECT_THAT(book_->events, testing::Contains("renew 1.1"));
  EXPECT_EQ(run_of(1).status, Status::timeout);
  EXPECT_EQ(run_of(1).reason, "in process 3 of this shim: no answer");
  for (const TurnTaken& taken : book_->turns) EXPECT_EQ(taken.who[0], '0');
}

TEST_F(ContestTest, AShimThatWasNotLoadedIsLeftOut) {
  add("old");
  add("gone");
  add("new");
  report_.shims[1].error = "no such file";
  run();
  EXPECT_TRUE(fake(1, 0).requests.empty());
  EXPECT_EQ(run_of(1).status, Status::failed);
  EXPECT_EQ(run_of(1).reason, "no such file");
  EXPECT_EQ(rows()[1].verdict, Verdict::same);
  EXPECT_EQ(exit_code(report_), ExitCode::environment);
}

TEST_F(ContestTest, HasNoRowWhereBothSayThatThereIsNothingToTime) {
  add("old");
  add("new");
  for (std::size_t shim = 0; shim < 2; ++shim) {
    fake(shim, 0).refusal = ended(Status::unsupported, "head_dim 16");
  }
  run();
  EXPECT_THAT(rows(), IsEmpty());
  EXPECT_THAT(report_.comparison->outputs, IsEmpty());
  EXPECT_EQ(exit_code(report_), ExitCode::inconclusive);  // nothing was compared: no pass
}

TEST_F(ContestTest, SaysWhoLacksWhatTheOtherHas) {
  add("old");
  add("new");
  fake(1, 0).refusal = ended(Status::unsupported, "head_dim 16");
  run();
  EXPECT_EQ(rows().at(0).reason, "new has no time: unsupported: head_dim 16");
  EXPECT_EQ(exit_code(report_), ExitCode::inconclusive);
}

TEST_F(ContestTest, LetsTheFirstProcessesCompareOutputs) {
  add("old");
  add("new");
  OutputDifference difference;
  difference.same_out = true;
  difference.largest_lse = 0.5;
  fake(1, 0).difference = difference;
  run();
  ASSERT_TRUE(fake(0, 0).requests.front().outputs);
  EXPECT_TRUE(fake(0, 0).requests.front().outputs->write);
  ASSERT_TRUE(fake(1, 0).requests.front().outputs);
  EXPECT_FALSE(fake(1, 0).requests.front().outputs->write);
  EXPECT_FALSE(fake(1, 1).requests.front().outputs);
  const OutputDifference& found = report_.comparison->outputs.at(0);
  EXPECT_EQ(found.workload, "a");
  EXPECT_EQ(found.candidate, "new");
  EXPECT_TRUE(found.same_out);
  EXPECT_EQ(found.largest_lse, 0.5);
}

TEST_F(ContestTest, SavesTheRowsAfterEveryWorkload) {
  add("old");
  add("new");
  run({"a", "b"});
  EXPECT_THAT(saved_, ElementsAre(1, 2));
  EXPECT_THAT(steps_.back(), StartsWith("6/12 b"));
}

TEST_F(ContestTest, KeepsWhatWasFinishedBeforeAStopRequest) {
  add("old");
  add("new", 200.0);
  on_save_ = [this] { stop_.request_stop(); };
  run({"a", "b"});
  EXPECT_FALSE(report_.complete);
  EXPECT_EQ(rows()[0].verdict, Verdict::slower);
  EXPECT_EQ(run_of(0, 1).status, Status::not_run);
  EXPECT_EQ(run_of(1, 1).reason, "interrupted");
  EXPECT_THAT(saved_, ElementsAre(1));
}

TEST_F(ContestTest, VoidsTheWorkloadThatAStopRequestInterrupts) {
  add("old");
  add("new");
  fake(1, 1).on_turn = [this] { stop_.request_stop(); };
  fake(1, 1).loss = [](std::size_t) {
    return std::optional(ended(Status::not_run, "interrupted"));
  };
  run({"a", "b"});
  EXPECT_FALSE(report_.complete);
  EXPECT_EQ(run_of(1).status, Status::not_run);
  EXPECT_FALSE(rows()[0].ratio);
}

}  // namespace
}  // namespace fa2bench::test
