// SPDX-License-Identifier: MIT
// f16 conversions against arithmetic in double, which holds every f16 and every f32 exactly.
#include "base/half.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.hpp"

namespace fa2bench {
namespace {

/// The value of a bit pattern by the definition of binary16.
double value_of(std::uint16_t bits) {
  const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
  const int exponent = (bits >> 10U) & 0x1F;
  const int mantissa = bits & 0x3FF;
  if (exponent == 31) return mantissa != 0 ? std::nan("") : sign * HUGE_VAL;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(1024 + mantissa, exponent - 25);
}

/// `value` rounded to the nearest f16, ties to even, in double.
double rounded(double value) {
  if (!std::isfinite(value) || value == 0.0) return value;
  const int exponent = std::max(std::ilogb(value), -14);
  const double quantum = std::ldexp(1.0, exponent - 10);
  const double nearest = std::nearbyint(value / quantum) * quantum;
  return std::fabs(nearest) >= 65536.0 ? std::copysign(HUGE_VAL, value) : nearest;
}

void expect_rounds(float value) {
  const std::uint16_t bits = float_to_half(value);
  if (std::isnan(value)) {
    EXPECT_TRUE(std::isnan(value_of(bits)));
    return;
  }
  EXPECT_EQ(value_of(bits), rounded(value)) << value;
  EXPECT_EQ((bits & 0x8000U) != 0, std::signbit(value)) << value;
}

TEST(Half, EveryBitPatternHasItsValueAndComesBack) {
  for (std::uint32_t i = 0; i <= 0xFFFFU; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);
    const float value = half_to_float(bits);
    if (std::isnan(value_of(bits))) {
      ASSERT_TRUE(std::isnan(value)) << i;
      ASSERT_TRUE(std::isnan(half_to_float(float_to_half(value)))) << i;
      continue;
    }
    ASSERT_EQ(static_cast<double>(value), value_of(bits)) << i;
    ASSERT_EQ(std::signbit(value), (bits & 0x8000U) != 0) << i;
    ASSERT_EQ(float_to_half(value), bits) << i;
  }
}

TEST(Half, TiesAndTheirNeighboursRoundToEven) {
  for (std::uint32_t i = 0; i < 0x7BFFU; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);
    const auto middle =
        static_cast<float>((value_of(bits) + value_of(static_cast<std::uint16_t>(i + 1))) / 2.0);
    for (const float value : {std::nextafter(middle, 0.0F), middle, std::nextafter(middle, 1e9F)}) {
      ASSERT_NO_FATAL_FAILURE(expect_rounds(value));
      ASSERT_NO_FATAL_FAILURE(expect_rounds(-value));
    }
    const auto even = static_cast<std::uint16_t>((i & 1U) == 0 ? i : i + 1);
    ASSERT_EQ(float_to_half(middle), even) << i;
  }
}

TEST(Half, OverflowGivesInfinityFromTheTieOn) {
  EXPECT_EQ(float_to_half(65504.0F), 0x7BFF);
  EXPECT_EQ(float_to_half(std::nextafter(65520.0F, 0.0F)), 0x7BFF);
  EXPECT_EQ(float_to_half(65520.0F), 0x7C00);
  EXPECT_EQ(float_to_half(-65520.0F), 0xFC00);
  EXPECT_EQ(float_to_half(std::numeric_limits<float>::max()), 0x7C00);
  EXPECT_EQ(float_to_half(std::numeric_limits<float>::infinity()), 0x7C00);
}

TEST(Half, UnderflowKeepsTheSign) {
  EXPECT_EQ(float_to_half(std::ldexp(1.0F, -25)), 0x0000);  // a tie with zero
  EXPECT_EQ(float_to_half(std::nextafter(std::ldexp(1.0F, -25), 1.0F)), 0x0001);
  EXPECT_EQ(float_to_half(std::numeric_limits<float>::denorm_min()), 0x0000);
  EXPECT_EQ(float_to_half(-std::numeric_limits<float>::denorm_min()), 0x8000);
  EXPECT_EQ(float_to_half(-0.0F), 0x8000);
}

TEST(Half, NanStaysNanWithItsSign) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(float_to_half(nan), 0x7E00);
  EXPECT_EQ(float_to_half(std::copysign(nan, -1.0F)), 0xFE00);
}

TEST(Half, RandomFloatsRoundAsInDoublePrecision) {
  for (std::uint64_t i = 0; i < 250000; ++i) {
    for (const std::uint32_t word : random_block(1, 0, i).word) {
      float any = 0.0F;  // any bit pattern, mostly outside the range of f16
      std::memcpy(&any, &word, sizeof any);
      ASSERT_NO_FATAL_FAILURE(expect_rounds(any));
      const std::uint32_t near_word = (word & 0x81FFFFFFU) | 0x38000000U;
      float near = 0.0F;  // within 2^-15 … 1
      std::memcpy(&near, &near_word, sizeof near);
      ASSERT_NO_FATAL_FAILURE(expect_rounds(near));
    }
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace fa2bench
