// SPDX-License-Identifier: MIT
// A device that does nothing, for fakes that have something to say of a few members only.
#pragma once

#include <vector>

#include "device/device.hpp"

namespace fa2bench::test {

class StubDevice : public Device {
 public:
  [[nodiscard]] const DeviceFacts& facts() const override { return facts_; }
  [[nodiscard]] Bytes free_memory() const override { return {}; }
  [[nodiscard]] void* stream() const override { return nullptr; }
  DeviceMemory allocate(Bytes) override { throw OutOfMemory("a fake has no memory"); }
  void upload(void*, const void*, Bytes) override {}
  void download(void*, const void*, Bytes) override {}
  void fill_words(void*, std::uint32_t, Bytes) override {}
  void fill_normal(void*, std::uint64_t, std::uint64_t, Tensor) override {}
  void fill_pool(const PoolFill&) override {}
  std::uint64_t find_other_word(const void*, std::uint32_t, Bytes) override { return kNowhere; }
  OutputScan scan_output(const void*, std::uint64_t, ElementType, std::uint32_t,
                         const TokenMarks&) override {
    return {};
  }
  std::uint64_t checksum(const std::vector<Region>&) override { return 0; }
  void synchronize() override {}
  Ceilings measure_ceilings() override { return {}; }

 protected:
  DeviceFacts facts_;
};

}  // namespace fa2bench::test
