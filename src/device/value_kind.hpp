// SPDX-License-Identifier: MIT
// What an element of an output holds, by its bits. C++17: a .cu reaches this.
#pragma once

#include <cstdint>

#include "base/portable.hpp"

namespace fa2bench {

enum class ValueKind {
  canary,  ///< what the output was filled with before the call
  zero,    ///< of either sign
  nan,     ///< any but the canary
  positive_infinity,
  negative_infinity,
  other,  ///< a finite number
};
inline constexpr int kValueKinds = 6;

/// All exponent bits of f16 and f32: set in NaN and infinity.
FA2BENCH_HD constexpr std::uint16_t exponent_bits(std::uint16_t /*of*/) { return 0x7C00; }
FA2BENCH_HD constexpr std::uint32_t exponent_bits(std::uint32_t /*of*/) { return 0x7F800000U; }

/// `Bits` is std::uint16_t for f16, std::uint32_t for f32.
template <typename Bits>
FA2BENCH_HD constexpr bool is_non_finite(Bits value) {
  return (value & exponent_bits(value)) == exponent_bits(value);
}

template <typename Bits>
FA2BENCH_HD constexpr ValueKind value_kind(Bits value, Bits canary) {
  constexpr unsigned kSignShift = sizeof(Bits) * 8 - 1;
  const auto magnitude = static_cast<Bits>(value & ~(Bits{1} << kSignShift));
  if (value == canary) return ValueKind::canary;
  if (magnitude == 0) return ValueKind::zero;
  if (!is_non_finite(value)) return ValueKind::other;
  if (magnitude != exponent_bits(value)) return ValueKind::nan;
  return value >> kSignShift == 0 ? ValueKind::positive_infinity : ValueKind::negative_infinity;
}

/// Query tokens whose elements a scan counts apart: element i of an output is of token
/// i / token_elements % tokens.
struct TokenMarks {
  const std::uint8_t* marks = nullptr;  ///< device memory, [tokens]: 1 for those, else 0; or null
  std::uint64_t tokens = 1;
  /// Neighbours of one token: num_heads * head_dim in out, 1 in lse.
  std::uint64_t token_elements = 1;
};

}  // namespace fa2bench
