// SPDX-License-Identifier: MIT
// Placement of logical KV blocks in a physical pool, and what each physical block holds.
#pragma once

#include <cstdint>
#include <vector>

#include "workload/workload.hpp"

namespace fa2bench {

/// `content` of a block that no sequence uses.
inline constexpr std::uint32_t kUnusedBlock = 0xFFFFFFFFU;

struct BlockTable {
  std::int64_t num_blocks = 0;        ///< pool size
  std::int64_t width = 0;             ///< row stride, max_blocks_per_seq
  std::vector<std::int32_t> entries;  ///< [num_seqs, width], unused ones by policy
  /// [num_blocks]: id of the logical block held, kUnusedBlock if none. Numbered in the order of
  /// first use (sequence by sequence), so the data of a sequence do not depend on its placement.
  std::vector<std::uint32_t> content;
  std::vector<std::uint16_t> live_slots;  ///< [num_blocks]: slots with live tokens, 0 if unused
};

/// Builds the table; `trial` > 0 gives another placement of the same logical blocks (for layouts
/// that are random). Deterministic in (workload, trial).
BlockTable build_block_table(const Workload& workload, std::uint32_t trial = 0);

/// The same logical blocks with the pages of the pool, from first_block up, exchanged at random.
/// Table entries that name a page, used or not, follow it. Deterministic in the workload.
BlockTable on_other_pages(const Workload& workload, const BlockTable& table);

}  // namespace fa2bench
