// SPDX-License-Identifier: MIT
// Where an allocator puts logical blocks: one order of physical ids per layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workload/table_size.hpp"
#include "workload/workload.hpp"

namespace fa2bench {

/// Numbers of the logical blocks of each sequence, counted by first use: sequence by sequence, a
/// shared prefix at the first sequence of its group.
struct LogicalBlocks {
  std::int64_t prefix_blocks = 0;          ///< of every sequence
  std::vector<std::int64_t> prefix_start;  ///< per sequence: number of its first prefix block
  std::vector<std::int64_t> own_start;     ///< per sequence: number of the first block after them
  std::vector<std::int64_t> needed;        ///< per sequence: blocks it uses

  [[nodiscard]] std::int64_t number(std::size_t sequence, std::int64_t column) const {
    return column < prefix_blocks ? prefix_start[sequence] + column
                                  : own_start[sequence] + column - prefix_blocks;
  }
};

/// For every layout but rows.
LogicalBlocks number_logical_blocks(const Workload& workload);

/// Physical id of every logical block, all different, in [first_block, num_blocks). For every
/// layout but rows. `stream` selects the random numbers of shuffled and aged.
std::vector<std::int32_t> place_blocks(const Workload& workload, const LogicalBlocks& logical,
                                       const TableSize& size, std::uint32_t stream);

}  // namespace fa2bench
