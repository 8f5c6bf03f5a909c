// SPDX-License-Identifier: MIT
// The data recipe: the value of any tensor element from (seed, tensor, index) alone, bit for bit
// the same on host and device. C++17: a .cu reaches this.
//
// Philox gives 32 random bits per element. The low half's popcount is binomial(16, 1/2); the high
// half spreads it over its step. n = 127 (popcount - 8) + spread has mean about 0 and standard
// deviation 127 sqrt(4 + 1/12) = 256.6, and |n| < 2048, so n / 256 is exact in f16: approximately
// N(0, 1), in [-4.22, 4.22], excess kurtosis -0.12.
#pragma once

#include <cstdint>

#include "base/portable.hpp"
#include "base/random.hpp"

namespace fa2bench {

/// Stream numbers of the tensors.
enum class Tensor : std::uint32_t { q = 1, k = 2, v = 3 };

inline constexpr const char* kDataRecipe = "philox4x32-7/binomial16-spread/v1";

/// f16 NaN that fills unused blocks, slots past seq_len and the guards round the inputs.
inline constexpr std::uint16_t kPoisonHalf = 0x7E01;

/// Integer n of the recipe, -1079 ... 1079, from 32 random bits.
FA2BENCH_HD inline int normal_units(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  const int ones = __popc(bits & 0xFFFFU);
#else
  const int ones = __builtin_popcount(bits & 0xFFFFU);
#endif
  return 127 * (ones - 8) + static_cast<int>(((bits >> 16U) * 127U) >> 16U) - 63;
}

/// f16 bits of n / 256, |n| < 2048; integer arithmetic only.
FA2BENCH_HD inline std::uint16_t half_of_units(int n) {
  const std::uint32_t sign = n < 0 ? 0x8000U : 0U;
  std::uint32_t magnitude = static_cast<std::uint32_t>(n < 0 ? -n : n);
  if (magnitude == 0) return 0;
#if defined(__CUDA_ARCH__)
  const int top = 31 - __clz(static_cast<int>(magnitude));
#else
  const int top = 31 - __builtin_clz(magnitude);
#endif
  // n / 256 = 1.m * 2^(top - 8): exponent field top - 8 + 15, mantissa shifted to ten bits.
  magnitude <<= static_cast<unsigned>(10 - top);
  return static_cast<std::uint16_t>(sign | (static_cast<std::uint32_t>(top + 7) << 10U) |
                                    (magnitude & 0x3FFU));
}

/// Four consecutive elements 4 * quad ... 4 * quad + 3 as f16 bits.
struct HalfQuad {
  std::uint16_t value[4];
};
FA2BENCH_HD inline HalfQuad half_quad(std::uint64_t seed, Tensor tensor, std::uint64_t quad) {
  const RandomBlock block = random_block(seed, static_cast<std::uint32_t>(tensor), quad);
  HalfQuad result{};
  for (int i = 0; i < 4; ++i) result.value[i] = half_of_units(normal_units(block.word[i]));
  return result;
}

// Index of an element: q is counted as stored, [token, head, dim]. k and v are counted by logical
// block (BlockTable::content), then as stored inside a block, [slot, kv head, dim].

}  // namespace fa2bench
