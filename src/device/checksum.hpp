// SPDX-License-Identifier: MIT
// The term of Device::checksum, shared by host and device. C++17: a .cu reaches this.
#pragma once

#include <cstdint>

#include "base/portable.hpp"

namespace fa2bench {

/// A checksum is the sum of this over all 32-bit words; a sum, so that any order of threads gives
/// the same.
FA2BENCH_HD inline std::uint64_t checksum_term(std::uint32_t word, std::uint64_t index) {
  std::uint64_t x = (static_cast<std::uint64_t>(word) + 0x9E3779B97F4A7C15ULL * (index + 1));
  x = (x ^ (x >> 32U)) * 0xD6E8FEB86659FD93ULL;
  return x ^ (x >> 32U);
}

}  // namespace fa2bench
