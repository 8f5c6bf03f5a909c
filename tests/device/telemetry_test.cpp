// SPDX-License-Identifier: MIT
#include "device/telemetry.hpp"

#include <gtest/gtest.h>

namespace fa2bench {
namespace {

Telemetry with_reasons(std::vector<std::string> reasons) {
  Telemetry telemetry;
  telemetry.throttle_reasons = std::move(reasons);
  return telemetry;
}

TEST(IsThrottled, HoldsForReasonsOfPowerAndHeat) {
  for (const char* reason :
       {"sw_power_cap", "hw_slowdown", "sw_thermal", "hw_thermal", "hw_power_brake"}) {
    EXPECT_TRUE(is_throttled(with_reasons({"gpu_idle", reason}))) << reason;
  }
}

TEST(IsThrottled, DoesNotHoldForClocksThatSomebodyChose) {
  EXPECT_FALSE(is_throttled(
      with_reasons({"gpu_idle", "applications_clocks", "sync_boost", "display_clock", "bit_9"})));
  EXPECT_FALSE(is_throttled(with_reasons({})));
}

TEST(IsThrottled, DoesNotHoldWhereNothingIsKnown) { EXPECT_FALSE(is_throttled({})); }

TEST(BusyLoad, IsAHalfOrATwentiethOfTheCpus) {
  EXPECT_EQ(busy_load(2), 0.5);
  EXPECT_EQ(busy_load(192), 9.6);
}

}  // namespace
}  // namespace fa2bench
