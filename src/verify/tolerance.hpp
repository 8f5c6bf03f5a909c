// SPDX-License-Identifier: MIT
// How far a correct f16 kernel may be from the exact result, derived, not tuned.
//
// With u = 2^-11, the relative error of rounding to f16, a kernel of the FlashAttention family
// makes three errors that count. The output is rounded: at most u |o|. The softmax weights are
// rounded to f16 for the matrix unit: independent relative errors of standard deviation at most u /
// sqrt(3), so the output moves by s = u / sqrt(3) sqrt(sum_j (p_j v_j)^2) per standard deviation.
// The f32 accumulator of a matrix unit may truncate once per 16 keys: at most n / 16 2^-23 |o|.
// Weights below 2^-14 of the largest become subnormal and carry an absolute error of 2^-25.
//
//   one element:  |error| <= u |o| + 8 s + n 2^-27 |o| + 8 2^-25 sqrt(n) / l
//   one row:      rms(error) <= 2.5 rms of sqrt((u o)^2 / 3 + s^2 + the last two terms squared)
//   lse:          |error| <= 2^-17 A + 2^-18 (1 + |lse|)
//
// n is the number of visible keys, l = exp(lse - A) bounds the sum of weights over the largest from
// below, and A bounds the scores: f32 dot products of length 128 err by at most 128 2^-24 A.
#pragma once

#include <cstdint>

#include "verify/reference.hpp"

namespace fa2bench {

struct ElementTolerance {
  double bound = 0.0;      ///< of one element
  double deviation = 0.0;  ///< standard deviation that a correct kernel's error may have
};

inline constexpr double kRowFactor = 2.5;

ElementTolerance element_tolerance(const HeadReference& reference, std::size_t column,
                                   std::int64_t visible_keys);
double lse_tolerance(const HeadReference& reference);

}  // namespace fa2bench
