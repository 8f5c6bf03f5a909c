// SPDX-License-Identifier: MIT
#include "app/turns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "app/fake_runner.hpp"
#include "compare/looks.hpp"

namespace fa2bench::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Ended by the count of placements, never by the clock.
TurnPlan plan_of(std::size_t placements) {
  TurnPlan plan;
  plan.total = Seconds(1e6);
  plan.limits.max_trials = placements;
  plan.limits.max_samples = 1'000'000'000;
  return plan;
}

class TurnsTest : public testing::Test {
 protected:
  /// So many shims with so many processes each, all ready.
  void enter(std::size_t shims, int processes, Mode mode = Mode::cold) {
    RunRequest request;
    request.modes = {mode};
    for (std::size_t shim = 0; shim < shims; ++shim) {
      for (int process = 0; process < processes; ++process) {
        const std::string who = std::to_string(shim) + "." + std::to_string(process);
        runners_.push_back(std::make_unique<FakeRunner>(book_, who));
        Participant participant;
        participant.shim = shim;
        participant.process = process;
        participant.runner = runners_.back().get();
        note(participant, runners_.back()->begin(request, {}, {}));
        participants_.push_back(std::move(participant));
      }
    }
    book_->events.clear();
  }

  TurnsEnd run(const TurnPlan& plan) {
    return take_turns(
        plan, participants_, [this](std::size_t placement) { told_.push_back(placement); },
        stop_.get_token());
  }

  /// Who had a turn in this placement, in order.
  [[nodiscard]] std::vector<std::string> order(std::size_t placement) const {
    std::vector<std::string> order;
    for (const TurnTaken& taken : book_->turns) {
      if (taken.turn.placement == placement) order.push_back(taken.who);
    }
    return order;
  }

  FakeRunner& runner(std::size_t index) { return *runners_[index]; }

  std::shared_ptr<TurnBook> book_ = std::make_shared<TurnBook>();
  std::vector<std::unique_ptr<FakeRunner>> runners_;
  std::vector<Participant> participants_;
  std::vector<std::size_t> told_;
  std::stop_source stop_;
};

Run lost_run(Status status) {
  Run run;
  run.status = status;
  run.reason = "lost";
  return run;
}

TEST_F(TurnsTest, ArePlacementAfterPlacementAnOrderAndThenItsReverse) {
  enter(2, 2);
  EXPECT_EQ(run(plan_of(5)).stop, Stop::max_trials);
  EXPECT_THAT(told_, ElementsAre(1, 2, 3, 4, 5));
  for (std::size_t placement = 1; placement <= 5; ++placement) {
    std::vector<std::string> all = order(placement);
    ASSERT_EQ(all.size(), 8U);
    std::vector<std::string> back(all.rbegin(), all.rend());
    EXPECT_EQ(all, back);
    EXPECT_EQ(std::set<std::string>(all.begin(), all.begin() + 4).size(), 4U);
  }
  EXPECT_FALSE(book_->clashed);
}

TEST_F(TurnsTest, AreInAnotherOrderInEachPlacementAndTheSameForTheSameSeed) {
  enter(3, 2);
  run(plan_of(10));
  std::set<std::vector<std::string>> orders;
  for (std::size_t placement = 1; placement <= 10; ++placement) orders.insert(order(placement));
  EXPECT_GE(orders.size(), 9U);  // of 720
  const std::vector<TurnTaken> first = std::exchange(book_->turns, {});
  run(plan_of(10));
  ASSERT_EQ(book_->turns.size(), first.size());
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(book_->turns[i].who, first[i].who);
  book_->turns.clear();
  TurnPlan other = plan_of(10);
  other.seed = 77;
  run(other);
  std::set<std::vector<std::string>> others;
  for (std::size_t placement = 1; placement <= 10; ++placement) others.insert(order(placement));
  EXPECT_NE(orders, others);
}

TEST_F(TurnsTest, PutNobodyFirstMoreOftenThanOthers) {
  enter(2, 1);
  run(plan_of(400));
  std::map<std::string, int> first;
  for (std::size_t placement = 1; placement <= 400; ++placement) ++first[order(placement).front()];
  EXPECT_NEAR(first["0.0"], 200, 50);  // five standard deviations
}

TEST_F(TurnsTest, GiveEverybodyTheSameBlock) {
  enter(2, 3);
  run(plan_of(3));
  for (const TurnTaken& taken : book_->turns) {
    const auto same = std::find_if(
        book_->turns.begin(), book_->turns.end(),
        [&](const TurnTaken& other) { return other.turn.placement == taken.turn.placement; });
    EXPECT_EQ(taken.turn.samples, same->turn.samples);
    EXPECT_EQ(taken.turn.warm_up_calls, same->turn.warm_up_calls);
    EXPECT_GE(taken.turn.samples, 1U);
  }
}

