// SPDX-License-Identifier: MIT
#include <chrono>

#include "delay.hpp"

namespace fa2bench::slow {

std::string delay(double us, void* /*stream*/) {
  using Clock = std::chrono::steady_clock;
  const auto time = std::chrono::duration<double, std::micro>(us);
  const Clock::time_point start = Clock::now();
  while (Clock::now() - start < time) {
  }
  return "";
}

}  // namespace fa2bench::slow
