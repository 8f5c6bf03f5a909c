// SPDX-License-Identifier: MIT
#include "measure/event_floor.hpp"

#include <gtest/gtest.h>

#include "measure/fake_device.hpp"

namespace fa2bench {
namespace {

class EventFloor : public testing::Test {
 protected:
  EventFloor() {
    device.null_time = [this](std::size_t kernel, bool gated) {
      (gated ? gated_ : ungated_) += 1;
      return CallTime{Microseconds(static_cast<double>(kernel)), {}, 0, gated && blocks(kernel)};
    };
  }
  void give_gate() {
    device.give_gate([](std::size_t) { return false; });
  }

  test::FakeDevice device{[](std::size_t) { return 1e9; }};
  std::function<bool(std::size_t kernel)> blocks = [](std::size_t) { return false; };
  int gated_ = 0;
  int ungated_ = 0;
};

TEST_F(EventFloor, IsTheMedianOfThirtyGatedNullKernelsAfterAnotherOne) {
  give_gate();
  EXPECT_EQ(measure_event_floor(device).count(), 15.5);
  EXPECT_EQ(gated_, 30);
  EXPECT_EQ(ungated_, 1);
}

TEST_F(EventFloor, IsMeasuredWithoutAGateWhereThereIsNone) {
  EXPECT_EQ(measure_event_floor(device).count(), 15.5);
  EXPECT_EQ(gated_, 0);
  EXPECT_EQ(ungated_, 31);
}

TEST_F(EventFloor, LeavesOutCallsThatTheGateLetGo) {
  give_gate();
  blocks = [](std::size_t kernel) { return kernel > 3; };
  EXPECT_EQ(measure_event_floor(device).count(), 2.0);
}

TEST_F(EventFloor, IsNotMadeUpWhereTheGateHoldsNothing) {
  give_gate();
  blocks = [](std::size_t) { return true; };
  EXPECT_THROW((void)measure_event_floor(device), DeviceError);
}

}  // namespace
}  // namespace fa2bench
