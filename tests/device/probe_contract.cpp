// SPDX-License-Identifier: MIT
// Work of known length, walks and shared memory of every Device.
#include <algorithm>
#include <numeric>

#include "device/device_contract.hpp"

namespace fa2bench::test {
namespace {

/// The shortest of several, as others may use the machine too; gated where that can be.
double shortest_us(Device& device, const std::function<void()>& enqueue) {
  constexpr int kTries = 10;
  enqueue();
  device.synchronize();
  double shortest = 1e9;
  for (int i = 0; i < kTries; ++i) {
    const CallTime time = device.time_gated_call([&] {
      enqueue();
      return 0;
    });
    shortest = std::min(shortest, time.device.count());
  }
  return shortest;
}

TEST_P(DeviceContract, SpinsForTheTimeAskedFor) {
  const double floor = shortest_us(device(), [&] { device().enqueue_nothing(); });
  for (const double us : {5.0, 100.0, 1000.0}) {
    const double spin = shortest_us(device(), [&] { device().enqueue_spin(Microseconds(us)); });
    EXPECT_NEAR(spin - floor, us, std::max(0.01 * us, 0.5)) << floor;
  }
}

TEST_P(DeviceContract, WalksLongerAlongMoreLines) {
  const auto walk_us = [&](std::uint32_t lines) {
    std::vector<std::uint32_t> words(std::size_t{lines} * kLineWords);
    for (std::uint32_t i = 0; i < lines; ++i) words[std::size_t{i} * kLineWords] = (i + 7) % lines;
    const DeviceMemory memory = to_device(device(), words);
    const LineWalk walk{static_cast<const std::uint32_t*>(memory.get()), 1, lines};
    return shortest_us(device(), [&] { device().enqueue_walk(walk); });
  };
  // Lines that wait for each other: 64 times as many cannot take only 8 times as long.
  EXPECT_GT(walk_us(65536), 8.0 * walk_us(1024));
}

// A buffer that fits any cache, as the last walk left it and after the cache was emptied.
TEST_P(DeviceContract, WalksFasterThroughLinesInTheCache) {
  constexpr std::uint32_t kLines = 2048;
  std::vector<std::uint32_t> words(std::size_t{kLines} * kLineWords);
  for (std::uint32_t i = 0; i < kLines; ++i) {
    words[std::size_t{i} * kLineWords] = (i + 1021) % kLines;
  }
  const DeviceMemory memory = to_device(device(), words);
  const LineWalk walk{static_cast<const std::uint32_t*>(memory.get()), 1, kLines};
  const auto walk_us = [&](bool emptied) {
    double shortest = 1e9;
    for (int i = 0; i < 10; ++i) {
      if (emptied) device().evict_cache();
      const CallTime time = device().time_call([&] {
        device().enqueue_walk(walk);
        return 0;
      });
      shortest = std::min(shortest, time.device.count());
    }
    return shortest;
  };
  const double warm = walk_us(false);
  EXPECT_LT(warm, 0.8 * walk_us(true));
}

TEST_P(DeviceContract, UsesMemoryThatCanBeSharedLikeAnyOther) {
  const std::vector<std::uint32_t> sent{1, 2, 3};
  const SharedMemory shared = device().allocate_shared({12});
  EXPECT_FALSE(shared.handle.empty());
  device().upload(shared.memory.get(), sent.data(), {12});
  EXPECT_EQ(to_host<std::uint32_t>(device(), shared.memory.get(), 3), sent);
}

TEST_P(DeviceContract, RefusesWhatIsNoHandle) {
  for (const char* handle : {"", "nonsense", "/proc/1/nothing", "/etc/passwd"}) {
    try {
      (void)device().open_shared(handle);
      ADD_FAILURE() << handle;
    } catch (const DeviceError& error) {
      EXPECT_FALSE(error.lost()) << handle;
    }
  }
}

}  // namespace
}  // namespace fa2bench::test
