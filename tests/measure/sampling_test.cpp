// SPDX-License-Identifier: MIT
#include "measure/sampling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "measure/fake_device.hpp"
#include "stats/summary.hpp"

namespace fa2bench::test {
namespace {

constexpr double kSecond = 1e6;  // of microseconds

/// Calls say that they take seconds, so one is warm-up enough for these limits, and no test comes
/// near the time limit, which is of the real clock.
SamplingLimits roomy() {
  SamplingLimits limits;
  limits.time_limit = Seconds(10.0);
  limits.min_trials = limits.max_trials = 1;
  limits.min_samples = 30;
  limits.trial_time = Seconds(0.0);
  limits.duty = 1.0;
  return limits;
}

/// Never precise: half of the calls take three times as long.
double noisy(std::size_t call) { return call % 2 == 0 ? 2 * kSecond : 6 * kSecond; }
double steady(std::size_t /*call*/) { return 2 * kSecond; }

Series series_of(
    Mode mode, const std::function<int()>& call = [] { return 0; }) {
  Series series;
  series.mode = mode;
  series.cache = mode == Mode::cold ? CacheState::swept : CacheState::as_left;
  series.call = call;
  return series;
}

Samples sample(
    FakeDevice& device, const SamplingLimits& limits, Mode mode = Mode::warm,
    const std::function<int()>& call = [] { return 0; }, const std::stop_token& stop = {}) {
  return take_samples(device, series_of(mode, call), limits, stop);
}

TEST(Sampling, StopsAtTheLeastCountWhenAlreadyPrecise) {
  FakeDevice device(steady);
  const Samples samples = sample(device, roomy());
  EXPECT_EQ(samples.stop, Stop::precise);
  EXPECT_EQ(samples.device_us, std::vector<double>(30, 2 * kSecond));
  EXPECT_EQ(samples.host_us, std::vector<double>(30, 0.2 * kSecond));
  EXPECT_EQ(samples.code, 0);
}

TEST(Sampling, NeedsAnIntervalToBePrecise) {
  FakeDevice device(steady);
  SamplingLimits limits = roomy();
  limits.min_samples = 1;
  const Samples samples = sample(device, limits);
  EXPECT_EQ(samples.stop, Stop::precise);
  EXPECT_EQ(samples.device_us.size(), 6U);  // fewer have no interval at 95 %
}

TEST(Sampling, GoesOnUntilTheIntervalIsNarrow) {
  // 20 % of noise round 2 s at first, which steady calls outvote only later.
  FakeDevice device([](std::size_t call) {
    const double spread = call < 40 ? 0.2 * kSecond : 0.0;
    return 2 * kSecond + (call % 2 == 0 ? spread : -spread);
  });
  const SamplingLimits limits = roomy();
  const Samples samples = sample(device, limits);
  EXPECT_EQ(samples.stop, Stop::precise);
  EXPECT_GT(samples.device_us.size(), 45U);
  EXPECT_LT(samples.device_us.size(), 200U);
  const Summary summary = summarize(samples.device_us);
  EXPECT_LE(summary.median_interval->high - summary.median_interval->low,
            limits.precision * summary.median);
}

TEST(Sampling, IsPreciseByTheWidthAskedFor) {
  const auto within_two_percent = [](std::size_t call) {
    return 2 * kSecond * (1.0 + 0.02 * static_cast<double>(call % 2));
  };
  SamplingLimits limits = roomy();
  limits.max_samples = 60;
  FakeDevice strict(within_two_percent);
  EXPECT_EQ(sample(strict, limits).stop, Stop::max_samples);
  limits.precision = 0.021;
  FakeDevice lax(within_two_percent);
  EXPECT_EQ(sample(lax, limits).stop, Stop::precise);
}

TEST(Sampling, StopsAtTheMostSamples) {
  FakeDevice device(noisy);
  SamplingLimits limits = roomy();
  limits.max_samples = 57;
  const Samples samples = sample(device, limits);
  EXPECT_EQ(samples.stop, Stop::max_samples);
  EXPECT_EQ(samples.device_us.size(), 57U);
}

TEST(Sampling, TakesOneSampleWhenThereIsNoTime) {
  FakeDevice device(noisy);
  SamplingLimits limits = roomy();
  limits.time_limit = Seconds(0.0);
  const Samples samples = sample(device, limits);
  EXPECT_EQ(samples.stop, Stop::time_limit);
  EXPECT_EQ(samples.device_us.size(), 1U);
  EXPECT_EQ(samples.trials.front().warm_up_calls, 1U);
  EXPECT_GE(samples.wall_s, 0.0);
}

TEST(Sampling, WarmsUpWithThreeShortCallsAtLeast) {
  FakeDevice device([](std::size_t /*call*/) { return 1e-9; });
  SamplingLimits limits = roomy();
  limits.time_limit = Seconds(1e-9);
  const Samples samples = sample(device, limits);
  EXPECT_GE(samples.trials.front().warm_up_calls, 3U);
  EXPECT_EQ(samples.device_us.size(), 1U);
  EXPECT_EQ(device.events().size(), samples.trials.front().warm_up_calls + 1);
}

TEST(Sampling, WarmsUpWithOneLongCall) {
  FakeDevice device(steady);  // a fifth of the time limit
  const Samples samples = sample(device, roomy());
  EXPECT_EQ(samples.trials.front().warm_up_calls, 1U);
  EXPECT_FALSE(samples.settled);
}

TEST(Sampling, WarmsUpUntilTheTimesHaveSettled) {
  // A clock that rises for sixty calls.
  FakeDevice device([](std::size_t call) {
    return 100.0 + 50.0 * std::max(0.0, 1.0 - static_cast<double>(call) / 60.0);
  });
  const Samples samples = sample(device, roomy());
  EXPECT_TRUE(samples.settled);
  EXPECT_GT(samples.trials.front().warm_up_calls, 60U);
  EXPECT_LT(samples.trials.front().warm_up_calls, 100U);
  EXPECT_EQ(samples.device_us.front(), 100.0);
}

TEST(Sampling, KeepsSamplesInTheOrderTaken) {
  FakeDevice device([](std::size_t call) { return (100.0 - static_cast<double>(call)) * kSecond; });
  SamplingLimits limits = roomy();
  limits.max_samples = 3;
  const Samples samples = sample(device, limits);
  EXPECT_EQ(samples.device_us, (std::vector<double>{99 * kSecond, 98 * kSecond, 97 * kSecond}));
  EXPECT_EQ(samples.host_us, (std::vector<double>{9.9 * kSecond, 9.8 * kSecond, 9.7 * kSecond}));
}

TEST(Sampling, EmptiesTheCacheBeforeEveryColdCall) {
  FakeDevice device(steady);
  const Samples samples = sample(device, roomy(), Mode::cold);
  EXPECT_EQ(samples.mode, Mode::cold);
  std::string expected = "cece";  // how long a sweep takes, measured twice
  for (int call = 0; call < 31; ++call) expected += "ec";
  EXPECT_EQ(device.events(), expected);
}

TEST(Sampling, LeavesTheCacheAloneWhenWarm) {
  FakeDevice device(steady);
  const Samples samples = sample(device, roomy(), Mode::warm);
  EXPECT_EQ(samples.mode, Mode::warm);
  EXPECT_EQ(device.events(), std::string(31, 'c'));
}

TEST(Sampling, EndsWithTheCallThatFailed) {
  for (const std::size_t failing : {0U, 1U, 2U, 13U}) {
    FakeDevice device(noisy);
    std::size_t calls = 0;
    const Samples samples =
        sample(device, roomy(), Mode::cold, [&] { return calls++ == failing ? 4 : 0; });
    EXPECT_EQ(samples.stop, Stop::call_failed) << failing;
    EXPECT_EQ(samples.code, 4);
    EXPECT_EQ(calls, failing + 1);
    // The one warm-up call and the failed one are no samples.
    EXPECT_EQ(samples.device_us.size(), failing < 2 ? 0 : failing - 1);
    EXPECT_EQ(samples.host_us.size(), samples.device_us.size());
  }
}

TEST(Sampling, LeavesTheSamplesTakenBeforeAStopRequest) {
  std::stop_source source;
  FakeDevice device(noisy);
  std::size_t calls = 0;
  const Samples samples = sample(
      device, roomy(), Mode::warm,
      [&] {
        if (++calls == 8) source.request_stop();
        return 0;
      },
      source.get_token());
  EXPECT_EQ(samples.stop, Stop::interrupted);
  EXPECT_EQ(calls, 8U);
  EXPECT_EQ(samples.device_us.size(), 7U);
}

TEST(Sampling, TakesNoSampleAfterAnEarlyStopRequest) {
  std::stop_source source;
  source.request_stop();
  FakeDevice device([](std::size_t /*call*/) { return 1.0; });
  const Samples samples = sample(
      device, roomy(), Mode::warm, [] { return 0; }, source.get_token());
  EXPECT_EQ(samples.stop, Stop::interrupted);
  EXPECT_TRUE(samples.device_us.empty());
  EXPECT_EQ(device.events(), "");
}

TEST(Sampling, LooksAtWhatEveryCallLeft) {
  FakeDevice device(steady);
  std::size_t before = 0;
  std::size_t after = 0;
  Series series = series_of(Mode::cold);
  series.before = [&] { EXPECT_EQ(before++, after); };
  series.passes = [&] {
    EXPECT_EQ(++after, before);
    return true;
  };
  const Samples samples = take_samples(device, series, roomy(), {});
  EXPECT_EQ(samples.stop, Stop::precise);
  EXPECT_EQ(before, 31U);  // one to warm up
  EXPECT_EQ(after, 31U);
}

TEST(Sampling, EndsWithTheCallThatDoesNotPass) {
  for (const std::size_t failing : {0U, 1U, 13U}) {
    FakeDevice device(noisy);
    std::size_t calls = 0;
    Series series = series_of(Mode::cold);
    series.passes = [&] { return calls++ != failing; };
    const Samples samples = take_samples(device, series, roomy(), {});
    EXPECT_EQ(samples.stop, Stop::call_wrong) << failing;
    EXPECT_EQ(calls, failing + 1);
  }
}

TEST(Sampling, LetsADeviceErrorThrough) {
  FakeDevice device([](std::size_t call) -> double {
    if (call == 5) throw DeviceError("synchronize: lost", true);
    return 2 * kSecond;
  });
  EXPECT_THROW(sample(device, roomy()), DeviceError);
}

TEST(Sampling, NamesItsModesAndStops) {
  EXPECT_STREQ(to_text(Mode::cold), "cold");
  EXPECT_STREQ(to_text(Mode::graph_warm), "graph_warm");
  EXPECT_STREQ(to_text(CacheState::as_left), "as_left");
  EXPECT_STREQ(to_text(Stop::precise), "precise");
  EXPECT_STREQ(to_text(Stop::time_limit), "time_limit");
  EXPECT_STREQ(to_text(Stop::max_samples), "max_samples");
  EXPECT_STREQ(to_text(Stop::interrupted), "interrupted");
  EXPECT_STREQ(to_text(Stop::call_failed), "call_failed");
  EXPECT_STREQ(to_text(Stop::call_wrong), "call_wrong");
}

}  // namespace
}  // namespace fa2bench::test
