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
  EXPECT_EQ(measure_event_floor(device, device.has_gate()).count(), 15.5);
  EXPECT_EQ(gated_, 30);
  EXPECT_EQ(ungated_, 1);
}

TEST_F(EventFloor, IsMeasuredWithoutAGateWhereThereIsNone) {
  EXPECT_EQ(measure_event_floor(device, device.has_gate()).count(), 15.5);
  EXPECT_EQ(gated_, 0);
  EXPECT_EQ(ungated_, 31);
}

TEST_F(EventFloor, IsMeasuredWithoutTheGateWhereThatLetsACallGo) {
  give_gate();
  blocks = [](std::size_t kernel) { return kernel > 3; };
  EXPECT_GT(measure_event_floor(device, device.has_gate()).count(), 4.0);
  EXPECT_EQ(ungated_, 32);  // a first one both times, and thirty
}

TEST_F(EventFloor, IsMeasuredWithoutTheGateForCallsThatAreNotGated) {
  give_gate();
  (void)measure_event_floor(device, false);
  EXPECT_EQ(gated_, 0);
}

}  // namespace
}  // namespace fa2bench
