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

}  // namespace
}  // namespace fa2bench::test
