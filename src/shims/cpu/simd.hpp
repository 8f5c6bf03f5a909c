// SPDX-License-Identifier: MIT
// The few vector operations that the kernel needs, for the instruction set this file is compiled
// for. Everything lives in a namespace of that name, so that the linker cannot mix the versions up;
// for the same reason no function of the standard library is used that could be emitted out of
// line.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
#define FA2BENCH_ISA avx512
#define FA2BENCH_LANES 16
#elif defined(__AVX2__)
#define FA2BENCH_ISA avx2
#define FA2BENCH_LANES 8
#else
#define FA2BENCH_ISA portable
#define FA2BENCH_LANES 4
#endif

// Small loops over registers must be unrolled in full, or the registers become memory.
#if defined(__clang__)
#define FA2BENCH_UNROLL _Pragma("unroll")
#else
#define FA2BENCH_UNROLL _Pragma("GCC unroll 16")
#endif

namespace fa2bench::shims::cpu::FA2BENCH_ISA {

inline constexpr std::size_t kLanes = FA2BENCH_LANES;

using Floats = float __attribute__((vector_size(FA2BENCH_LANES * 4)));
using Ints = std::int32_t __attribute__((vector_size(FA2BENCH_LANES * 4)));

inline Floats load(const float* from) {
  Floats value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}

inline void store(float* to, Floats value) { __builtin_memcpy(to, &value, sizeof value); }

inline Ints bits_of(Floats value) {
  Ints bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline Floats floats_of(Ints bits) {
  Floats value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

#if defined(__AVX512F__)

inline Floats splat(float value) { return _mm512_set1_ps(value); }
inline Floats multiply_add(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
// The masked forms, with every lane on, are the same instructions; gcc 12 warns about its own
// header in the plain ones.
inline constexpr __mmask16 kAllLanes = 0xFFFF;
inline Floats larger(Floats a, Floats b) { return _mm512_maskz_max_ps(kAllLanes, a, b); }
inline Floats load_halves(const std::uint16_t* from) {
  return _mm512_maskz_cvtph_ps(kAllLanes,
                               _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
}
inline void store_halves(std::uint16_t* to, Floats value) {
  _mm256_storeu_si256(
      reinterpret_cast<__m256i*>(to),
      _mm512_maskz_cvtps_ph(kAllLanes, value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
inline Floats interleave_low(Floats a, Floats b) {
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
inline Floats interleave_high(Floats a, Floats b) {
  return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                 31);
}

#elif defined(__AVX2__)

inline Floats splat(float value) { return _mm256_set1_ps(value); }
inline Floats multiply_add(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
inline Floats larger(Floats a, Floats b) { return _mm256_max_ps(a, b); }
inline Floats load_halves(const std::uint16_t* from) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}
inline void store_halves(std::uint16_t* to, Floats value) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                   _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
inline Floats interleave_low(Floats a, Floats b) {
  return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}
inline Floats interleave_high(Floats a, Floats b) {
  return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

#else

inline Floats splat(float value) { return Floats{value, value, value, value}; }
inline Floats multiply_add(Floats a, Floats b, Floats c) { return a * b + c; }
inline Floats larger(Floats a, Floats b) {
  const Ints a_wins = a > b;
  return floats_of((a_wins & bits_of(a)) | (~a_wins & bits_of(b)));
}
inline Floats load_halves(const std::uint16_t* from) {
  const Ints half = {from[0], from[1], from[2], from[3]};
  // The exponent moves to its new place and the bias is put right by an exact product, which also
  // turns subnormal halves into normal floats. Infinities and NaNs get the largest exponent back.
  const Ints magnitude = (half & 0x7FFF) << 13;
  const Ints special = magnitude >= 0x0F800000;
  const Ints scaled = bits_of(floats_of(magnitude) * splat(0x1p112F));
  return floats_of(scaled | (special & 0x7F800000) | ((half & 0x8000) << 16));
}
inline std::uint16_t half_of(float value) {
  std::uint32_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof bits);
  const std::uint32_t sign = (bits >> 16U) & 0x8000U;
  bits &= 0x7FFFFFFFU;
  if (bits > 0x7F800000U) return static_cast<std::uint16_t>(sign | 0x7E00U);
  if (bits >= 0x477FF000U) return static_cast<std::uint16_t>(sign | 0x7C00U);
  if (bits < 0x38800000U) {
    // Below the least normal half: the sum's last place is 2^-24, so the addition rounds.
    float magnitude = 0;
    __builtin_memcpy(&magnitude, &bits, sizeof bits);
    magnitude += 0.5F;
    __builtin_memcpy(&bits, &magnitude, sizeof bits);
    return static_cast<std::uint16_t>(sign | (bits - 0x3F000000U));
  }
  bits += 0x0FFFU + ((bits >> 13U) & 1U);
  return static_cast<std::uint16_t>(sign | ((bits - 0x38000000U) >> 13U));
}
inline void store_halves(std::uint16_t* to, Floats value) {
  for (std::size_t i = 0; i < kLanes; ++i) to[i] = half_of(value[i]);
}
inline Floats interleave_low(Floats a, Floats b) {
  return __builtin_shufflevector(a, b, 0, 4, 1, 5);
}
inline Floats interleave_high(Floats a, Floats b) {
  return __builtin_shufflevector(a, b, 2, 6, 3, 7);
}

#endif

/// The largest lane, and the sum of the lanes: each step folds the upper half onto the lower one.
inline float largest(Floats value) {
  FA2BENCH_UNROLL
  for (std::size_t fold = 1; fold < kLanes; fold *= 2) {
    value = larger(interleave_low(value, value), interleave_high(value, value));
  }
  return value[0];
}
inline float total(Floats value) {
  FA2BENCH_UNROLL
  for (std::size_t fold = 1; fold < kLanes; fold *= 2) {
    value = interleave_low(value, value) + interleave_high(value, value);
  }
  return value[0];
}

/// Transposes kLanes × kLanes values: one perfect shuffle per bit of the index.
inline void transpose(Floats (&rows)[kLanes]) {
  Floats next[kLanes];
  FA2BENCH_UNROLL
  for (std::size_t stage = 1; stage < kLanes; stage *= 2) {
    FA2BENCH_UNROLL
    for (std::size_t i = 0; i < kLanes / 2; ++i) {
      next[2 * i] = interleave_low(rows[i], rows[i + kLanes / 2]);
      next[2 * i + 1] = interleave_high(rows[i], rows[i + kLanes / 2]);
    }
    FA2BENCH_UNROLL
    for (std::size_t i = 0; i < kLanes; ++i) rows[i] = next[i];
  }
}

/// 2^x for x <= 0, to 2 units in the last place; exactly 1 at 0, and 0 below -126. NaN stays NaN.
inline Floats exp2_nonpositive(Floats x) {
  const Ints vanishes = x < splat(-126.0F);
  // Adding 1.5 · 2^23 leaves the nearest integer in the low bits.
  const Floats shifted = x + splat(12582912.0F);
  const Floats f = x - (shifted - splat(12582912.0F));
  const Ints exponent = (bits_of(shifted) - 0x4B400000 + 127) << 23;
  // Taylor series of 2^f, |f| <= 1/2: the terms are ln(2)^n / n!.
  Floats sum = splat(1.5403530e-4F);
  sum = multiply_add(sum, f, splat(1.3333558e-3F));
  sum = multiply_add(sum, f, splat(9.6181291e-3F));
  sum = multiply_add(sum, f, splat(5.5504109e-2F));
  sum = multiply_add(sum, f, splat(2.4022651e-1F));
  sum = multiply_add(sum, f, splat(6.9314718e-1F));
  sum = multiply_add(sum, f, splat(1.0F));
  return floats_of(~vanishes & bits_of(sum * floats_of(exponent)));
}

}  // namespace fa2bench::shims::cpu::FA2BENCH_ISA
