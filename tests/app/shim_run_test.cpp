// SPDX-License-Identifier: MIT
// What becomes of one shim on one workload. Its calls: 1 with another q, 2 on other pages, 3 the
// check before timing, 4 the warm-up, 5 ... 8 the samples, 9 the check after (see SessionTest).
#include <gmock/gmock.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "app/session_fixture.hpp"

namespace fa2bench {
namespace {

using test::FakeOrder;
using test::FakeScript;
using testing::HasSubstr;
using testing::StartsWith;

using ShimRun = test::SessionTest;

/// Right at all calls but one.
std::function<FakeOrder(int)> at_call(int when, FakeOrder order) {
  return [when, order](int call) { return call == when ? order : FakeOrder{}; };
}

FakeOrder refusal(int code, const std::string& text) {
  FakeOrder order;
  order.code = code;
  order.text = text;
  return order;
}

FakeOrder wrong() {
  FakeOrder order;
  order.wrong = true;
  return order;
}

TEST_F(ShimRun, OfARightShimIsOkAndTimed) {
  const FakeScript script([](int) { return FakeOrder{}; });
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::ok);
  EXPECT_EQ(run_of(0).reason, "");
  ASSERT_TRUE(run_of(0).verify);
  EXPECT_TRUE(run_of(0).verify->ok);
  EXPECT_EQ(run_of(0).verify->rows_of, 4);
  ASSERT_EQ(run_of(0).timings.size(), 1U);
  const Timing& timing = run_of(0).timings[0];
  EXPECT_EQ(timing.samples.mode, Mode::cold);
  EXPECT_EQ(timing.samples.stop, Stop::max_samples);
  EXPECT_EQ(timing.samples.device_us.size(), 4U);
  EXPECT_EQ(timing.device.median, test::kCallTime.count());
  EXPECT_EQ(timing.host.median, 10.0);
  EXPECT_EQ(FakeScript::calls(), 9);
  EXPECT_EQ(device_.evictions, 7);  // two to see how long they take
  ASSERT_TRUE(run_of(0).verify->constancy.timed_calls);
  EXPECT_EQ(run_of(0).verify->constancy.timed_calls->calls, 5);
  EXPECT_TRUE(run_of(0).verify->constancy.timed_calls->same_out);
  EXPECT_FALSE(run_of(0).verify->constancy.graph);
}

TEST_F(ShimRun, HasOneTimingForEachMode) {
  settings_.modes = {Mode::cold, Mode::warm};
  run({"a"});
  ASSERT_EQ(run_of(0).timings.size(), 2U);
  EXPECT_EQ(run_of(0).timings[0].samples.mode, Mode::cold);
  EXPECT_EQ(run_of(0).timings[1].samples.mode, Mode::warm);
  EXPECT_EQ(device_.evictions, 7);  // two to see how long they take
}

TEST_F(ShimRun, OfAWrongShimIsWrongAndNeverTimed) {
  const FakeScript script(at_call(3, wrong()));
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::wrong);
  EXPECT_THAT(run_of(0).reason,
              StartsWith("before timing: wrong in one call and right in those after it; out of "
                         "sequence 0, query token 0, head 0, column 0: 100, expected "));
  EXPECT_FALSE(run_of(0).verify->ok);
  EXPECT_TRUE(run_of(0).timings.empty());
  EXPECT_EQ(FakeScript::calls(), 7);  // the last four look for the mistake
}

TEST_F(ShimRun, IsRepeatedBeforeTimingWhereThatIsCheap) {
  device_.short_calls = 102;
  const FakeScript script([](int) { return FakeOrder{}; });
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::ok);
  ASSERT_TRUE(run_of(0).verify->constancy.repeats);
  EXPECT_EQ(run_of(0).verify->constancy.repeats->calls, 100);
  EXPECT_TRUE(run_of(0).verify->constancy.repeats->same_out);
  EXPECT_TRUE(run_of(0).verify->constancy.repeats->same_lse);
  EXPECT_EQ(run_of(0).verify->constancy.repeats->largest_difference, 0.0);
  EXPECT_EQ(FakeScript::calls(), 109);
}

TEST_F(ShimRun, IsNotRepeatedWhereACallIsLong) {
  run({"a"});
  EXPECT_FALSE(run_of(0).verify->constancy.repeats);
}

TEST_F(ShimRun, ThatLeavesOtherBitsIsStillRight) {
  device_.short_calls = 5;
  FakeOrder other;
  other.other_bits = true;
  const FakeScript script(at_call(5, other));
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::ok);
  ASSERT_TRUE(run_of(0).verify->constancy.repeats);
  EXPECT_FALSE(run_of(0).verify->constancy.repeats->same_out);
  EXPECT_TRUE(run_of(0).verify->constancy.repeats->same_lse);
  EXPECT_GT(run_of(0).verify->constancy.repeats->largest_difference, 0.0);
  EXPECT_LT(run_of(0).verify->constancy.repeats->largest_difference, 0.01);
}

