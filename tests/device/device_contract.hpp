// SPDX-License-Identifier: MIT
// What every Device must do. The tests are in *_contract.cpp; a test program compiles them and
// instantiates DeviceContract with the device it has.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "device/device.hpp"

namespace fa2bench::test {

struct DeviceCase {
  std::string name;
  std::function<std::string()> obstacle;  ///< why it cannot be opened here; "" if it can
  std::function<std::unique_ptr<Device>()> open;

  friend void PrintTo(const DeviceCase& device, std::ostream* stream) { *stream << device.name; }
};

/// A device of its own for each test; skipped, with the reason, where there is none.
class DeviceContract : public testing::TestWithParam<DeviceCase> {
 protected:
  void SetUp() override {
    const std::string obstacle = GetParam().obstacle();
    if (!obstacle.empty()) GTEST_SKIP() << obstacle;
    device_ = GetParam().open();
  }

  [[nodiscard]] Device& device() const { return *device_; }

 private:
  std::unique_ptr<Device> device_;
};

template <typename T>
[[nodiscard]] DeviceMemory to_device(Device& device, const std::vector<T>& from) {
  DeviceMemory memory = device.allocate({from.size() * sizeof(T)});
  device.upload(memory.get(), from.data(), {from.size() * sizeof(T)});
  return memory;
}

template <typename T>
[[nodiscard]] std::vector<T> to_host(Device& device, const void* from, std::size_t count) {
  std::vector<T> values(count);
  device.download(values.data(), from, {count * sizeof(T)});
  return values;
}

/// For a place inside device memory.
inline void* at_byte(void* memory, std::int64_t offset) {
  return static_cast<std::byte*>(memory) + offset;
}

}  // namespace fa2bench::test
