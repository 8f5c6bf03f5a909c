// SPDX-License-Identifier: MIT
#include "measure/in_turns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "measure/fake_device.hpp"
#include "stats/drift.hpp"

namespace fa2bench::test {
namespace {

using testing::ElementsAre;

constexpr double kSecond = 1e6;  // of microseconds

SamplingLimits patient() {
  SamplingLimits limits;
  limits.time_limit = Seconds(1000.0);
  limits.duty = 1.0;
  return limits;
}

Turn turn_of(std::size_t placement, std::size_t samples) {
  Turn turn;
  turn.placement = placement;
  turn.samples = samples;
  turn.at_most = Seconds(1000.0);
  return turn;
}

/// A series that writes down what is done with it, and a session that hands out these turns.
class InTurns : public testing::Test {
 protected:
  InTurns() {
    series_.mode = Mode::warm;
    series_.cache = CacheState::as_left;
    series_.call = [this] {
      events_ += 'c';
      return code_;
    };
    series_.place = [this](std::size_t placement) {
      events_ += "p" + std::to_string(placement);
      return placeable_;
    };
    series_.before = [this] { events_ += 'b'; };
    series_.passes = [this] { return ++passed_ != wrong_call_; };
    series_.leave = [this] {
      events_ += 'l';
      return whole_;
    };
  }

  Samples take(FakeDevice& device, const std::vector<Turn>& turns, Stop stop = Stop::time_limit) {
    std::size_t next = 0;
    return take_in_turns(device, series_, limits_,
                         [&, stop](const Took& last) -> std::variant<Turn, TurnsOver> {
                           told_.push_back(last);
                           events_ += '|';
                           if (next == turns.size()) return TurnsOver{stop};
                           return turns[next++];
                         });
  }

