// SPDX-License-Identifier: MIT
// What sampling does with a gate.
#include <gtest/gtest.h>

#include <string>

#include "measure/fake_device.hpp"
#include "measure/sampling.hpp"

namespace fa2bench {
namespace {

SamplingLimits four_samples() {
  SamplingLimits limits;
  limits.time_limit = Seconds(1e6);
  limits.min_trials = limits.max_trials = 1;
  limits.min_samples = 1000;
  limits.max_samples = 4;
  limits.duty = 1.0;
  return limits;
}

Samples sample(test::FakeDevice& device, CacheState cache) {
  Series series;
  series.cache = cache;
  series.call = [] { return 0; };
  return take_samples(device, series, four_samples(), {});
}

/// How long a sweep takes is measured before, twice.
const std::string kSweeps = "cece";

/// Long calls, so that one of them is the whole warm-up.
double long_call(std::size_t /*call*/) { return 1e12; }

TEST(GatedSampling, GatesEveryCallButTheFirstWhereThereIsAGate) {
  test::FakeDevice device(long_call);
  device.give_gate([](std::size_t) { return false; });
  const Samples samples = sample(device, CacheState::as_left);
  EXPECT_TRUE(samples.gated);
  EXPECT_FALSE(samples.host_blocking);
  EXPECT_EQ(device.events(), "cgggg");
}

TEST(GatedSampling, GoesOnWithoutTheGateForACallThatWaits) {
  test::FakeDevice device(long_call);
  device.give_gate([](std::size_t) { return true; });
  const Samples samples = sample(device, CacheState::swept);
  EXPECT_FALSE(samples.gated);
  EXPECT_TRUE(samples.host_blocking);
  EXPECT_EQ(samples.device_us.size(), 4U);
  EXPECT_EQ(device.events(), kSweeps + "ecegegecececec");
}

TEST(GatedSampling, NeverMixesSamplesOfBothKinds) {
  test::FakeDevice device(long_call);
  // Warm-up, two samples, then twice.
  device.give_gate([](std::size_t call) { return call == 3 || call == 4; });
  const Samples samples = sample(device, CacheState::as_left);
  EXPECT_FALSE(samples.gated);
  EXPECT_TRUE(samples.host_blocking);
  EXPECT_EQ(samples.device_us.size(), 4U);
  EXPECT_EQ(device.events(), "cggggcccc");
}

TEST(GatedSampling, TakesAHostThatStandsStillForNoCallThatWaits) {
  test::FakeDevice device(long_call);
  // Two sweeps, the warm-up and a sample; then the second and the third are made twice.
  device.give_gate([](std::size_t call) { return call == 4 || call == 6; });
  const Samples samples = sample(device, CacheState::swept);
  EXPECT_TRUE(samples.gated);
  EXPECT_FALSE(samples.host_blocking);
  EXPECT_EQ(samples.device_us.size(), 4U);
  EXPECT_EQ(device.events(), kSweeps + "ecegegegegegeg");
}

TEST(GatedSampling, IsNotGatedWithoutAGate) {
  test::FakeDevice device(long_call);
  const Samples samples = sample(device, CacheState::as_left);
  EXPECT_FALSE(samples.gated);
  EXPECT_FALSE(samples.host_blocking);
}

}  // namespace
}  // namespace fa2bench
