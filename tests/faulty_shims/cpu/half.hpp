// SPDX-License-Identifier: MIT
// IEEE binary16 to float and back, rounding to nearest even.
#pragma once

#include <cstdint>
#include <cstring>

namespace fa2bench::faulty {

inline std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline float float_of(std::uint32_t bits) {
  float value = 0.0F;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline float to_float(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16U;
  const std::uint32_t exponent = (half >> 10U) & 0x1FU;
  const std::uint32_t fraction = half & 0x3FFU;
  if (exponent == 0) {
    return float_of(sign | bits_of(static_cast<float>(fraction) * 0x1p-24F));
  }
  if (exponent == 31) return float_of(sign | 0x7F800000U | (fraction << 13U));
  return float_of(sign | ((exponent + 112U) << 23U) | (fraction << 13U));
}

inline std::uint16_t to_half(float value) {
  const std::uint32_t bits = bits_of(value);
  const std::uint32_t sign = (bits >> 16U) & 0x8000U;
  std::uint32_t size = bits & 0x7FFFFFFFU;
  if (size > 0x7F800000U) {
    size = 0x7E00U;  // NaN
  } else if (size >= 0x477FF000U) {
    size = 0x7C00U;  // 65520 and more round to infinity
  } else if (size < 0x38800000U) {
    // Below 2^-14. One half of a float has steps of 2^-24, as have the subnormals of binary16, so
    // that the addition rounds.
    size = bits_of(float_of(size) + 0.5F) - bits_of(0.5F);
  } else {
    size = (size + 0xFFFU + ((size >> 13U) & 1U) - (112U << 23U)) >> 13U;
  }
  return static_cast<std::uint16_t>(sign | size);
}

inline float rounded_to_half(float value) { return to_float(to_half(value)); }

}  // namespace fa2bench::faulty
