// SPDX-License-Identifier: MIT
// What a call would leave in one (row, head) if it read other keys than it should: the reference of
// a mistake.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "verify/reference.hpp"

namespace fa2bench {

/// `column` of a sequence's blocks to the physical block that is read there; kNoBlock where nobody
/// can say what is read.
using BlockOf = std::function<std::int64_t(std::int64_t column)>;
inline constexpr std::int64_t kNoBlock = -1;

/// What one (row, head) reads.
struct Reading {
  std::int64_t keys = 0;  ///< 0 ... keys - 1 of the sequence
  int kv_head = 0;
  double scale_factor = 1.0;  ///< on top of 1 / sqrt(head_dim)
  BlockOf block;              ///< empty: what the table says
};

/// As the contract says.
Reading right_reading(const Workload& workload, const CheckedRow& row, int head);

struct Alternative {
  enum class Kind {
    known,    ///< `exact` is the result
    poison,   ///< a NaN is read: out is NaN
    unknown,  ///< no key, or memory outside the pool
  };
  Kind kind = Kind::unknown;
  HeadReference exact;
  std::int64_t keys = 0;
  double largest_score = 0.0;  ///< scaled
  std::vector<double> slope;   ///< of out by the logarithm of the scale; empty unless asked for
};

/// From the data recipe; `table` says what each physical block holds.
Alternative evaluate(const Workload& workload, const BlockTable& table, const CheckedRow& row,
                     int head, const Reading& reading, bool with_slope = false);

/// Multiply-adds that evaluate() costs.
double evaluation_cost(const HeadShape& shape, std::int64_t keys);

}  // namespace fa2bench