TEST_F(TurnsTest, TellWhoComesLaterWhatTheMemoryHoldsOnlyIfItIsTheSame) {
  enter(2, 1);
  TurnPlan plan = plan_of(1);
  run(plan);
  for (const TurnTaken& taken : book_->turns) EXPECT_THAT(taken.turn.filled, IsEmpty());
  book_->turns.clear();
  plan.shared = true;
  run(plan);
  EXPECT_THAT(book_->turns.front().turn.filled, IsEmpty());
  for (std::size_t i = 1; i < book_->turns.size(); ++i) {
    EXPECT_THAT(book_->turns[i].turn.filled, ElementsAre(1));
  }
}

TEST_F(TurnsTest, AreForThoseOnlyThatWaitInTheMode) {
  enter(2, 1);
  participants_[1].waits_in = Mode::warm;
  run(plan_of(2));
  EXPECT_THAT(order(1), ElementsAre("0.0", "0.0"));
}

TEST_F(TurnsTest, OfNobodyAreOver) {
  enter(2, 1);
  TurnPlan plan = plan_of(5);
  plan.mode = Mode::warm;
  run(plan);
  EXPECT_THAT(told_, IsEmpty());
}

TEST_F(TurnsTest, GoOnWithoutAShimThatIsLost) {
  enter(3, 2);
  // The second process of shim 1, in its third turn: its first in the second placement.
  runner(3).loss = [](std::size_t turn) {
    return turn == 3 ? std::optional(lost_run(Status::crashed)) : std::nullopt;
  };
  run(plan_of(4));
  ASSERT_TRUE(participants_[3].ran);
  EXPECT_EQ(participants_[3].ran->run.status, Status::crashed);
  EXPECT_FALSE(participants_[3].waits_in);
  EXPECT_FALSE(participants_[2].waits_in);  // of the same shim: ended, for nothing
  EXPECT_FALSE(participants_[2].ran);
  EXPECT_THAT(book_->events, ElementsAre("renew 1.0"));
  EXPECT_LT(order(2).size(), 12U);  // left at once
  for (std::size_t placement = 3; placement <= 4; ++placement) {
    EXPECT_EQ(order(placement).size(), 8U);
    for (const std::string& who : order(placement)) EXPECT_NE(who[0], '1');
  }
  EXPECT_EQ(participants_[0].waits_in, Mode::cold);
}

TEST_F(TurnsTest, GoOnWithoutTheBaseline) {
  enter(2, 1);
  runner(0).loss = [](std::size_t) { return std::optional(lost_run(Status::wrong)); };
  EXPECT_EQ(run(plan_of(3)).stop, Stop::max_trials);
  EXPECT_THAT(order(3), ElementsAre("1.0", "1.0"));
}

TEST_F(TurnsTest, LetTheRestOfAShimLeaveAtOnceThatHasLostThisModeOnly) {
  enter(2, 2, Mode::graph);
  runner(2).loss = [](std::size_t) { return std::optional(lost_run(Status::ok)); };
  TurnPlan plan = plan_of(2);
  plan.mode = Mode::graph;
  run(plan);
  EXPECT_THAT(book_->events, ElementsAre("end 1.1 graph interrupted"));
  EXPECT_THAT(order(2).size(), 4U);
}

TEST_F(TurnsTest, EndWhenEverybodyIsLost) {
  enter(2, 1);
  for (std::size_t i = 0; i < 2; ++i) {
    runner(i).loss = [](std::size_t) { return std::optional(lost_run(Status::timeout)); };
  }
  run(plan_of(100));
  EXPECT_EQ(book_->turns.size(), 2U);
}

TEST_F(TurnsTest, EndOnAStopRequestWithinAPlacement) {
  enter(2, 2);
  runner(2).on_turn = [this] { stop_.request_stop(); };
  EXPECT_EQ(run(plan_of(100)).stop, Stop::interrupted);
  EXPECT_EQ(book_->turns.back().who, "1.0");
  EXPECT_LE(book_->turns.size(), 4U);
}

TEST_F(TurnsTest, EndAtTheMostSamplesOfAProcess) {
  enter(2, 1);
  TurnPlan plan = plan_of(1'000'000);
  plan.limits.max_samples = 31;
  EXPECT_EQ(run(plan).stop, Stop::max_samples);
  std::size_t samples = 0;
  for (const TurnTaken& taken : book_->turns) {
    if (taken.who == "0.0") samples += taken.turn.samples;
  }
  EXPECT_GE(samples, 31U);
  EXPECT_LT(samples, 62U);
}

