// SPDX-License-Identifier: MIT
// What a call leaves where a query token sees no key. The contract's formulas say nothing of these
// rows, and shims differ: it is named, not judged.
#pragma once

#include <cstdint>

#include "device/device.hpp"

namespace fa2bench {

/// All elements of out in these rows; `mixed` if not all are of one kind.
enum class EmptyOut { zero, nan, unwritten, other, mixed };
const char* to_text(EmptyOut value);

/// All values of lse in these rows.
enum class EmptyLse { neg_inf, pos_inf, nan, unwritten, other, mixed };
const char* to_text(EmptyLse value);

struct EmptyRows {
  std::int64_t rows = 0;  ///< query tokens that see no key
  EmptyOut out = EmptyOut::zero;
  EmptyLse lse = EmptyLse::neg_inf;

  /// Whether two calls follow the same convention.
  [[nodiscard]] bool agrees_with(const EmptyRows& other) const {
    return out == other.out && lse == other.lse;
  }
};

/// From scans that counted these rows apart; there is at least one.
EmptyRows name_convention(std::int64_t rows, const ValueCounts& out, const ValueCounts& lse);

}  // namespace fa2bench
