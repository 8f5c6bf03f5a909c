// SPDX-License-Identifier: MIT
// The trace that follows timing and the checks after it. Calls of the fake up to 9 are those of
// SessionTest; 10 starts the tracing up and does not count, 11 … 20 do.
#include "app/kernel_trace.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "app/session_fixture.hpp"

namespace fa2bench {
namespace {

using test::FakeOrder;
using test::FakeScript;
using testing::HasSubstr;
using testing::StartsWith;

class KernelTraces : public test::SessionTest {
 protected:
  KernelTraces() {
    settings_.trace_kernels = true;
    device_.on_trace = [this](const std::function<int()>& call, bool gated) {
      gated_.push_back(gated);
      KernelTrace trace;
      trace.code = call();
      trace.launches = {{attention_, 0.0, 8.0}};
      trace.span_us = 8.0;
      if (on_trace_) on_trace_(gated_.size(), trace);
      return trace;
    };
  }

  const KernelReport& kernels() {
    EXPECT_TRUE(run_of(0).kernels);
    static const KernelReport kNone;
    return run_of(0).kernels ? *run_of(0).kernels : kNone;
  }

  Launch attention_{LaunchKind::kernel, "attention", {4, 1, 1}, {128, 1, 1}, 32, kib(1)};
  std::vector<bool> gated_;  ///< of each trace
  /// May change the n-th trace, from 1.
  std::function<void(std::size_t n, KernelTrace& trace)> on_trace_;
};

TEST_F(KernelTraces, AreOfTenCallsOfTheirOwnAfterTiming) {
  const FakeScript script([](int) { return FakeOrder{}; });
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::ok);
  EXPECT_EQ(kernels().obstacle, "");
  EXPECT_EQ(kernels().calls, 10);
  ASSERT_EQ(kernels().launches.size(), 1U);
  EXPECT_EQ(kernels().launches[0].launch, attention_);
  EXPECT_EQ(kernels().launches[0].us, 8.0);
  EXPECT_EQ(kernels().span_us, 8.0);
  EXPECT_EQ(FakeScript::calls(), 20);
  EXPECT_EQ(run_of(0).timings[0].samples.device_us.size(), 4U);
}

TEST_F(KernelTraces, HoldTheFunctionsThatTheCallWaitsIn) {
  on_trace_ = [](std::size_t, KernelTrace& trace) {
    trace.api_calls = {{"cudaStreamSynchronize", 1}};
  };
  run({"a"});
  EXPECT_EQ(kernels().blocking, (std::vector<ApiCalls>{{"cudaStreamSynchronize", 1}}));
}

TEST_F(KernelTraces, AreOfColdCalls) {
  run({"a"});
  EXPECT_EQ(device_.evictions, 7 + 11);
}

TEST_F(KernelTraces, AreNotTakenUnlessAskedFor) {
  settings_.trace_kernels = false;
  run({"a"});
  EXPECT_TRUE(gated_.empty());
  EXPECT_FALSE(run_of(0).kernels);
}

TEST_F(KernelTraces, AreNotTakenOfAWrongShim) {
  const FakeScript script([](int) {
    FakeOrder order;
    order.wrong = true;
    return order;
  });
  run({"a"});
  EXPECT_TRUE(gated_.empty());
  EXPECT_FALSE(run_of(0).kernels);
}

TEST_F(KernelTraces, OfADeviceWithoutThemSaySo) {
  device_.on_trace = nullptr;
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::ok);
  EXPECT_EQ(kernels().obstacle, "this device has no kernel trace");
  EXPECT_EQ(kernels().calls, 0);
}

TEST_F(KernelTraces, PassOnAnObstacleAndTryNoMore) {
  on_trace_ = [](std::size_t n, KernelTrace& trace) {
    if (n == 3) trace.obstacle = "CUPTI dropped 3 records";
  };
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::ok);
  EXPECT_EQ(kernels().obstacle, "CUPTI dropped 3 records");
  EXPECT_TRUE(kernels().launches.empty());
  EXPECT_EQ(gated_.size(), 3U);
}

TEST_F(KernelTraces, OfCallsThatDifferAreNone) {
  on_trace_ = [](std::size_t n, KernelTrace& trace) {
    if (n == 5) trace.launches[0].launch.registers = 33;
  };
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::ok);
  EXPECT_THAT(kernels().obstacle, StartsWith("calls differ: launch 1 is attention"));
}

TEST_F(KernelTraces, LeaveOutTheFirst) {
  on_trace_ = [](std::size_t n, KernelTrace& trace) {
    if (n == 1) trace.launches[0].launch.registers = 33;
  };
  run({"a"});
  EXPECT_EQ(kernels().obstacle, "");
}

TEST_F(KernelTraces, OfACallThatFailsHaveAnObstacleAndVoidNothing) {
  const FakeScript script([](int call) {
    FakeOrder order;
    if (call == 12) order.code = 4, order.text = "no kernel";
    return order;
  });
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::ok);
  EXPECT_EQ(run_of(0).timings.size(), 1U);
  EXPECT_EQ(kernels().obstacle, "code 4 (launch failed): no kernel, while it was traced");
}