/// Each turn takes a second.
class TimedTurns : public TurnsTest {
 protected:
  TurnPlan plan_of(double seconds) {
    TurnPlan plan = test::plan_of(1'000'000);
    plan.total = Seconds(seconds);
    plan.now = [this] { return Seconds(static_cast<double>(book_->turns.size())); };
    return plan;
  }
  void slow_down(std::size_t shim, int processes) {
    for (int process = 0; process < processes; ++process) {
      runner(shim * static_cast<std::size_t>(processes) + static_cast<std::size_t>(process)).time =
          [] { return 200.0; };
    }
  }
  /// Each of three processes is another: nothing is ever decided.
  void scatter(std::size_t shim) {
    for (std::size_t process = 0; process < 3; ++process) {
      const double time = 100.0 + 20.0 * static_cast<double>(process);
      runner(shim * 3 + process).time = [time] { return time; };
    }
  }
  [[nodiscard]] std::size_t placements() const { return told_.size(); }
};

TEST_F(TimedTurns, EndBeforeTheTimeIsOverAndAfterOnePlacementAtLeast) {
  enter(2, 1);  // four turns a placement
  TurnsEnd end = run(plan_of(0.0));
  EXPECT_EQ(end.stop, Stop::time_limit);
  EXPECT_EQ(end.look, kLastLook);
  EXPECT_EQ(placements(), 1U);
  told_.clear();
  book_->turns.clear();
  end = run(plan_of(15.0));
  EXPECT_EQ(end.stop, Stop::time_limit);
  EXPECT_EQ(placements(), 3U);
}

TEST_F(TimedTurns, EndAtTheFirstLookThatDecides) {
  enter(2, 3);  // twelve turns a placement
  slow_down(1, 3);
  const TurnsEnd end = run(plan_of(12.0 * 100));
  EXPECT_EQ(end.stop, Stop::decided);
  EXPECT_EQ(end.look, 0U);
  EXPECT_EQ(placements(), 15U);
}

TEST_F(TimedTurns, AreNotDecidedByFewPlacements) {
  enter(2, 3);
  slow_down(1, 3);
  const TurnsEnd end = run(plan_of(12.0 * 40));  // 6 when the first look is due
  EXPECT_EQ(end.stop, Stop::decided);
  EXPECT_EQ(end.look, 0U);
  EXPECT_EQ(placements(), kLeastPlacements);
}

TEST_F(TimedTurns, PassOverALookWhoseSuccessorIsDueBeforeThereIsEnough) {
  enter(2, 3);
  slow_down(1, 3);
  const TurnsEnd end = run(plan_of(12.0 * 15));  // 7 when the second look is due
  EXPECT_EQ(end.stop, Stop::decided);
  EXPECT_EQ(end.look, 1U);
  EXPECT_EQ(placements(), kLeastPlacements);
}

TEST_F(TimedTurns, AreNotDecidedBeforeTheTrialsAskedFor) {
  enter(2, 3);
  slow_down(1, 3);
  TurnPlan plan = plan_of(12.0 * 100);
  plan.limits.min_trials = 30;
  EXPECT_EQ(run(plan).look, 0U);
  EXPECT_EQ(placements(), 30U);
}

TEST_F(TimedTurns, GoOnWhileOneCandidateIsUndecided) {
  enter(3, 3);
  slow_down(1, 3);
  scatter(2);
  const TurnsEnd end = run(plan_of(18.0 * 100));
  EXPECT_EQ(end.stop, Stop::time_limit);
  EXPECT_EQ(end.look, kLastLook);
}

TEST_F(TimedTurns, DoNotGoOnForACandidateThatIsTimedInAnotherWay) {
  for (const SampleKind kind :
       {SampleKind{CacheState::swept, 1, true}, SampleKind{CacheState::rotated, 1, false},
        SampleKind{CacheState::swept, 2, false}}) {
    participants_.clear();
    runners_.clear();
    book_->turns.clear();
    enter(3, 3);
    slow_down(1, 3);
    scatter(2);
    for (std::size_t i = 6; i < 9; ++i) runner(i).kind = kind;
    const TurnsEnd end = run(plan_of(18.0 * 100));
    EXPECT_EQ(end.stop, Stop::decided);  // of shim 1
    EXPECT_EQ(end.look, 0U);
  }
}

TEST_F(TimedTurns, DoNotGoOnForACandidateWhoseProcessesAreTimedInTwoWays) {
  enter(2, 3);
  scatter(1);
  runner(4).kind.gated = true;
  EXPECT_EQ(run(plan_of(12.0 * 100)).look, 0U);
}

TEST_F(TimedTurns, WithNothingToCompareEndAtTheFirstLook) {
  enter(2, 3);
  runner(0).loss = [](std::size_t) { return std::optional(lost_run(Status::crashed)); };
  const TurnsEnd end = run(plan_of(1200.0));
  EXPECT_EQ(end.stop, Stop::time_limit);
  EXPECT_GE(book_->turns.size(), 180U);
  EXPECT_LT(book_->turns.size(), 200U);
}

}  // namespace
}  // namespace fa2bench::test
