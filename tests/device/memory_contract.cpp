// SPDX-License-Identifier: MIT
// Memory, order and time of every Device.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>

#include "device/device_contract.hpp"

namespace fa2bench::test {
namespace {

TEST_P(DeviceContract, BringsBackWhatWasUploaded) {
  for (const std::size_t size : {1U, 2U, 3U, 4U, 5U, 255U, 257U, 4097U, 1000003U}) {
    std::vector<std::uint8_t> sent(size);
    std::iota(sent.begin(), sent.end(), std::uint8_t{7});
    const DeviceMemory memory = to_device(device(), sent);
    EXPECT_EQ(to_host<std::uint8_t>(device(), memory.get(), size), sent) << size;
  }
}

TEST_P(DeviceContract, MovesPartsAtOddOffsets) {
  const DeviceMemory memory = to_device(device(), std::vector<std::uint8_t>(64, 9));
  const std::vector<std::uint8_t> part{1, 2, 3};
  device().upload(at_byte(memory.get(), 13), part.data(), {part.size()});
  EXPECT_EQ(to_host<std::uint8_t>(device(), at_byte(memory.get(), 12), 5),
            (std::vector<std::uint8_t>{9, 1, 2, 3, 9}));
}

TEST_P(DeviceContract, TakesTransfersOfNothing) {
  const DeviceMemory memory = to_device(device(), std::vector<std::uint32_t>{5});
  device().upload(memory.get(), nullptr, {0});
  device().download(nullptr, memory.get(), {0});
  EXPECT_EQ(to_host<std::uint32_t>(device(), memory.get(), 1).front(), 5U);
}

TEST_P(DeviceContract, AlignsAllocationsTo256Bytes) {
  std::vector<DeviceMemory> held;
  for (const std::uint64_t size : {0U, 1U, 3U, 100U, 4096U, 70001U}) {
    held.push_back(device().allocate({size}));
    ASSERT_NE(held.back().get(), nullptr) << size;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(held.back().get()) % 256, 0U) << size;
  }
}

TEST_P(DeviceContract, RefusesAnAbsurdAllocationAndGoesOn) {
  EXPECT_THROW((void)device().allocate({1ULL << 50U}), OutOfMemory);
  try {
    (void)device().allocate({1ULL << 50U});
  } catch (const OutOfMemory& error) {
    EXPECT_NE(std::string(error.what()).find("refused"), std::string::npos) << error.what();
  }
  device().synchronize();
  const std::vector<std::uint32_t> sent{1, 2, 3};
  EXPECT_EQ(to_host<std::uint32_t>(device(), to_device(device(), sent).get(), 3), sent);
}

TEST_P(DeviceContract, HasLessFreeMemoryAfterAnAllocation) {
  if (device().facts().kind == DeviceKind::host) {
    GTEST_SKIP() << "host memory is taken page by page, when it is written";
  }
  const Bytes size = mib(1024);
  const Bytes before = device().free_memory();
  const DeviceMemory memory = device().allocate(size);
  EXPECT_LE(device().free_memory() + size, before);
}

TEST_P(DeviceContract, SaysWhatItIs) {
  const DeviceFacts& facts = device().facts();
  EXPECT_FALSE(facts.name.empty());
  EXPECT_GT(facts.processors, 0);
  EXPECT_GT(facts.l2, kib(64));
  EXPECT_GT(facts.memory, mib(64));
  EXPECT_GT(device().free_memory(), mib(1));
  EXPECT_EQ(device().stream() == nullptr, facts.kind == DeviceKind::host);
}

TEST_P(DeviceContract, GivesTheCodeAndTheTimesOfACall) {
  int calls = 0;
  const CallTime good = device().time_call([&] {
    ++calls;
    return 0;
  });
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(good.code, 0);
  EXPECT_GE(good.device.count(), 0.0);
  EXPECT_GE(good.host.count(), 0.0);
  EXPECT_EQ(device().time_call([] { return 3; }).code, 3);
  EXPECT_EQ(device().time_call([] { return -7; }).code, -7);
}

TEST_P(DeviceContract, TimesTheWorkThatACallEnqueued) {
  const Bytes size = mib(256);
  const DeviceMemory memory = device().allocate(size);
  device().fill_words(memory.get(), 1, size);
  device().synchronize();
  const CallTime time = device().time_call([&] {
    device().fill_words(memory.get(), 2, size);
    return 0;
  });
  // 256 MiB cannot be written in 10 µs by anything that exists.
  EXPECT_GT(time.device.count(), 10.0);
  EXPECT_EQ(device().find_other_word(memory.get(), 2, size), kNowhere);
}

// An empty call takes no longer after the cache was emptied: the sweep, which takes as long as
// memory needs for twice the cache, is not in its time. The shortest of several, as others may use
// the machine too.
TEST_P(DeviceContract, KeepsTheCacheSweepOutOfTheTimeOfACall) {
  constexpr int kTries = 12;
  const std::function<int()> nothing = [] { return 0; };
  const auto shortest = [](const std::function<Microseconds()>& time) {
    Microseconds least = time();
    for (int i = 1; i < kTries; ++i) least = std::min(least, time());
    return least;
  };
  device().evict_cache();
  device().synchronize();  // the first one allocates
  const Microseconds sweep = shortest([&] {
    return device()
        .time_call([&] {
          device().evict_cache();
          return 0;
        })
        .device;
  });
  for (const bool gated : {false, true}) {
    const auto timed = [&] {
      return (gated ? device().time_gated_call(nothing) : device().time_call(nothing)).device;
    };
    const Microseconds warm = shortest(timed);
    const Microseconds cold = shortest([&] {
      device().evict_cache();
      return timed();
    });
    EXPECT_LT(cold, warm + sweep / 4.0) << "gated: " << gated;
  }
}

TEST_P(DeviceContract, EvictingTheCacheLeavesMemoryAsItWas) {
  const std::vector<std::uint32_t> sent{1, 2, 3, 4};
  const DeviceMemory memory = to_device(device(), sent);
  for (int i = 0; i < 3; ++i) device().evict_cache();
  device().synchronize();
  EXPECT_EQ(to_host<std::uint32_t>(device(), memory.get(), 4), sent);
}

}  // namespace
}  // namespace fa2bench::test
