// SPDX-License-Identifier: MIT
// A shim that is right once, called again in other ways: on other pages, with another q before, in
// every timed call, from a graph. Its calls are numbered as in shim_run_test.cpp.
#include <gmock/gmock.h>

#include <set>

#include "app/session_fixture.hpp"

namespace fa2bench {
namespace {

using test::FakeOrder;
using test::FakeScript;
using testing::StartsWith;

class Constancy : public test::SessionTest {
 protected:
  /// Runs with these orders at these calls, and rightly at all others.
  const fa2bench::Run& run_with(const FakeOrder& order, const std::set<int>& at) {
    const FakeScript script([&](int call) { return at.count(call) > 0 ? order : FakeOrder{}; });
    run({"a"});
    return run_of(0);
  }
  const fa2bench::Run& run_right() { return run_with({}, {}); }

  static FakeOrder wrong() {
    FakeOrder order;
    order.wrong = true;
    return order;
  }
  static FakeOrder other_bits() {
    FakeOrder order;
    order.other_bits = true;
    return order;
  }
};

TEST_F(Constancy, IsSameOnOtherPagesForAShimThatOnlyLooksAtTheContents) {
  const auto& one = run_right();
  ASSERT_TRUE(one.verify->constancy.other_pages);
  EXPECT_EQ(one.verify->constancy.other_pages->calls, 1);
  EXPECT_TRUE(one.verify->constancy.other_pages->same_out);
  EXPECT_TRUE(one.verify->constancy.other_pages->same_lse);
  EXPECT_EQ(one.verify->constancy.other_pages->largest_difference, 0.0);
}

TEST_F(Constancy, IsNoFaultToLackOnOtherPages) {
  const auto& one = run_with(other_bits(), {2});
  EXPECT_EQ(one.status, Status::ok);
  EXPECT_FALSE(one.verify->constancy.other_pages->same_out);
  EXPECT_TRUE(one.verify->constancy.other_pages->same_lse);
  EXPECT_GT(one.verify->constancy.other_pages->largest_difference, 0.0);
}

TEST_F(Constancy, DoesNotExcuseAWrongResultOnOtherPages) {
  const auto& one = run_with(wrong(), {2, 4, 5});
  EXPECT_EQ(one.status, Status::wrong);
  EXPECT_THAT(one.reason, StartsWith("with the same K and V on other pages: out of sequence 0"));
  EXPECT_TRUE(one.timings.empty());
}

TEST_F(Constancy, IsNotSaidToBeOfPagesWhereItComesAndGoes) {
  const auto& one = run_with(wrong(), {2, 4, 6});
  EXPECT_EQ(one.status, Status::wrong);
  EXPECT_THAT(one.reason, StartsWith("with the same K and V on other pages: differs from call to "
                                     "call on the same inputs; out of sequence 0"));
}

TEST_F(Constancy, DoesNotExcuseAResultThatWasWrongOnce) {
  const auto& one = run_with(wrong(), {2});
  EXPECT_EQ(one.status, Status::wrong);
  EXPECT_EQ(one.reason,
            "with the same K and V on other pages: wrong in one call and right in a later one");
}

TEST_F(Constancy, TellsAnEarlierResultFromANewOne) {
  FakeOrder stale;
  stale.stale = true;
  const auto& one = run_with(stale, {2, 3});
  EXPECT_EQ(one.status, Status::wrong);
  EXPECT_THAT(one.reason,
              StartsWith("before timing: returns the result of an earlier call, whose q was "
                         "another; out of sequence 0"));
  EXPECT_EQ(one.verify->mistake, "returns the result of an earlier call, whose q was another");
}

TEST_F(Constancy, DoesNotTakeNanForAnEarlierResult) {
  FakeOrder nan;
  nan.nan = true;
  const FakeScript script([&](int) { return nan; });
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::wrong);
  EXPECT_THAT(run_of(0).reason, testing::Not(testing::HasSubstr("earlier call")));
}

TEST_F(Constancy, IsHeldForEveryTimedCall) {
  const auto& one = run_with(wrong(), {6});
  EXPECT_EQ(one.status, Status::wrong);
  EXPECT_THAT(one.reason, StartsWith("call 3 of the cold series: out of sequence 0"));
  EXPECT_TRUE(one.timings.empty());
}

TEST_F(Constancy, IsHeldForEveryTimedCallOfEveryMode) {
  settings_.modes = {Mode::cold, Mode::warm};
  const auto& one = run_with(wrong(), {9});
  EXPECT_EQ(one.status, Status::wrong);
  EXPECT_THAT(one.reason, StartsWith("call 1 of the warm series: out of sequence 0"));
  EXPECT_TRUE(one.timings.empty());
}

TEST_F(Constancy, CatchesATimedCallThatWritesNothing) {
  FakeOrder idle;
  idle.idle = true;
  const auto& one = run_with(idle, {8});
  EXPECT_EQ(one.status, Status::wrong);
  EXPECT_THAT(one.reason, StartsWith("call 5 of the cold series: wrote no output"));
}

TEST_F(Constancy, CountsOtherBitsOfTimedCalls) {
  const auto& one = run_with(other_bits(), {6});
  EXPECT_EQ(one.status, Status::ok);
  ASSERT_TRUE(one.verify->constancy.timed_calls);
  EXPECT_EQ(one.verify->constancy.timed_calls->calls, 5);
  EXPECT_FALSE(one.verify->constancy.timed_calls->same_out);
  EXPECT_TRUE(one.verify->constancy.timed_calls->same_lse);
  EXPECT_GT(one.verify->constancy.timed_calls->largest_difference, 0.0);
}

TEST_F(Constancy, OfAReplayIsLeftOutUnlessAskedFor) {
  device_.on_graph = [](const auto& /*call*/) -> CallGraph { throw DeviceError("never", true); };
  EXPECT_FALSE(run_right().verify->constancy.graph);
}

TEST_F(Constancy, OfAReplayIsToTheBit) {
  settings_.check_graph = true;
  device_.on_graph = [](const auto& call) {
    return call() == 0 ? CallGraph{"", 2, 0, 0, [] {}} : CallGraph{};
  };
  const auto& one = run_right();
  ASSERT_TRUE(one.verify->constancy.graph);
  EXPECT_EQ(one.verify->constancy.graph->obstacle, "");
  EXPECT_EQ(one.verify->constancy.graph->kernels, 2);
  EXPECT_TRUE(one.verify->constancy.graph->same_bits);
}

TEST_F(Constancy, OfAReplayMayLackBitsButNotBeWrong) {
  settings_.check_graph = true;
  device_.on_graph = [](const auto& call) {
    return call() == 0 ? CallGraph{"", 1, 0, 0, [] {}} : CallGraph{};
  };
  EXPECT_EQ(run_with(other_bits(), {10}).verify->constancy.graph->obstacle, "");
  EXPECT_FALSE(run_of(0).verify->constancy.graph->same_bits);
  report_.workloads.clear();
  const auto& one = run_with(wrong(), {10});
  EXPECT_EQ(one.status, Status::ok);  // the plain calls were right
  EXPECT_EQ(one.timings.size(), 1U);
  EXPECT_THAT(one.verify->constancy.graph->obstacle,
              StartsWith("wrong when replayed: out of sequence 0"));
}

TEST_F(Constancy, OfAReplayIsNotThereWhereThereWasNone) {
  settings_.check_graph = true;
  device_.on_graph = [](const auto& /*call*/) { return CallGraph{"no kernel"}; };
  const auto& one = run_right();
  EXPECT_EQ(one.status, Status::ok);
  EXPECT_EQ(one.verify->constancy.graph->obstacle, "no kernel");
  EXPECT_FALSE(one.verify->constancy.graph->same_bits);
}

TEST_F(Constancy, OfAReplayIsNotThereWhereTheShimRefusesToBeCaptured) {
  settings_.check_graph = true;
  device_.on_graph = [](const auto& call) {
    return CallGraph{"the call returned a code", 0, 0, call()};
  };
  FakeOrder refusal;
  refusal.code = 4;
  refusal.text = "operation not permitted when stream is capturing";
  const auto& one = run_with(refusal, {10});
  EXPECT_EQ(one.status, Status::ok);
  EXPECT_EQ(one.verify->constancy.graph->obstacle,
            "code 4 (launch failed): operation not permitted when stream is capturing, while it "
            "was captured");
}

TEST_F(Constancy, OfAReplayThatLosesTheDeviceKeepsTheTimings) {
  settings_.check_graph = true;
  device_.on_graph = [](const auto& /*call*/) -> CallGraph { throw DeviceError("lost", true); };
  run({"a", "b"});
  EXPECT_EQ(run_of(0).status, Status::ok);
  EXPECT_EQ(run_of(0).timings.size(), 1U);
  EXPECT_EQ(run_of(0).verify->constancy.graph->obstacle, "lost");
  EXPECT_EQ(run_of(1).status, Status::not_run);  // in process there is no other device
}

}  // namespace
}  // namespace fa2bench
