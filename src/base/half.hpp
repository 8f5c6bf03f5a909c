// SPDX-License-Identifier: MIT
// IEEE binary16 as bits, with exact conversions on the host (C++17: a .cu reaches this).
#pragma once

#include <cstdint>
#include <cstring>

namespace fa2bench {

/// The value of an f16 bit pattern; exact.
inline float half_to_float(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16U;
  const std::uint32_t exponent = (bits >> 10U) & 0x1FU;
  const std::uint32_t mantissa = bits & 0x3FFU;
  std::uint32_t word = 0;
  if (exponent == 0x1FU) {
    word = sign | 0x7F800000U | (mantissa << 13U);
  } else if (exponent != 0) {
    word = sign | ((exponent + 112U) << 23U) | (mantissa << 13U);
  } else {
    // Zero or subnormal: mantissa * 2^-24, exact in f32.
    const float magnitude = static_cast<float>(mantissa) * 5.9604644775390625e-8F;
    std::memcpy(&word, &magnitude, sizeof word);
    word |= sign;
  }
  float value = 0;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

/// Nearest f16, ties to even; overflow gives infinity, NaN stays NaN.
inline std::uint16_t float_to_half(float value) {
  std::uint32_t word = 0;
  std::memcpy(&word, &value, sizeof word);
  const auto sign = static_cast<std::uint16_t>((word >> 16U) & 0x8000U);
  const std::uint32_t magnitude = word & 0x7FFFFFFFU;
  if (magnitude > 0x7F800000U) return static_cast<std::uint16_t>(sign | 0x7E00U);
  if (magnitude >= 0x477FF000U) return static_cast<std::uint16_t>(sign | 0x7C00U);
  std::uint32_t result = 0;
  if (magnitude < 0x38800000U) {
    // Subnormal result: adding 0.5 leaves the mantissa rounded to multiples of 2^-24.
    float shifted = 0;
    std::memcpy(&shifted, &magnitude, sizeof shifted);
    shifted += 0.5F;
    std::memcpy(&result, &shifted, sizeof result);
    result -= 0x3F000000U;
  } else {
    const std::uint32_t odd = (magnitude >> 13U) & 1U;
    result = (magnitude - 0x38000000U + 0xFFFU + odd) >> 13U;
  }
  return static_cast<std::uint16_t>(sign | result);
}

}  // namespace fa2bench
