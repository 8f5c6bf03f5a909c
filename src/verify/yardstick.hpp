// SPDX-License-Identifier: MIT
// The error of a plain, correct f16 attention, against which a shim's error can be read.
#pragma once

#include "verify/reference.hpp"

namespace fa2bench {

/// Computes some (row, head) pairs as a simple f16 kernel would: f32 scores, weights rounded to
/// f16, f32 sums, result rounded to f16. Returns its largest error as a part of the element's
/// bound.
double f16_yardstick(const Workload& workload, const BlockTable& table, const Reference& reference);

}  // namespace fa2bench