  Series series_;
  SamplingLimits limits_ = patient();
  std::string events_;  ///< 'p<n>' placed, 'b' before a call, 'c' called, 'l' left, '|' told
  std::vector<Took> told_;
  int code_ = 0;
  bool placeable_ = true;
  bool whole_ = true;
  std::size_t passed_ = 0;
  std::size_t wrong_call_ = 0;  ///< from 1
};

/// So long that one call warms up.
double steady(std::size_t /*call*/) { return 300 * kSecond; }

TEST_F(InTurns, SaysFirstThatItIsReadyAndDoesNothingUntilItsTurn) {
  FakeDevice device(steady);
  series_.mode = Mode::step;
  const Samples samples = take(device, {}, Stop::decided);
  EXPECT_EQ(events_, "|");
  ASSERT_EQ(told_.size(), 1U);
  EXPECT_EQ(told_[0].mode, Mode::step);
  EXPECT_TRUE(told_[0].device_us.empty());
  EXPECT_EQ(samples.stop, Stop::decided);
  EXPECT_TRUE(samples.trials.empty());
  EXPECT_TRUE(samples.telemetry.empty());
}

TEST_F(InTurns, TakesSoManySamplesInATurnAndLooksAtTheMemoryBehindEach) {
  FakeDevice device(steady);
  const Samples samples = take(device, {turn_of(1, 2), turn_of(2, 3)});
  EXPECT_EQ(events_, "|p1bcbcbcl|p2bcbcbcbcl|");
  EXPECT_EQ(samples.device_us, std::vector<double>(5, 300 * kSecond));
  EXPECT_EQ(samples.stop, Stop::time_limit);
  ASSERT_EQ(samples.trials.size(), 2U);
  EXPECT_EQ(samples.trials[0].samples, 2U);
  EXPECT_EQ(samples.trials[1].samples, 3U);
  EXPECT_EQ(samples.telemetry.back().trial, 1U);
}

TEST_F(InTurns, PlacesTheMemoryOnlyForAnotherPlacement) {
  FakeDevice device(steady);
  const Samples samples = take(device, {turn_of(0, 1), turn_of(3, 1), turn_of(3, 1)});
  EXPECT_EQ(events_, "|bcbcl|p3bcbcl|bcbcl|");
  ASSERT_EQ(samples.trials.size(), 3U);
  EXPECT_EQ(samples.trials[0].placement, 0U);
  EXPECT_EQ(samples.trials[1].placement, 3U);
  EXPECT_EQ(samples.trials[2].placement, 3U);
}

TEST_F(InTurns, TellsTheTimesOfEachTurnOnce) {
  FakeDevice device([](std::size_t call) { return static_cast<double>(300 + call) * kSecond; });
  take(device, {turn_of(1, 2), turn_of(2, 1)});
  ASSERT_EQ(told_.size(), 3U);
  EXPECT_THAT(told_[1].device_us, ElementsAre(301 * kSecond, 302 * kSecond));
  EXPECT_THAT(told_[1].host_us, ElementsAre(30.1 * kSecond, 30.2 * kSecond));
  EXPECT_THAT(told_[2].device_us, ElementsAre(304 * kSecond));
}

TEST_F(InTurns, WarmsUpUntilSettledAtFirstAndAsOftenAsTheTurnSaysLater) {
  FakeDevice device([](std::size_t) { return 100.0; });
  Turn later = turn_of(2, 1);
  later.warm_up_calls = 7;
  const Samples samples = take(device, {turn_of(1, 1), later});
  EXPECT_EQ(samples.trials[0].warm_up_calls, 3 * kDriftBlock);
  EXPECT_EQ(samples.trials[1].warm_up_calls, 7U);
  EXPECT_TRUE(samples.settled);
}

TEST_F(InTurns, TakesOneSampleThoughThereIsNoTime) {
  FakeDevice device(steady);
  Turn turn = turn_of(1, 1000);
  turn.at_most = Seconds(0.0);
  EXPECT_EQ(take(device, {turn}).device_us.size(), 1U);
}

TEST_F(InTurns, NeverGatesTheFirstCallOfATurn) {
  FakeDevice device(steady);
  device.give_gate([](std::size_t) { return false; });
  const Samples samples = take(device, {turn_of(1, 2), turn_of(1, 1)});
  EXPECT_EQ(device.events(), "cggcg");
  EXPECT_TRUE(samples.gated);
  EXPECT_TRUE(told_.back().kind.gated);
}

TEST_F(InTurns, SweepsBeforeEachCallWhereTheCacheIsToBeEmpty) {
  FakeDevice device(steady);
  series_.cache = CacheState::swept;
  take(device, {turn_of(1, 1)});
  EXPECT_EQ(device.events(), "ceceecec");  // twice to learn what a sweep takes
}

TEST_F(InTurns, ForgetsGatedSamplesOnceACallWaitsForTheDevice) {
  FakeDevice device(steady);
  device.give_gate([](std::size_t call) { return call == 5 || call == 6; });
  // Calls 0 to 2 are the first turn's, 3 warms up, 4 is a sample, and 5 turns out to wait.
  const Samples samples = take(device, {turn_of(1, 2), turn_of(2, 3)});
  EXPECT_FALSE(samples.gated);
  EXPECT_TRUE(samples.host_blocking);
  ASSERT_EQ(samples.trials.size(), 1U);
  EXPECT_EQ(samples.trials[0].placement, 2U);
  EXPECT_EQ(samples.trials[0].samples, 3U);
  EXPECT_EQ(samples.device_us.size(), 3U);
  EXPECT_TRUE(told_.back().host_blocking);
  EXPECT_FALSE(told_.back().kind.gated);
  EXPECT_EQ(told_.back().device_us.size(), 3U);
}

TEST_F(InTurns, EndsWithACallThatFails) {
  FakeDevice device(steady);
  code_ = 4;
  const Samples samples = take(device, {turn_of(1, 2), turn_of(2, 2)});
  EXPECT_EQ(samples.stop, Stop::call_failed);
  EXPECT_EQ(samples.code, 4);
  EXPECT_EQ(told_.size(), 1U);
}

TEST_F(InTurns, EndsWithAResultThatDoesNotPass) {
  FakeDevice device(steady);
  wrong_call_ = 3;
  const Samples samples = take(device, {turn_of(1, 5), turn_of(2, 5)});
  EXPECT_EQ(samples.stop, Stop::call_wrong);
  EXPECT_EQ(samples.device_us.size(), 1U);
  EXPECT_EQ(told_.size(), 1U);
}

TEST_F(InTurns, BlamesTheOneWhoseTurnItWasForMemoryThatIsSpoilt) {
  FakeDevice device(steady);
  whole_ = false;
  EXPECT_EQ(take(device, {turn_of(1, 1), turn_of(1, 1)}).stop, Stop::call_wrong);
  EXPECT_EQ(told_.size(), 1U);
}

TEST_F(InTurns, EndsWhereTheMemoryCannotBePlaced) {
  FakeDevice device(steady);
  placeable_ = false;
  EXPECT_EQ(take(device, {turn_of(1, 1)}).stop, Stop::call_wrong);
  EXPECT_EQ(events_, "|p1");
}

}  // namespace
}  // namespace fa2bench::test
