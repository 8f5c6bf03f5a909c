// SPDX-License-Identifier: MIT
// What becomes of workloads: the order of events, what does not fit, stop requests, a lost device.
#include "app/session.hpp"

#include <gmock/gmock.h>

#include <new>

#include "app/session_fixture.hpp"

namespace fa2bench {
namespace {

using test::FakeOrder;
using test::FakeScript;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

using Session = test::SessionTest;

TEST_F(Session, RunsEveryWorkloadWithEveryShimInOrder) {
  add(test::fake_shim("other"));
  const Report& report = run({"a", "b"});
  EXPECT_TRUE(report.complete);
  ASSERT_EQ(report.workloads.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(report.workloads[i].workload.name, i == 0 ? "a" : "b");
    EXPECT_EQ(report.workloads[i].plan.total_q_tokens, 4);
    ASSERT_EQ(report.workloads[i].runs.size(), 2U);
    EXPECT_EQ(run_of(i, 0).shim, "fake");
    EXPECT_EQ(run_of(i, 1).shim, "other");
    EXPECT_EQ(run_of(i, 0).status, Status::ok);
    EXPECT_EQ(run_of(i, 1).status, Status::ok);
  }
}

TEST_F(Session, SavesAfterEveryWorkload) {
  run({"a", "b", "c"});
  EXPECT_THAT(saved_, ElementsAre(1, 2, 3));
}

TEST_F(Session, IsCompleteOnlyAfterTheLastSave) {
  on_save_ = [this] { EXPECT_FALSE(report_.complete); };
  EXPECT_TRUE(run({"a", "b"}).complete);
}

TEST_F(Session, TellsHowManyPairsAreOver) {
  run({"a", "b"});
  EXPECT_THAT(steps_, ElementsAre("0/2 a", "1/2 b"));
}

TEST_F(Session, NamesTheShimInTheProgressIfThereAreSeveral) {
  add(test::fake_shim("other"));
  run({"a"});
  EXPECT_THAT(steps_, ElementsAre("0/2 a · fake", "1/2 a · other"));
}

TEST_F(Session, SaysWhatDoesNotFitAndRunsTheOthers) {
  device_.free = mib(8192);
  Workload big = test::small_workload("big");
  big.table.pool_blocks = 1'000'000'000;
  const Report& report = run_workloads({test::small_workload("a"), big, test::small_workload("b")});
  EXPECT_EQ(run_of(0).status, Status::ok);
  EXPECT_EQ(run_of(1).status, Status::does_not_fit);
  // 10^9 blocks of 16 slots of 16 halves, twice.
  EXPECT_THAT(run_of(1).reason, StartsWith("needs 971 GiB of host memory (k and v pools 477 GiB "));
  EXPECT_THAT(run_of(1).reason, HasSubstr("11.2 GiB), 8.00 GiB is free"));
  EXPECT_FALSE(run_of(1).verify);
  EXPECT_EQ(run_of(2).status, Status::ok);
  EXPECT_TRUE(report.complete);
  EXPECT_THAT(saved_, ElementsAre(1, 2, 3));
}

TEST_F(Session, HoldsTheNeedAgainstTheFreeMemory) {
  const Plan plan = make_plan(test::small_workload("a"));
  const Bytes needed =
      device_memory_needed(plan, {2, 1, 16, 16}, kib(64)) + mib(256) + plan.memory.host;
  device_.free = needed;
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::ok);
  device_.free = Bytes{needed.count - 1};
  report_.workloads.clear();
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::does_not_fit);
}

TEST_F(Session, CountsWhatDoesNotFitAsDone) {
  Workload big = test::small_workload("big");
  big.table.pool_blocks = 1'000'000'000;
  device_.free = mib(8192);
  run_workloads({big, test::small_workload("a")});
  EXPECT_THAT(steps_, ElementsAre("1/2 a"));
}

TEST_F(Session, TakesARefusedAllocationForDoesNotFit) {
  int allocations = 0;
  device_.on_allocate = [&allocations] {
    if (++allocations == 3) throw OutOfMemory("2.00 GiB refused");
  };
  run({"a", "b"});
  EXPECT_EQ(run_of(0).status, Status::does_not_fit);
  EXPECT_EQ(run_of(0).reason, "2.00 GiB refused");
  EXPECT_EQ(run_of(1).status, Status::ok);
}

TEST_F(Session, TakesBadAllocForDoesNotFit) {
  int allocations = 0;
  device_.on_allocate = [&allocations] {
    if (++allocations == 1) throw std::bad_alloc();
  };
  run({"a", "b"});
  EXPECT_EQ(run_of(0).status, Status::does_not_fit);
  EXPECT_EQ(run_of(0).reason, "the host ran out of memory");
  EXPECT_EQ(run_of(1).status, Status::ok);
}

TEST_F(Session, RunsNothingAfterAStopRequest) {
  const FakeScript script([](int) { return FakeOrder{}; });
  stop_.request_stop();
  const Report& report = run({"a", "b"});
  EXPECT_FALSE(report.complete);
  ASSERT_EQ(report.workloads.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(run_of(i).shim, "fake");
    EXPECT_EQ(run_of(i).status, Status::not_run);
    EXPECT_EQ(run_of(i).reason, "interrupted");
    EXPECT_TRUE(run_of(i).timings.empty());
  }
  EXPECT_EQ(FakeScript::calls(), 0);
  EXPECT_TRUE(saved_.empty());  // nothing was finished
}

