// SPDX-License-Identifier: MIT
// Placement trials of one series, their pace and their warm-up.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "measure/fake_device.hpp"
#include "measure/pace.hpp"
#include "measure/sampling.hpp"
#include "stats/drift.hpp"

namespace fa2bench::test {
namespace {

SamplingLimits quick() {
  SamplingLimits limits;
  limits.time_limit = Seconds(1000.0);
  limits.least_time = Seconds(0.0);
  limits.trial_time = Seconds(0.0);
  limits.min_samples = 5;
  limits.duty = 1.0;
  return limits;
}

Series plain() {
  Series series;
  series.cache = CacheState::as_left;
  series.call = [] { return 0; };
  return series;
}

TEST(Trials, HaveTheTelemetryOfTheirEnd) {
  FakeDevice device([](std::size_t) { return 100.0; });
  const Samples samples = take_samples(device, plain(), quick(), {});
  ASSERT_GE(samples.trials.size(), 10U);
  std::size_t calls = 0;
  std::size_t trial = 0;
  for (const TrialTelemetry& after : samples.telemetry) {
    for (; trial <= after.trial; ++trial) {
      calls += samples.trials[trial].warm_up_calls + samples.trials[trial].samples;
    }
    EXPECT_EQ(after.telemetry.sm_mhz, static_cast<double>(calls));
  }
  EXPECT_EQ(samples.telemetry.front().trial, 0U);
  EXPECT_EQ(samples.telemetry.back().trial + 1, samples.trials.size());
}

TEST(Trials, AreFollowedByACallThatTellsTheClockAndIsCheckedToo) {
  FakeDevice device([](std::size_t) { return 100.0; });
  device.clocked = [](std::size_t i) { return ClockedCall{{}, 1700.0 + static_cast<double>(i)}; };
  std::size_t calls = 0;
  std::size_t checks = 0;
  Series series = plain();
  series.call = [&] {
    ++calls;
    return 0;
  };
  series.passes = [&] {
    ++checks;
    return true;
  };
  const Samples samples = take_samples(device, series, quick(), {});
  EXPECT_EQ(calls, checks);
  std::size_t timed = 0;
  for (const Trial& trial : samples.trials) timed += trial.warm_up_calls + trial.samples;
  EXPECT_EQ(calls, timed + 1);  // no time passes here, so it is looked at once
  EXPECT_EQ(samples.telemetry.front().telemetry.sm_mhz_in_call, 1700.0);
  EXPECT_EQ(samples.telemetry.back().telemetry.sm_mhz_in_call, std::nullopt);
}

TEST(Trials, EndWhereTheClockedCallFailsOrIsWrong) {
  FakeDevice device([](std::size_t) { return 100.0; });
  bool in_clocked_call = false;
  device.clocked = [&](std::size_t) {
    in_clocked_call = true;
    return ClockedCall{{}, 1700.0};
  };
  Series series = plain();
  series.passes = [&] { return !in_clocked_call; };
  EXPECT_EQ(take_samples(device, series, quick(), {}).stop, Stop::call_wrong);
  in_clocked_call = false;
  series.call = [&] { return in_clocked_call ? 7 : 0; };
  const Samples failed = take_samples(device, series, quick(), {});
  EXPECT_EQ(failed.stop, Stop::call_failed);
  EXPECT_EQ(failed.code, 7);
}

TEST(Trials, EachHasItsPlacementWarmUpSamplesAndCheck) {
  FakeDevice device([](std::size_t) { return 100.0; });
  std::string events;
  Series series = plain();
  series.place = [&](std::size_t trial) {
    events += "p" + std::to_string(trial);
    return true;
  };
  series.leave = [&] {
    events += "l";
    return true;
  };
  const Samples samples = take_samples(device, series, quick(), {});
  EXPECT_EQ(samples.stop, Stop::precise);
  ASSERT_GE(samples.trials.size(), 10U);
  EXPECT_EQ(events.substr(0, 10), "lp1lp2lp3l");
  std::size_t held = 0;
  for (const Trial& trial : samples.trials) {
    EXPECT_EQ(trial.samples, 5U);
    EXPECT_EQ(trial.warm_up_calls,
              held == 0 ? 3 * kDriftBlock : 3U);  // what it takes to see no drift
    held += trial.samples;
  }
  EXPECT_EQ(held, samples.device_us.size());
  EXPECT_TRUE(samples.settled);
}

TEST(Trials, AreTakenForTheLeastTimeThoughTheIntervalIsNarrow) {
  FakeDevice device([](std::size_t) { return 100.0; });
  SamplingLimits limits = quick();
  limits.max_trials = limits.max_samples = 1'000'000'000;  // the time is over before
  limits.least_time = Seconds(0.02);
  const Samples samples = take_samples(device, plain(), limits, {});
  EXPECT_EQ(samples.stop, Stop::precise);
  EXPECT_GE(samples.wall_s, 0.02);
}

TEST(Trials, GiveADeviceThatIsHeldBackMoreRest) {
  FakeDevice device([](std::size_t) { return 1e-3; });
  Telemetry throttled;
  throttled.throttle_reasons = {"sw_power_cap"};
  device.tell(throttled);
  SamplingLimits limits = quick();
  limits.duty = 0.5;
  limits.max_trials = 12;
  limits.min_trials = 12;
  const Samples samples = take_samples(device, plain(), limits, {});
  EXPECT_EQ(samples.trials[0].duty, 0.5);
  EXPECT_EQ(samples.trials[1].duty, 0.25);
  ASSERT_GE(samples.telemetry.size(), 2U);
  EXPECT_EQ(samples.telemetry.front().trial, 0U);
  EXPECT_EQ(samples.telemetry.back().trial, 11U);
}

TEST(Trials, GoOnWhileTheirMediansDiffer) {
  std::size_t trial = 0;
  FakeDevice device([&](std::size_t) { return trial % 2 == 0 ? 100.0 : 103.0; });
  Series series = plain();
  series.place = [&](std::size_t number) {
    trial = number;
    return true;
  };
  SamplingLimits limits = quick();
  limits.max_trials = 17;
  const Samples samples = take_samples(device, series, limits, {});
  EXPECT_EQ(samples.stop, Stop::max_trials);
  EXPECT_EQ(samples.trials.size(), 17U);
}

TEST(Trials, EndWithThePlacementOrTheMemoryThatIsWrong) {
  FakeDevice device([](std::size_t) { return 100.0; });
  Series series = plain();
  series.place = [](std::size_t trial) { return trial != 2; };
  EXPECT_EQ(take_samples(device, series, quick(), {}).stop, Stop::call_wrong);
  series = plain();
  series.leave = [] { return false; };
  EXPECT_EQ(take_samples(device, series, quick(), {}).stop, Stop::call_wrong);
}

TEST(Trials, AreNotBegunWhereTheirPlacementWouldTakeTheRestOfTheTime) {
  FakeDevice device([](std::size_t) { return 100.0; });
  SamplingLimits limits = quick();
  limits.time_limit = Seconds(0.0);
  std::size_t placed = 0;
  Series series = plain();
  series.place = [&](std::size_t) { return ++placed > 0; };
  const Samples samples = take_samples(device, series, limits, {});
  EXPECT_EQ(samples.stop, Stop::time_limit);
  EXPECT_EQ(samples.trials.size(), 1U);
  EXPECT_EQ(placed, 0U);
}

TEST(Sustained, IsManyCallsInASampleAndEndsWithItsTime) {
  FakeDevice device([](std::size_t) { return 1600.0; });  // whatever a sample's calls
  std::size_t calls = 0;
  Series series = plain();
  series.call = [&] {
    ++calls;
    return 0;
  };
  const Samples samples = take_sustained(device, series, Seconds(0.0), {});
  EXPECT_EQ(samples.mode, Mode::sustained);
  EXPECT_EQ(samples.stop, Stop::completed);
  EXPECT_EQ(samples.calls, 200);  // 20 ms over 1600 µs / 16
  EXPECT_EQ(samples.device_us.size(), 1U);
  EXPECT_EQ(calls, 1U + 4U + 16U + 200U);
}

TEST(Sustained, EndsWithTheCallThatFailed) {
  FakeDevice device([](std::size_t) { return 1e5; });
  Series series = plain();
  series.call = [] { return 4; };
  const Samples samples = take_sustained(device, series, Seconds(1.0), {});
  EXPECT_EQ(samples.stop, Stop::call_failed);
  EXPECT_EQ(samples.code, 4);
  EXPECT_TRUE(samples.trials.empty());
}

TEST(Pace, LeavesTheDeviceIdleForItsShareOfTheTime) {
  EXPECT_EQ(pause_left(Microseconds(100.0), Microseconds(120.0), 0.5), Microseconds(80.0));
  EXPECT_EQ(pause_left(Microseconds(100.0), Microseconds(120.0), 0.25), Microseconds(280.0));
}

TEST(Pace, CountsTheTimeTheHostTookAnyway) {
  EXPECT_EQ(pause_left(Microseconds(100.0), Microseconds(300.0), 0.5), Microseconds(0.0));
}

}  // namespace
}  // namespace fa2bench::test