TEST_F(ShimRun, ThatIsWrongInARepeatedCallSaysInWhich) {
  device_.short_calls = 5;
  const FakeScript script(at_call(5, wrong()));
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::wrong);
  EXPECT_THAT(run_of(0).reason, StartsWith("call 5 before timing: out of sequence 0, "));
  EXPECT_TRUE(run_of(0).timings.empty());
  EXPECT_EQ(FakeScript::calls(), 5);
}

TEST_F(ShimRun, ThatGoesWrongLaterIsWrongAndLosesItsTimings) {
  settings_.modes = {Mode::warm};
  const FakeScript script([](int call) { return call >= 9 ? wrong() : FakeOrder{}; });
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::wrong);
  EXPECT_THAT(run_of(0).reason, StartsWith("after timing: out of sequence 0"));
  EXPECT_TRUE(run_of(0).timings.empty());
  EXPECT_FALSE(run_of(0).verify->ok);
  EXPECT_EQ(FakeScript::calls(), 9);
}

TEST_F(ShimRun, ThatWritesNothingIsNotSavedByAnOlderResult) {
  add(test::fake_shim("idle"));
  FakeOrder idle;
  idle.idle = true;
  const FakeScript script([idle](int call) { return call > 9 ? idle : FakeOrder{}; });
  run({"a"});
  EXPECT_EQ(run_of(0, 0).status, Status::ok);
  EXPECT_EQ(run_of(0, 1).status, Status::wrong);
  EXPECT_THAT(run_of(0, 1).reason, HasSubstr("wrote no output"));
}

TEST_F(ShimRun, WithCode3IsUnsupported) {
  const FakeScript script(at_call(1, refusal(3, "no such\nshape")));
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::unsupported);
  EXPECT_EQ(run_of(0).reason, "code 3 (unsupported shape): no such\\nshape");
  EXPECT_FALSE(run_of(0).verify);
}

TEST_F(ShimRun, WithAnyOtherCodeIsFailed) {
  const FakeScript script(at_call(1, refusal(4, "")));
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::failed);
  EXPECT_EQ(run_of(0).reason, "code 4 (launch failed): the shim gave no text");
}

TEST_F(ShimRun, ThatFailsInTheWarmUpIsFailedWithoutTimings) {
  const FakeScript script(at_call(4, refusal(4, "no kernel")));
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::failed);
  EXPECT_EQ(run_of(0).reason, "code 4 (launch failed): no kernel, in call 1 of the cold series");
  EXPECT_TRUE(run_of(0).timings.empty());
}

TEST_F(ShimRun, ThatFailsAtALaterTimedCallIsFailedWithoutTimings) {
  settings_.modes = {Mode::cold, Mode::warm};
  const FakeScript script(at_call(11, refusal(10, "thrown")));  // the second sample of warm
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::failed);
  EXPECT_EQ(run_of(0).reason, "code 10 (exception): thrown, in call 3 of the warm series");
  EXPECT_TRUE(run_of(0).timings.empty());
  EXPECT_EQ(FakeScript::calls(), 11);
}

TEST_F(ShimRun, ThatFailsAfterTimingIsFailedWithoutTimings) {
  const FakeScript script(at_call(9, refusal(2, "bad")));
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::failed);
  EXPECT_TRUE(run_of(0).timings.empty());
}

TEST_F(ShimRun, ThatWritesPastErrBufIsWrong) {
  FakeOrder past;
  past.past_err_buf = true;
  const FakeScript script(at_call(1, past));
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::wrong);
  EXPECT_EQ(run_of(0).reason, "before timing: wrote past the 512 bytes of err_buf");
  EXPECT_TRUE(run_of(0).timings.empty());
}

Workload with_lens(std::vector<std::int32_t> q_lens, std::vector<std::int32_t> kv_lens) {
  Workload workload = test::small_workload("a");
  workload.q_lens = std::move(q_lens);
  workload.kv_lens = std::move(kv_lens);
  return workload;
}

TEST_F(ShimRun, OfABatchWithNothingToDoIsOneCallAndNoTiming) {
  const FakeScript script([](int) { return FakeOrder{}; });
  run_workloads({with_lens({0, 0}, {17, 0})});
  EXPECT_EQ(run_of(0).status, Status::ok);
  EXPECT_EQ(run_of(0).reason, "nothing to do: no query tokens");
  ASSERT_TRUE(run_of(0).verify);
  EXPECT_TRUE(run_of(0).verify->ok);
  EXPECT_TRUE(run_of(0).timings.empty());
  EXPECT_EQ(FakeScript::calls(), 1);
  EXPECT_EQ(exit_code(report_), ExitCode::ok);
}

