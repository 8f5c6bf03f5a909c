// SPDX-License-Identifier: MIT
#include "workload/table_size.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace fa2bench {
namespace {

constexpr std::int64_t kMaxBlocks = INT32_MAX;

/// Counts what is live where ids are given: a block used twice counts once, with the slots of its
/// longest user.
void count_rows(const Workload& workload, TableSize& size) {
  const std::int64_t block_size = workload.shape.block_size;
  std::unordered_map<std::int32_t, std::int64_t> slots;
  for (std::size_t s = 0; s < workload.kv_lens.size(); ++s) {
    std::int64_t left = workload.kv_lens[s];
    for (std::size_t column = 0; left > 0; ++column, left -= block_size) {
      const std::int32_t id = workload.table.rows[s][column];
      std::int64_t& used = slots[id];
      used = std::max(used, std::min(left, block_size));
      size.smallest_pool = std::max<std::int64_t>(size.smallest_pool, std::int64_t{id} + 1);
    }
    size.width = std::max(size.width, static_cast<std::int64_t>(workload.table.rows[s].size()));
  }
  size.live_blocks = static_cast<std::int64_t>(slots.size());
  for (const auto& [id, used] : slots) size.live_slots += static_cast<std::uint64_t>(used);
}

/// Counts every sequence's own blocks, and each group's prefix once.
void count_lengths(const Workload& workload, TableSize& size) {
  const std::int64_t block_size = workload.shape.block_size;
  std::int64_t slots = 0;
  for (const std::int32_t kv_len : workload.kv_lens) {
    size.live_blocks += blocks_of(kv_len, block_size);
    slots += kv_len;
  }
  if (workload.prefix.tokens > 0) {
    const std::int64_t repeats =
        static_cast<std::int64_t>(workload.kv_lens.size()) - workload.prefix.groups;
    size.live_blocks -= repeats * (workload.prefix.tokens / block_size);
    slots -= repeats * workload.prefix.tokens;
  }
  size.live_slots = static_cast<std::uint64_t>(slots);
  size.smallest_pool = workload.table.first_block + size.live_blocks;
}

}  // namespace

TableSize table_size(const Workload& workload) {
  TableSize size;
  for (const std::int32_t kv_len : workload.kv_lens) {
    size.longest = std::max(size.longest, blocks_of(kv_len, workload.shape.block_size));
  }
  if (workload.table.layout == TableLayout::rows) {
    count_rows(workload, size);
  } else {
    count_lengths(workload, size);
  }
  size.width =
      workload.table.width > 0 ? workload.table.width : std::max(size.width, size.longest + 2);
  // Room for gaps between live blocks; a default never makes a pool larger than ids can name.
  const std::int64_t roomy = size.smallest_pool + std::max<std::int64_t>(8, size.live_blocks / 4);
  const std::int64_t by_default = std::max(size.smallest_pool, std::min(roomy, kMaxBlocks));
  size.num_blocks = workload.table.pool_blocks > 0 ? workload.table.pool_blocks : by_default;
  return size;
}

}  // namespace fa2bench