TEST_F(KernelTraces, OfACallThatIsWrongMakeTheShimWrong) {
  const FakeScript script([](int call) {
    FakeOrder order;
    order.wrong = call == 13;
    return order;
  });
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::wrong);
  EXPECT_THAT(run_of(0).reason, StartsWith("traced call 3: "));
  EXPECT_TRUE(run_of(0).timings.empty());
  EXPECT_FALSE(run_of(0).kernels);
}

TEST_F(KernelTraces, OfACallThatWroteNothingMakeTheShimWrong) {
  const FakeScript script([](int call) {
    FakeOrder order;
    order.idle = call == 11;  // what the call before left would be right
    return order;
  });
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::wrong);
  EXPECT_THAT(run_of(0).reason, StartsWith("traced call 1: "));
}

TEST_F(KernelTraces, OfOtherBitsThatAreRightCount) {
  const FakeScript script([](int call) {
    FakeOrder order;
    order.other_bits = call == 13;
    return order;
  });
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::ok);
  EXPECT_EQ(kernels().calls, 10);
}

TEST_F(KernelTraces, GoOnWithoutTheGateIfACallWaitsForTheDevice) {
  device_.gate = true;
  on_trace_ = [](std::size_t n, KernelTrace& trace) {
    trace.launches[0].end_us = static_cast<double>(n);
    trace.blocked = n == 3 || n == 4;
  };
  run({"a"});
  EXPECT_EQ(kernels().calls, 10);
  EXPECT_FALSE(kernels().gated);
  ASSERT_EQ(gated_.size(), 14U);
  EXPECT_TRUE(gated_[3]);
  EXPECT_FALSE(gated_[4]);
  EXPECT_EQ(kernels().launches[0].us, 9.5);  // the median of 5 … 14
}

TEST_F(KernelTraces, StayGatedIfTheHostStoodStillOnce) {
  device_.gate = true;
  on_trace_ = [](std::size_t n, KernelTrace& trace) {
    trace.launches[0].end_us = n == 3 ? 1e6 : 8.0;
    trace.blocked = n == 3;
  };
  run({"a"});
  EXPECT_EQ(kernels().calls, 10);
  EXPECT_TRUE(kernels().gated);
  EXPECT_EQ(gated_.size(), 12U);
  EXPECT_EQ(kernels().launches[0].us, 8.0);
}

TEST_F(KernelTraces, ThatTheDeviceRefusesHaveAnObstacleAndVoidNothing) {
  on_trace_ = [](std::size_t n, KernelTrace&) {
    if (n == 2) throw DeviceError("synchronize: an illegal address", false);
  };
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::ok);
  EXPECT_EQ(run_of(0).timings.size(), 1U);
  EXPECT_EQ(kernels().obstacle, "synchronize: an illegal address");
}

TEST_F(KernelTraces, ThatLoseTheDeviceCostLaterWorkloadsOfTheProcess) {
  on_trace_ = [](std::size_t n, KernelTrace&) {
    if (n == 2) throw DeviceError("synchronize: an illegal address", true);
  };
  run({"a", "b"});
  EXPECT_EQ(run_of(0).status, Status::ok);
  EXPECT_EQ(run_of(1).status, Status::not_run);
  EXPECT_THAT(run_of(1).reason, HasSubstr("the device was lost before"));
}

TEST_F(KernelTraces, AreNotTakenWhereAGraphLeftErrorsBehind) {
  settings_.check_graph = true;
  device_.on_graph = [](const std::function<int()>&) { return CallGraph{"capture: refused"}; };
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::ok);
  EXPECT_TRUE(gated_.empty());
  EXPECT_THAT(kernels().obstacle, StartsWith("no right replay from a CUDA graph"));
}

TEST(LostAfterwards, OnlyTheTraceIsLostIfThereWasOne) {
  fa2bench::Run run;
  run.status = Status::ok;
  run.verify.emplace();
  run.kernels.emplace();
  const fa2bench::Run left = lost_afterwards(run, Status::crashed, "the shim was killed");
  EXPECT_EQ(left.status, Status::ok);
  EXPECT_EQ(left.kernels->obstacle, "the shim was killed");
  EXPECT_FALSE(left.verify->constancy.graph);
}

TEST(LostAfterwards, OnlyTheReplayIsLostIfThereWasNoTraceYet) {
  fa2bench::Run run;
  run.status = Status::ok;
  run.verify.emplace();
  const fa2bench::Run left = lost_afterwards(run, Status::crashed, "the shim was killed");
  EXPECT_FALSE(left.kernels);
  ASSERT_TRUE(left.verify->constancy.graph);
  EXPECT_EQ(left.verify->constancy.graph->obstacle, "the shim was killed");
}

}  // namespace
}  // namespace fa2bench
