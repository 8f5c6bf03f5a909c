// SPDX-License-Identifier: MIT
// Pools of the host, which opens a handle in the process that made it too.
#include "device/shared_pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/device_contract.hpp"
#include "device/host/host_device.hpp"

namespace fa2bench::test {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kTag = 0xFEDCBA9876543210ULL;

class SharedPools : public testing::Test {
 protected:
  /// Why it cannot be opened; "" if it can.
  std::string obstacle(const SharedPool& pool) {
    try {
      (void)OpenedPool(*other, pool);
    } catch (const DeviceError& error) {
      EXPECT_FALSE(error.lost());
      return error.what();
    }
    return "";
  }

  std::unique_ptr<Device> owner = make_host_device();
  std::unique_ptr<Device> other = make_host_device();
};

TEST_F(SharedPools, PutTheArraysOfALayerOnPagesOfTheirOwn) {
  EXPECT_EQ(size_of_layer({}), Bytes{});
  EXPECT_EQ(size_of_layer({mib(2), Bytes{1}, mib(4) + Bytes{1}}), mib(2 + 2 + 6));
  const OwnedPool owned = share_pool(*owner, mib(10), 1, kTag);
  const OpenedPool opened(*other, owned.pool);
  const MemorySource source = opened.layer(0);
  const DeviceMemory a = source(mib(2));
  const DeviceMemory b = source({1});
  const DeviceMemory c = source(mib(4) + Bytes{1});
  EXPECT_EQ(at_byte(a.get(), 2 << 20), b.get());
  EXPECT_EQ(at_byte(b.get(), 2 << 20), c.get());
  EXPECT_THROW((void)source({1}), OutOfMemory);
}

TEST_F(SharedPools, AreTheSameMemoryInBothProcesses) {
  const OwnedPool owned = share_pool(*owner, mib(4), 2, kTag);
  const OpenedPool opened(*other, owned.pool);
  ASSERT_EQ(opened.layers(), 2U);
  EXPECT_EQ(opened.layer_size(), mib(4));
  for (std::uint32_t i = 0; i < 2; ++i) {
    const DeviceMemory memory = opened.layer(i)(mib(4));
    other->fill_words(memory.get(), i + 1, mib(4));
  }
  for (std::uint32_t i = 0; i < 2; ++i) {
    EXPECT_EQ(owner->find_other_word(owned.layers[i].memory.get(), i + 1, mib(4)), kNowhere);
  }
  EXPECT_EQ(obstacle(owned.pool), "");  // the tag is not where the arrays are
}

TEST_F(SharedPools, AreOpenAsLongAsAnArrayIs) {
  const OwnedPool owned = share_pool(*owner, mib(4), 1, kTag);
  auto opened = std::make_unique<OpenedPool>(*other, owned.pool);
  const DeviceMemory memory = opened->layer(0)(mib(4));
  opened.reset();
  other->fill_words(memory.get(), 7, mib(4));
  EXPECT_EQ(owner->find_other_word(owned.layers[0].memory.get(), 7, mib(4)), kNowhere);
}

TEST_F(SharedPools, AreRefusedWhereTheTagIsAnother) {
  const OwnedPool owned = share_pool(*owner, mib(2), 2, kTag);
  SharedPool strange = owned.pool;
  ++strange.tag;
  EXPECT_THAT(obstacle(strange), HasSubstr("fedcba9876543210 instead of fedcba9876543211"));
  // Also that of the last layer is read.
  owner->fill_words(at_byte(owned.layers[1].memory.get(), 2 << 20), 0, {8});
  EXPECT_THAT(obstacle(owned.pool), HasSubstr("0000000000000000 instead of fedcba9876543210"));
}

TEST_F(SharedPools, AreRefusedOnceTheirOwnerIsGone) {
  SharedPool pool;
  {
    const OwnedPool owned = share_pool(*owner, mib(2), 1, kTag);
    pool = owned.pool;
  }
  EXPECT_THAT(obstacle(pool), HasSubstr("shared memory /proc/"));
}

}  // namespace
}  // namespace fa2bench::test
