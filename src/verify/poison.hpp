// SPDX-License-Identifier: MIT
// The same workload with some of its traps taken away: what a call must not read is then harmless.
#pragma once

#include "workload/block_table.hpp"
#include "workload/workload.hpp"

namespace fa2bench {

/// Which traps are set. All are, in a workload as it is built.
struct Poison {
  bool tail = false;           ///< NaN in slots past kv_len of live blocks; else ordinary data
  bool unused_blocks = false;  ///< NaN in blocks of no sequence; else ordinary data
  /// Table entries past the last block as the recipe has them; else one block of ordinary data that
  /// no sequence uses, or where there is none, the sequence's own first one.
  bool unused_entries = false;
};

/// The table to fill the pools by. What the sequences own is as in `table`.
BlockTable with_poison(const Workload& workload, const BlockTable& table, const Poison& poison);

}  // namespace fa2bench
