// SPDX-License-Identifier: MIT
// How many blocks a workload uses, and the sizes that its recipe leaves open.
#pragma once

#include <cstdint>

#include "workload/workload.hpp"

namespace fa2bench {

struct TableSize {
  std::int64_t live_blocks = 0;    ///< distinct blocks that hold live tokens
  std::uint64_t read_slots = 0;    ///< distinct slots that some query token sees
  std::int64_t longest = 0;        ///< most blocks that one sequence needs
  std::int64_t width = 0;          ///< row stride, as stated or by default
  std::int64_t smallest_pool = 0;  ///< smallest pool that holds the live blocks
  std::int64_t num_blocks = 0;     ///< pool size, as stated or by default
};

/// Blocks that hold `kv_len` tokens.
constexpr std::int64_t blocks_of(std::int64_t kv_len, std::int64_t block_size) {
  return (kv_len + block_size - 1) / block_size;
}

/// O(num_seqs); O(blocks) for layout rows. Also for a workload whose stated sizes are too small;
/// ids in rows must be at least 0 and complete.
TableSize table_size(const Workload& workload);

}  // namespace fa2bench
