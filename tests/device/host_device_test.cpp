// SPDX-License-Identifier: MIT
#include "device/host/host_device.hpp"

#include <gtest/gtest.h>

#include "device/device_contract.hpp"

namespace fa2bench::test {
namespace {

INSTANTIATE_TEST_SUITE_P(Host, DeviceContract,
                         testing::Values(DeviceCase{"host", [] { return std::string(); },
                                                    [] { return make_host_device(); }}));

TEST(HostDevice, IsAHostWithTheSteadyClock) {
  const std::unique_ptr<Device> device = make_host_device();
  EXPECT_EQ(device->facts().kind, DeviceKind::host);
  EXPECT_TRUE(device->facts().uuid.empty());
  const CallTime time = device->time_call([] { return 0; });
  EXPECT_EQ(time.device, time.host);
}

TEST(HostDevice, SharesMemoryUntilItsOwnerLetsItGo) {
  const std::unique_ptr<Device> device = make_host_device();
  const std::unique_ptr<Device> other = make_host_device();
  SharedMemory shared = device->allocate_shared(mib(4));
  const DeviceMemory opened = other->open_shared(shared.handle);
  ASSERT_NE(opened.get(), shared.memory.get());
  device->fill_words(shared.memory.get(), 5, mib(4));
  EXPECT_EQ(other->find_other_word(opened.get(), 5, mib(4)), kNowhere);
  other->fill_words(opened.get(), 6, mib(4));
  EXPECT_EQ(device->find_other_word(shared.memory.get(), 6, mib(4)), kNowhere);
  shared.memory.reset();
  EXPECT_THROW((void)other->open_shared(shared.handle), DeviceError);
  EXPECT_EQ(other->find_other_word(opened.get(), 6, mib(4)), kNowhere);  // still mapped
}

}  // namespace
}  // namespace fa2bench::test
