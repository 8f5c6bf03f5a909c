// SPDX-License-Identifier: MIT
// Which query tokens are checked against the reference.
#pragma once

#include <cstdint>
#include <vector>

#include "workload/workload.hpp"

namespace fa2bench {

/// One query token; all its heads are checked.
struct CheckedRow {
  std::int32_t seq = 0;
  std::int32_t token = 0;         ///< index within the sequence's query tokens
  std::int64_t global_token = 0;  ///< index in q and out
  std::int64_t visible_keys = 0;  ///< kv_len - q_len + token + 1, at least 1
};

/// Work that choosing may spend, in multiply-adds of the reference.
inline constexpr double kReferenceBudget = 8e9;

/// Chooses rows that see a key, grouped by sequence and ascending in it; none if no row does.
/// Always the last and first such row of the first, last, longest and shortest sequence with one;
/// then, as far as `budget` goes, of the other sequences in a seeded order, and rows where the
/// number of visible keys or the query index crosses a block or tile edge (block_size, 64, 128),
/// then random rows. Deterministic.
std::vector<CheckedRow> choose_rows(const Workload& workload, double budget = kReferenceBudget);

}  // namespace fa2bench
