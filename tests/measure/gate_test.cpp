// SPDX-License-Identifier: MIT
// What sampling does with a gate.
#include <gtest/gtest.h>

#include "measure/fake_device.hpp"
#include "measure/sampling.hpp"

namespace fa2bench {
namespace {

SamplingLimits four_samples() {
  SamplingLimits limits;
  limits.time_limit = Seconds(1e6);
  limits.min_samples = 1000;
  limits.max_samples = 4;
  return limits;
}

/// Long calls, so that one of them is the whole warm-up.
double long_call(std::size_t /*call*/) { return 1e12; }

TEST(GatedSampling, GatesEveryCallWhereThereIsAGate) {
  test::FakeDevice device(long_call);
  device.give_gate([](std::size_t) { return false; });
  const Samples samples =
      take_samples(device, [] { return 0; }, CacheMode::warm, four_samples(), {});
  EXPECT_TRUE(samples.gated);
  EXPECT_FALSE(samples.host_blocking);
  EXPECT_EQ(device.events(), "ggggg");
}

TEST(GatedSampling, GoesOnWithoutTheGateForACallThatWaits) {
  test::FakeDevice device(long_call);
  device.give_gate([](std::size_t) { return true; });
  const Samples samples =
      take_samples(device, [] { return 0; }, CacheMode::cold, four_samples(), {});
  EXPECT_FALSE(samples.gated);
  EXPECT_TRUE(samples.host_blocking);
  EXPECT_EQ(samples.device_us.size(), 4U);
  EXPECT_EQ(device.events(), "egececececec");
}

TEST(GatedSampling, NeverMixesSamplesOfBothKinds) {
  test::FakeDevice device(long_call);
  device.give_gate([](std::size_t call) { return call == 3; });  // warm-up, two samples, then
  const Samples samples =
      take_samples(device, [] { return 0; }, CacheMode::warm, four_samples(), {});
  EXPECT_FALSE(samples.gated);
  EXPECT_TRUE(samples.host_blocking);
  EXPECT_EQ(samples.device_us.size(), 4U);
  EXPECT_EQ(device.events(), "ggggcccc");
}

TEST(GatedSampling, IsNotGatedWithoutAGate) {
  test::FakeDevice device(long_call);
  const Samples samples =
      take_samples(device, [] { return 0; }, CacheMode::warm, four_samples(), {});
  EXPECT_FALSE(samples.gated);
  EXPECT_FALSE(samples.host_blocking);
}

}  // namespace
}  // namespace fa2bench
