// SPDX-License-Identifier: MIT
// The real NVML, beside a context of ours.
#include <fmt/format.h>

#include <chrono>

#include "device/outside_telemetry.hpp"
#include "gpu/gpu_test.hpp"

namespace fa2bench::test {
namespace {

class GpuTelemetry : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    if (device().facts().driver.empty()) GTEST_SKIP() << "libnvidia-ml.so.1 is not here";
  }
};

TEST_F(GpuTelemetry, HasClocksHeatAndPowerInTheirUnits) {
  const Telemetry now = device().telemetry();
  ASSERT_TRUE(now.sm_mhz && now.memory_mhz && now.temperature_c && now.power_w);
  EXPECT_GE(*now.sm_mhz, 100.0);
  EXPECT_LE(*now.sm_mhz, device().facts().max_sm_mhz.value_or(10'000.0));
  EXPECT_GE(*now.memory_mhz, 100.0);
  EXPECT_GE(*now.temperature_c, 5.0);
  EXPECT_LE(*now.temperature_c, 110.0);
  EXPECT_GE(*now.power_w, 5.0);
  EXPECT_LE(*now.power_w, 1.5 * device().facts().power_limit_w.value_or(2'000.0));
  EXPECT_TRUE(now.throttle_reasons.has_value());
}

TEST_F(GpuTelemetry, HasTheClockThatAnSmCounted) {
  ASSERT_TRUE(device().has_sm_clock());
  const ClockedCall clocked = device().clock_call(
      [&] {
        device().evict_cache();  // on all SMs: two single blocks in a row may be on two
        return 0;
      },
      true);
  ASSERT_TRUE(clocked.sm_mhz);
  EXPECT_FALSE(clocked.call.blocked);
  const double most = device().facts().max_sm_mhz.value_or(10'000.0);
  EXPECT_LE(*clocked.sm_mhz, 1.01 * most);
  EXPECT_GE(*clocked.sm_mhz, 0.2 * most);
  EXPECT_EQ(device().clock_call([] { return 7; }, true).call.code, 7);
}

TEST_F(GpuTelemetry, SeesTheGpuWork) {
  constexpr int kSweeps = 20'000;  // about a second
  for (int i = 0; i < kSweeps; ++i) device().evict_cache();
  device().synchronize();
  const Telemetry now = device().telemetry();
  if (!now.utilization_percent) GTEST_SKIP() << "a MIG part has no utilization";
  EXPECT_GE(*now.utilization_percent, 20.0);
}

// Whatever it finds, memory of our own changes nothing: it is ours by the list of processes.
TEST_F(GpuTelemetry, DoesNotTakeOurOwnMemoryForSomebodyElses) {
  const auto start = std::chrono::steady_clock::now();
  const auto before = device().telemetry().other_compute_processes;
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  fmt::print("other compute processes: before the context {}, now {}; read in {:.2f} ms\n",
             device().telemetry_before().other_compute_processes.value_or(-1), before.value_or(-1),
             time.count());
  const DeviceMemory memory = device().allocate(mib(1024));
  device().fill_words(memory.get(), 1, mib(1024));
  device().synchronize();
  EXPECT_EQ(device().telemetry().other_compute_processes, before);
}

TEST_F(GpuTelemetry, IsTheSameGpuFromOutside) {
  const auto inside = device().telemetry();
  const auto outside = outside_telemetry(device().facts());
  EXPECT_EQ(outside.memory_mhz, inside.memory_mhz);
  EXPECT_EQ(outside.other_compute_processes, inside.other_compute_processes);
}

TEST_F(GpuTelemetry, KnowsHowTheGpuIsSetUp) {
  const DeviceFacts& facts = device().facts();
  EXPECT_TRUE(facts.mig.has_value());
  EXPECT_TRUE(facts.persistence.has_value());
  EXPECT_GE(facts.max_sm_mhz.value_or(0.0), 500.0);
  EXPECT_GE(facts.power_limit_w.value_or(0.0), 20.0);
}

}  // namespace
}  // namespace fa2bench::test
