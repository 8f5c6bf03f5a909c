// SPDX-License-Identifier: MIT
// The error of a plain, correct f16 attention, against which a shim's error can be read.
#pragma once

#include <vector>

#include "verify/reference.hpp"

namespace fa2bench {

/// Precision in which dot products and weighted values are summed.
enum class PlainSums { f32, f16 };

/// One (row, head) as a simple f16 kernel computes it: f32 scores, weights rounded to f16, result
/// rounded to f16. With f16 sums, each partial sum is rounded too.
std::vector<float> plain_attention(const Workload& workload, const BlockTable& table,
                                   const CheckedRow& row, int head, PlainSums sums);

/// Computes some pairs with f32 sums. Returns the largest error as a part of the element's bound.
double f16_yardstick(const Workload& workload, const BlockTable& table, const Reference& reference);

}  // namespace fa2bench
