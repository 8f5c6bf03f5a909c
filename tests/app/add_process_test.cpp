// SPDX-License-Identifier: MIT
#include "app/add_process.hpp"

#include <gmock/gmock.h>

#include "app/session_fixture.hpp"
#include "result/sample_report.hpp"

namespace fa2bench {
namespace {

fa2bench::Run ok_run() { return test::cpu_report().workloads[0].runs[0]; }

TEST(AddProcess, JoinsTheSamplesOfAMode) {
  fa2bench::Run all = ok_run();
  const Samples one = all.timings[0].samples;
  const std::int64_t calls = all.verify->constancy.timed_calls->calls;
  for (int process : {1, 2}) add_process(all, ok_run(), process, {});
  ASSERT_EQ(all.timings.size(), 2U);
  const Samples& joined = all.timings[0].samples;
  EXPECT_EQ(joined.device_us.size(), 3 * one.device_us.size());
  EXPECT_EQ(joined.host_us.size(), 3 * one.host_us.size());
  ASSERT_EQ(joined.trials.size(), 3U);
  EXPECT_EQ(joined.trials[2].process, 2);
  EXPECT_EQ(joined.telemetry.back().trial, 2U);
  EXPECT_DOUBLE_EQ(joined.event_floor_us, one.event_floor_us);
  EXPECT_DOUBLE_EQ(joined.wall_s, 3 * one.wall_s);
  EXPECT_EQ(all.verify->constancy.timed_calls->calls, 3 * calls);
}

TEST(AddProcess, ListsTheLaunchesOfEachProcess) {
  fa2bench::Run all = ok_run();
  all.launch_us = {1.375};
  fa2bench::Run more = ok_run();
  more.launch_us = {1.5};
  add_process(all, std::move(more), 1, {});
  EXPECT_THAT(all.launch_us, testing::ElementsAre(1.375, 1.5));
}

TEST(AddProcess, IsPreciseOnlyAsAWhole) {
  fa2bench::Run all = ok_run();
  for (int process : {1, 2}) add_process(all, ok_run(), process, {});
  EXPECT_EQ(all.timings[0].samples.stop, Stop::precise);  // all the same
  all = ok_run();
  for (int process : {1, 2}) {
    fa2bench::Run other = ok_run();
    for (double& sample : other.timings[0].samples.device_us) sample *= 1.0 + 0.02 * process;
    add_process(all, std::move(other), process, {});
  }
  EXPECT_EQ(all.timings[0].samples.stop, Stop::max_processes);
  EXPECT_TRUE(all.timings[0].estimate.interval);
}

TEST(AddProcess, StaysDecidedThoughItBePrecise) {
  const auto decided_run = [] {
    fa2bench::Run run = ok_run();
    for (Timing& timing : run.timings) timing.samples.stop = Stop::decided;
    return run;
  };
  fa2bench::Run all = decided_run();
  for (int process : {1, 2}) add_process(all, decided_run(), process, {});
  EXPECT_EQ(all.timings[0].samples.stop, Stop::decided);
}

TEST(AddProcess, SaysInWhichProcessItWasNotOk) {
  fa2bench::Run all = ok_run();
  add_process(all, test::sample_run("good", Status::crashed, "timing cold: killed by SIGSEGV"), 2,
              {});
  EXPECT_EQ(all.status, Status::crashed);
  EXPECT_EQ(all.reason, "in process 3 of this shim: timing cold: killed by SIGSEGV");
  EXPECT_TRUE(all.timings.empty());
}

TEST(AddProcess, DoesNotMixSamplesWithAndWithoutAGate) {
  fa2bench::Run all = ok_run();
  fa2bench::Run other = ok_run();
  other.timings[1].samples.gated = !other.timings[1].samples.gated;
  add_process(all, std::move(other), 1, {});
  ASSERT_EQ(all.timings.size(), 1U);
  ASSERT_EQ(all.untimed.size(), 1U);
  EXPECT_EQ(all.untimed[0].mode, Mode::warm);
  EXPECT_THAT(all.untimed[0].reason, testing::StartsWith("it could be gated in one process"));
}

TEST(AddProcess, LeavesAModeUntimedThatTheFirstProcessCouldNotTime) {
  fa2bench::Run all = ok_run();
  all.timings.pop_back();
  all.untimed = {{Mode::warm, Status::crashed, "why"}};
  for (int process : {1, 2}) add_process(all, ok_run(), process, {});
  ASSERT_EQ(all.timings.size(), 1U);
  EXPECT_EQ(all.timings[0].samples.mode, Mode::cold);
  EXPECT_EQ(all.untimed.size(), 1U);
}

TEST(AddProcess, LeavesAModeUntimedThatOneProcessCouldNotTime) {
  fa2bench::Run all = ok_run();
  fa2bench::Run other = ok_run();
  other.timings.pop_back();
  other.untimed = {{Mode::warm, Status::failed, "why"}};
  add_process(all, std::move(other), 1, {});
  ASSERT_EQ(all.timings.size(), 1U);
  EXPECT_EQ(all.timings[0].samples.mode, Mode::cold);
  ASSERT_EQ(all.untimed.size(), 1U);
  EXPECT_EQ(all.untimed[0].reason, "why");
}

/// The fakes answer in this process whatever it is called.
class Processes : public test::SessionTest {
 protected:
  Processes() { settings_.limits.processes = 3; }
};

TEST_F(Processes, GoOverAllWorkloadsOneAfterTheOther) {
  run({"a", "b"});
  EXPECT_TRUE(report_.complete);
  EXPECT_EQ(steps_,
            (std::vector<std::string>{"0/6 a", "1/6 b", "2/6 a", "3/6 b", "4/6 a", "5/6 b"}));
  EXPECT_EQ(saved_, (std::vector<std::size_t>{1, 2, 2, 2, 2, 2}));
  EXPECT_EQ(run_of(1).timings[0].samples.trials.size(), 3U);
}

TEST_F(Processes, AreNotTriedAgainAfterOneThatFailed) {
  const test::FakeScript script([](int call) {
    test::FakeOrder order;
    order.code = call == 12 ? 4 : 0;  // of the second process: the first has nine
    return order;
  });
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::failed);
  EXPECT_THAT(run_of(0).reason, testing::StartsWith("in process 2 of this shim: code 4"));
  EXPECT_EQ(test::FakeScript::calls(), 12);
}

TEST_F(Processes, ThatWereInterruptedLeaveWhatTheOthersFound) {
  on_save_ = [this] {
    if (saved_.size() == 1) stop_.request_stop();
  };
  run({"a"});
  EXPECT_FALSE(report_.complete);
  EXPECT_EQ(run_of(0).status, Status::ok);
  EXPECT_EQ(run_of(0).timings[0].samples.trials.size(), 1U);
}

TEST_F(Processes, AreOneWhereThatIsEnough) {
  settings_.modes = {Mode::sustained};
  settings_.limits.time_limit = Seconds(0.0);
  run({"a"});
  EXPECT_EQ(steps_, (std::vector<std::string>{"0/1 a"}));
  EXPECT_EQ(report_.limits.processes, 1);
}

TEST_F(Processes, OfARunWithoutATimeHaveTheWorstOfItsModes) {
  settings_.modes = {Mode::graph, Mode::graph_warm};
  int captures = 0;
  device_.on_graph = [&](const auto& call) {
    (void)call();
    if (++captures == 1) throw OutOfMemory("no room");
    return CallGraph{"capture: refused"};
  };
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::failed);
  EXPECT_EQ(run_of(0).reason, "not capturable: capture: refused");
}

}  // namespace
}  // namespace fa2bench