TEST_F(Session, KeepsWhatWasFinishedBeforeAStopRequest) {
  on_save_ = [this] { stop_.request_stop(); };
  const Report& report = run({"a", "b"});
  EXPECT_FALSE(report.complete);
  EXPECT_EQ(run_of(0).status, Status::ok);
  EXPECT_EQ(run_of(0).timings.size(), 1U);
  EXPECT_EQ(run_of(1).status, Status::not_run);
}

TEST_F(Session, StopsBetweenTheShimsOfAWorkload) {
  add(test::fake_shim("other"));
  const FakeScript script([this](int call) {
    FakeOrder order;
    if (call == 9) order.action = [this] { stop_.request_stop(); };  // the last of the first shim
    return order;
  });
  EXPECT_FALSE(run({"a"}).complete);
  EXPECT_EQ(run_of(0, 0).status, Status::ok);
  EXPECT_EQ(run_of(0, 1).status, Status::not_run);
  EXPECT_EQ(run_of(0, 1).shim, "other");
}

TEST_F(Session, GivesUpAfterTheDeviceIsLost) {
  int synchronizations = 0;
  on_progress_ = [&synchronizations](const std::string& now, const std::string& phase) {
    if (now == "b" && phase == "verifying before timing") synchronizations = 1;
  };
  device_.on_synchronize = [&synchronizations] {
    if (synchronizations > 0) throw DeviceError("illegal address", true);
  };
  run({"a", "b", "c"});
  EXPECT_EQ(run_of(0).status, Status::ok);
  EXPECT_EQ(run_of(1).status, Status::failed);
  EXPECT_EQ(run_of(1).reason, "illegal address");
  EXPECT_EQ(run_of(1).shim, "fake");
  EXPECT_TRUE(run_of(1).timings.empty());
  EXPECT_EQ(run_of(2).status, Status::not_run);
  EXPECT_EQ(run_of(2).reason,
            "the device was lost before (illegal address); without --in-process a new worker would "
            "go on");
}

/// Gives the answer of a CUDA shim that was built for other devices, from call `first` on.
std::function<FakeOrder(int)> no_image_from(int first) {
  return [first](int call) {
    FakeOrder order;
    if (call < first) return order;
    order.code = FERRUM_FA2_LAUNCH_FAILED;
    order.text = "launch: no kernel image is available for execution on the device";
    return order;
  };
}

TEST_F(Session, TakesAShimWithoutCodeForTheDeviceForOneThatCannotBeLoaded) {
  add(test::fake_shim("other"));
  report_.device.name = "Some GPU";
  report_.device.compute_capability = "9.0";
  const FakeScript script([](int call) { return call == 1 ? no_image_from(1)(1) : FakeOrder{}; });
  const Report& report = run({"a", "b"});
  const std::string reason =
      "no code for sm_90 (Some GPU) in this shim; build it for that architecture: code 4 (launch "
      "failed): launch: no kernel image is available for execution on the device";
  EXPECT_EQ(report.shims[0].error, reason);
  for (std::size_t workload = 0; workload < 2; ++workload) {
    EXPECT_EQ(run_of(workload, 0).status, Status::failed);
    EXPECT_EQ(run_of(workload, 0).reason, reason);
    EXPECT_EQ(run_of(workload, 1).status, Status::ok);
  }
  EXPECT_EQ(FakeScript::calls(), 1 + 2 * 9);  // it was asked once
  EXPECT_EQ(exit_code(report), ExitCode::environment);
}

TEST_F(Session, KeepsAShimThatLacksCodeForOneWorkloadOnly) {
  const FakeScript script(no_image_from(10));
  const Report& report = run({"a", "b"});
  EXPECT_EQ(run_of(0).status, Status::ok);
  EXPECT_EQ(run_of(1).status, Status::failed);
  EXPECT_THAT(run_of(1).reason, StartsWith("code 4 (launch failed): "));
  EXPECT_EQ(report.shims[0].error, "");
  EXPECT_EQ(exit_code(report), ExitCode::failed);
}

// --- times that cannot be -------------------------------------------------------------------

TEST_F(Session, CallsAGpuTimeWrongThatTheCeilingsDoNotAllow) {
  // A call says that it took 1000 s; this memory would need longer.
  report_.device.kind = DeviceKind::cuda;
  report_.ceilings.read_gb_per_s = 1e-9;
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::wrong);
  EXPECT_THAT(run_of(0).reason, StartsWith("implausible: "));
  EXPECT_THAT(run_of(0).reason, HasSubstr(" times as fast as the read ceiling of this device "));
  EXPECT_TRUE(run_of(0).timings.empty());
  EXPECT_EQ(exit_code(report_), ExitCode::wrong);
}

TEST_F(Session, HoldsNoWarmTimeAndNoCpuTimeAgainstTheCeilings) {
  report_.ceilings.read_gb_per_s = 1e-9;
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::ok);
  report_.workloads.clear();
  report_.device.kind = DeviceKind::cuda;
  settings_.modes = {Mode::warm};
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::ok);
}

TEST_F(Session, GoesOnAfterAnErrorThatLeavesTheDeviceWhole) {
  bool fail = true;
  device_.on_free_memory = [&fail] {
    if (std::exchange(fail, false)) throw DeviceError("busy", false);
  };
  run({"a", "b"});
  EXPECT_EQ(run_of(0).status, Status::failed);
  EXPECT_EQ(run_of(0).reason, "busy");
  EXPECT_EQ(run_of(1).status, Status::ok);
}

}  // namespace
}  // namespace fa2bench
