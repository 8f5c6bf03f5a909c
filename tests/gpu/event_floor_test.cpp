// SPDX-License-Identifier: MIT
// What an event pair tells on a GPU: the floor, and kernels of known length above it.
#include "measure/event_floor.hpp"

#include <algorithm>
#include <optional>

#include "gpu/gpu_test.hpp"
#include "stats/summary.hpp"

namespace fa2bench {
namespace {

class EventFloor : public test::GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    if (!device().has_gate()) GTEST_SKIP() << "the driver has no cuStreamWaitValue32";
  }
};

TEST_F(EventFloor, OfANullKernelIsLow) {
  const double floor = measure_event_floor(device(), true).count();
  EXPECT_GT(floor, 0.5);
  EXPECT_LE(floor, 3.5);
}

TEST_F(EventFloor, IsAllThatAKernelOfKnownLengthReadsTooMuch) {
  const double floor = measure_event_floor(device(), true).count();
  for (const double us : {5.0, 20.0, 100.0, 1000.0}) {
    std::vector<double> times = times_of(
        device(), [&] { device().enqueue_spin(Microseconds(us)); }, true, 30);
    std::sort(times.begin(), times.end());
    EXPECT_NEAR(quantile(times, 0.5) - floor, us, std::max(0.01 * us, 0.5)) << floor;
  }
}

TEST_F(EventFloor, IsLongerThanALaunchInAChain) {
  const double floor = measure_event_floor(device(), true).count();
  const std::optional<Microseconds> launch = device().measure_launch();
  ASSERT_TRUE(launch);
  EXPECT_GT(launch->count(), 0.3);
  EXPECT_LT(launch->count(), floor);
  // Of one process: classes of processes are 0.1 µs apart.
  EXPECT_NEAR(device().measure_launch()->count(), launch->count(), 0.03);
}

}  // namespace
}  // namespace fa2bench