TEST_F(ShimRun, ThatWritesWhereThereIsNothingToDoIsWrong) {
  const FakeScript script(at_call(1, wrong()));
  run_workloads({with_lens({0, 0}, {17, 0})});
  EXPECT_EQ(run_of(0).status, Status::wrong);
  EXPECT_EQ(run_of(0).reason, "before timing: out-of-bounds write at byte 0 of out, which has 0");
}

TEST_F(ShimRun, ThatRejectsABatchWithNothingToDoIsUnsupported) {
  for (const int code : {2, 3}) {
    report_.workloads.clear();
    const FakeScript script(at_call(1, refusal(code, "no tokens")));
    run_workloads({with_lens({0, 0}, {0, 0})});
    EXPECT_EQ(run_of(0).status, Status::unsupported);
    EXPECT_THAT(run_of(0).reason, HasSubstr("): no tokens"));
    EXPECT_EQ(exit_code(report_), ExitCode::ok);
  }
  report_.workloads.clear();
  const FakeScript script(at_call(1, refusal(4, "no tokens")));
  run_workloads({with_lens({0, 0}, {0, 0})});
  EXPECT_EQ(run_of(0).status, Status::failed);
}

TEST_F(ShimRun, ThatRejectsABatchWithTokensAsOfABadSizeIsFailed) {
  const FakeScript script(at_call(1, refusal(2, "no keys")));
  run_workloads({with_lens({0, 1}, {17, 0})});
  EXPECT_EQ(run_of(0).status, Status::failed);
}

TEST_F(ShimRun, OfABatchWithoutAVisiblePairIsTimedAndItsRatesAreNumbers) {
  settings_.modes = {Mode::cold, Mode::warm};
  report_.ceilings = {100.0, 1.0, ""};
  run_workloads({with_lens({2, 0, 1}, {0, 9, 0})});
  EXPECT_EQ(run_of(0).status, Status::ok);
  EXPECT_EQ(run_of(0).verify->rows, 0);
  ASSERT_TRUE(run_of(0).verify->empty_rows);
  EXPECT_EQ(run_of(0).verify->empty_rows->rows, 3);
  EXPECT_EQ(run_of(0).verify->empty_rows->out, EmptyOut::nan);  // the fake divides by nothing
  EXPECT_EQ(run_of(0).verify->empty_rows->lse, EmptyLse::neg_inf);
  ASSERT_EQ(run_of(0).timings.size(), 2U);
  for (const Timing& timing : run_of(0).timings) {
    EXPECT_EQ(timing.tb_per_s, 0.0);
    EXPECT_EQ(timing.tflop_per_s, 0.0);
    EXPECT_EQ(timing.speed_of_light, 0.0);
  }
}

TEST_F(ShimRun, ThatIsWrongBesideRowsWithoutKeysIsWrong) {
  const FakeScript script([](int) { return wrong(); });
  run_workloads({with_lens({3, 2}, {5, 1})});
  EXPECT_EQ(run_of(0).status, Status::wrong);
  EXPECT_THAT(run_of(0).reason, HasSubstr("out of sequence 0, query token 0, head 0, column 0"));
}

TEST_F(ShimRun, IsUnsupportedWhereTheShimDescribesOtherShapes) {
  shims_.clear();
  add(test::fake_shim_for("dims", {64, 128}, {16}));
  add(test::fake_shim_for("blocks", {16}, {32}));
  const FakeScript script([](int) { return FakeOrder{}; });
  run({"a"});
  EXPECT_EQ(run_of(0, 0).status, Status::unsupported);
  EXPECT_EQ(run_of(0, 0).reason, "head_dim 16: the shim describes 64, 128");
  EXPECT_EQ(run_of(0, 1).status, Status::unsupported);
  EXPECT_EQ(run_of(0, 1).reason, "block_size 16: the shim describes 32");
  EXPECT_EQ(FakeScript::calls(), 0);
}

TEST_F(ShimRun, KeepsTheSamplesTakenBeforeAStopRequest) {
  const FakeScript script([this](int call) {
    FakeOrder order;
    if (call == 6) order.action = [this] { stop_.request_stop(); };
    return order;
  });
  EXPECT_FALSE(run({"a"}).complete);
  EXPECT_EQ(run_of(0).status, Status::ok);
  ASSERT_EQ(run_of(0).timings.size(), 1U);
  EXPECT_EQ(run_of(0).timings[0].samples.stop, Stop::interrupted);
  EXPECT_EQ(run_of(0).timings[0].samples.device_us.size(), 2U);
}

TEST_F(ShimRun, IsNotRunIfTheStopRequestComesBeforeTheFirstSample) {
  const FakeScript script([this](int call) {
    FakeOrder order;
    if (call == 4) order.action = [this] { stop_.request_stop(); };
    return order;
  });
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::not_run);
  EXPECT_EQ(run_of(0).reason, "interrupted");
  EXPECT_EQ(run_of(0).shim, "fake");
  EXPECT_TRUE(run_of(0).timings.empty());
}

}  // namespace
}  // namespace fa2bench
