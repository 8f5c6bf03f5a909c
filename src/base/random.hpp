// SPDX-License-Identifier: MIT
// Counter-based random numbers: element i of a tensor is a pure function of (seed, tensor, i), so
// that host, device and reference agree without copying. C++17: a .cu reaches this.
//
// Philox4x32 with 7 rounds, from Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy
// as 1, 2, 3" (SC 2011), which reports 7 rounds as enough for BigCrush.
#pragma once

#include <cstdint>

#include "base/portable.hpp"

namespace fa2bench {

/// Four random words: one Philox block.
struct RandomBlock {
  std::uint32_t word[4];
};

/// Block `index` of the stream (seed, stream).
FA2BENCH_HD inline RandomBlock random_block(std::uint64_t seed, std::uint32_t stream,
                                            std::uint64_t index) {
  std::uint32_t c0 = static_cast<std::uint32_t>(index);
  std::uint32_t c1 = static_cast<std::uint32_t>(index >> 32U);
  std::uint32_t c2 = stream;
  std::uint32_t c3 = 0;
  std::uint32_t k0 = static_cast<std::uint32_t>(seed);
  std::uint32_t k1 = static_cast<std::uint32_t>(seed >> 32U);
  for (int round = 0; round < 7; ++round) {
    const std::uint64_t p0 = 0xD2511F53ULL * c0;
    const std::uint64_t p1 = 0xCD9E8D57ULL * c2;
    c0 = static_cast<std::uint32_t>(p1 >> 32U) ^ c1 ^ k0;
    c2 = static_cast<std::uint32_t>(p0 >> 32U) ^ c3 ^ k1;
    c1 = static_cast<std::uint32_t>(p1);
    c3 = static_cast<std::uint32_t>(p0);
    k0 += 0x9E3779B9U;
    k1 += 0xBB67AE85U;
  }
  return {{c0, c1, c2, c3}};
}

/// A sequential view of one stream for host code that shuffles and draws; satisfies
/// UniformRandomBitGenerator, but use below() where the result must not depend on the library.
class CounterRng {
 public:
  using result_type = std::uint32_t;
  CounterRng(std::uint64_t seed, std::uint32_t stream) : seed_(seed), stream_(stream) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return 0xFFFFFFFFU; }

  result_type operator()() {
    if (used_ == 4) {
      block_ = random_block(seed_, stream_, next_++);
      used_ = 0;
    }
    return block_.word[used_++];
  }

  /// Uniform in [0, bound) for 1 <= bound <= 2^32; unbiased (Lemire's rejection, 2019).
  std::uint32_t below(std::uint64_t bound) {
    std::uint64_t product = static_cast<std::uint64_t>((*this)()) * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
      const auto threshold = static_cast<std::uint32_t>((0x100000000ULL - bound) % bound);
      while (static_cast<std::uint32_t>(product) < threshold) {
        product = static_cast<std::uint64_t>((*this)()) * bound;
      }
    }
    return static_cast<std::uint32_t>(product >> 32U);
  }

 private:
  std::uint64_t seed_;
  std::uint32_t stream_;
  std::uint64_t next_ = 0;
  RandomBlock block_{};
  unsigned used_ = 4;
};

}  // namespace fa2bench
