// SPDX-License-Identifier: MIT
// Rates and the nearer ceiling. The sample: 65536 FLOPs and 20480 bytes in a median of 100 µs,
// which is 0.2048 GB/s and 0.00065536 TFLOP/s.
#include <gtest/gtest.h>

#include <limits>

#include "result/report.hpp"
#include "result/sample_report.hpp"

namespace fa2bench {
namespace {

DeviceFacts device_with_cache(Bytes l2) {
  DeviceFacts device;
  device.l2 = l2;
  return device;
}

Timing timing_of(Mode mode, const Ceilings& ceilings, Bytes l2 = mib(32)) {
  return make_timing(test::sample_samples(mode), test::sample_workload("w").plan,
                     device_with_cache(l2), ceilings);
}

TEST(MakeTiming, SummarizesDeviceAndHostTimes) {
  const Timing timing = timing_of(Mode::cold, {});
  EXPECT_EQ(timing.device.count, 8U);
  EXPECT_DOUBLE_EQ(timing.device.median, 100.0);
  EXPECT_DOUBLE_EQ(timing.device.max, 110.0);
  EXPECT_DOUBLE_EQ(timing.host.median, 10.0);
  EXPECT_EQ(timing.samples.device_us.size(), 8U);
}

/// On a CPU the two are the same clock: placements that differ must not make them contradict.
TEST(MakeTiming, EstimatesTheHostsTimeAsItDoesTheDevices) {
  Samples samples = test::sample_samples(Mode::cold);
  samples.device_us = {100.0, 100.0, 100.0, 100.0, 100.0, 900.0, 1700.0};
  samples.host_us = samples.device_us;
  samples.trials = {{5, 3, 1.0}, {1, 3, 1.0}, {1, 3, 1.0}};
  const Timing timing = summarize_samples(samples);
  EXPECT_DOUBLE_EQ(timing.device.median, 900.0);
  EXPECT_DOUBLE_EQ(timing.host.median, timing.device.median);
  ASSERT_TRUE(timing.host.median_interval && timing.device.median_interval);
  EXPECT_DOUBLE_EQ(timing.host.median_interval->low, timing.device.median_interval->low);
  EXPECT_DOUBLE_EQ(timing.host.median_interval->high, timing.device.median_interval->high);
}

TEST(MakeTiming, GivesRatesOfTheMedian) {
  const Timing timing = timing_of(Mode::cold, {});
  EXPECT_DOUBLE_EQ(timing.tb_per_s.value(), 20480.0 / 100e-6 * 1e-12);
  EXPECT_DOUBLE_EQ(timing.tflop_per_s.value(), 65536.0 / 100e-6 * 1e-12);
}

TEST(MakeTiming, CallsACallThatReturnsLaterThanTheGpuIsDoneLaunchBound) {
  DeviceFacts device = device_with_cache(mib(32));
  device.kind = DeviceKind::cuda;
  Samples samples = test::sample_samples(Mode::cold);
  const auto launch_bound = [&](double host_us) {
    samples.host_us.assign(8, host_us);
    return make_timing(samples, test::sample_workload("w").plan, device, {}).launch_bound;
  };
  EXPECT_FALSE(launch_bound(100.0));  // as long as the GPU takes
  EXPECT_TRUE(launch_bound(100.5));
  device.kind = DeviceKind::host;  // the call is the work
  EXPECT_FALSE(launch_bound(100.5));
}

TEST(MakeTiming, CountsASharedBlockOnce) {
  Plan plan = test::sample_workload("w").plan;
  plan.cost.bytes_logical = kib(2000);
  const Timing timing = make_timing(test::sample_samples(Mode::cold), plan,
                                    device_with_cache(mib(32)), {0.4096, {}, ""});
  EXPECT_DOUBLE_EQ(timing.tb_per_s.value(), 20480.0 / 100e-6 * 1e-12);
  EXPECT_DOUBLE_EQ(*timing.speed_of_light, 0.5);
}

TEST(MakeTiming, NamesTheReadCeilingWhereItIsNearer) {
  const Timing timing = timing_of(Mode::cold, {0.4096, 0.0065536, ""});
  ASSERT_TRUE(timing.speed_of_light);
  EXPECT_DOUBLE_EQ(*timing.speed_of_light, 0.5);
  EXPECT_EQ(timing.limit, "read");
}

TEST(MakeTiming, NamesTheMatrixCeilingWhereItIsNearer) {
  const Timing timing = timing_of(Mode::cold, {2.048, 0.00131072, ""});
  ASSERT_TRUE(timing.speed_of_light);
  EXPECT_DOUBLE_EQ(*timing.speed_of_light, 0.5);
  EXPECT_EQ(timing.limit, "matrix");
}

TEST(MakeTiming, UsesTheOnlyCeilingThatIsKnown) {
  EXPECT_EQ(timing_of(Mode::cold, {0.4096, {}, ""}).limit, "read");
  EXPECT_EQ(timing_of(Mode::cold, {{}, 0.0065536, ""}).limit, "matrix");
}

TEST(MakeTiming, PassesOverACeilingThatIsNoRate) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(timing_of(Mode::cold, {0.4096, kNan, ""}).limit, "read");
  EXPECT_EQ(timing_of(Mode::cold, {0.0, 0.0065536, ""}).limit, "matrix");
}

TEST(MakeTiming, HasNoSpeedOfLightWithoutACeiling) {
  const Timing timing = timing_of(Mode::cold, {});
  EXPECT_FALSE(timing.speed_of_light);
  EXPECT_EQ(timing.limit, "");
}

TEST(MakeTiming, CallsAWarmWorkingSetThatFitsTheCacheResident) {
  EXPECT_TRUE(timing_of(Mode::warm, {}, kib(20)).cache_resident);
  EXPECT_FALSE(timing_of(Mode::warm, {}, Bytes{20479}).cache_resident);
  EXPECT_FALSE(timing_of(Mode::cold, {}, kib(20)).cache_resident);
}

TEST(MakeTiming, DoesNotSetACacheResidentRunAgainstTheReadCeiling) {
  const Timing timing = timing_of(Mode::warm, {0.4096, 0.0065536, ""});
  ASSERT_TRUE(timing.speed_of_light);
  EXPECT_DOUBLE_EQ(*timing.speed_of_light, 0.1);
  EXPECT_EQ(timing.limit, "matrix");
}

TEST(MakeTiming, GivesNoRateForAMedianOfZero) {
  Samples samples = test::sample_samples(Mode::cold);
  samples.device_us.assign(8, 0.0);
  const Timing timing = make_timing(samples, test::sample_workload("w").plan,
                                    device_with_cache(mib(32)), {0.4096, 1.0, ""});
  EXPECT_FALSE(timing.tb_per_s);
  EXPECT_FALSE(timing.tflop_per_s);
  EXPECT_FALSE(timing.speed_of_light);
  EXPECT_EQ(timing.limit, "");
}

TEST(MakeTiming, GivesRatesOfZeroForABatchThatCostsNothing) {
  Plan plan = test::sample_workload("w").plan;
  plan.cost = {};
  for (const Mode mode : {Mode::cold, Mode::warm}) {
    const Timing timing = make_timing(test::sample_samples(mode), plan, device_with_cache(mib(32)),
                                      {0.4096, 1.0, ""});
    EXPECT_EQ(timing.tb_per_s, 0.0);
    EXPECT_EQ(timing.tflop_per_s, 0.0);
    EXPECT_EQ(timing.speed_of_light, 0.0);
  }
}

TEST(MakeTiming, HasNoIntervalForOneSample) {
  Samples samples = test::sample_samples(Mode::cold);
  samples.device_us.resize(1);
  samples.host_us.resize(1);
  samples.trials.front().samples = 1;
  const Timing timing =
      make_timing(samples, test::sample_workload("w").plan, device_with_cache(mib(32)), {});
  EXPECT_FALSE(timing.device.median_interval);
  EXPECT_EQ(timing.device.median, 98.0);
  EXPECT_EQ(timing.device.mad, 0.0);
}

TEST(StatusText, NamesEveryStatus) {
  EXPECT_STREQ(to_text(Status::ok), "ok");
  EXPECT_STREQ(to_text(Status::wrong), "wrong");
  EXPECT_STREQ(to_text(Status::unsupported), "unsupported");
  EXPECT_STREQ(to_text(Status::failed), "failed");
  EXPECT_STREQ(to_text(Status::crashed), "crashed");
  EXPECT_STREQ(to_text(Status::timeout), "timeout");
  EXPECT_STREQ(to_text(Status::does_not_fit), "does_not_fit");
  EXPECT_STREQ(to_text(Status::not_run), "not_run");
}

}  // namespace
}  // namespace fa2bench
