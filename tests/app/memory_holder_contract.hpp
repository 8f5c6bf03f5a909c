// SPDX-License-Identifier: MIT
// What the process that holds memory must do on every device. The tests are in
// memory_holder_contract.cpp; a test program compiles them and instantiates HeldMemory with the
// device it has.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>

namespace fa2bench::test {

struct HeldMemoryCase {
  const char* device;                     ///< the text of --device
  std::function<std::string()> obstacle;  ///< why there is no such device; "" if there is
};
inline std::ostream& operator<<(std::ostream& out, const HeldMemoryCase& of) {
  return out << of.device;
}

class HeldMemory : public testing::TestWithParam<HeldMemoryCase> {
 protected:
  void SetUp() override {
    const std::string obstacle = GetParam().obstacle();
    if (!obstacle.empty()) GTEST_SKIP() << obstacle;
  }
};

}  // namespace fa2bench::test
