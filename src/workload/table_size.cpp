// SPDX-License-Identifier: MIT
#include "workload/table_size.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace fa2bench {
namespace {

constexpr std::int64_t kMaxBlocks = INT32_MAX;

/// Counts what is live where ids are given: a block used twice counts once, with the slots of its
/// longest reader. A sequence without query tokens reads nothing; any other reads all its keys.
void count_rows(const Workload& workload, TableSize& size) {
  const std::int64_t block_size = workload.shape.block_size;
  std::unordered_map<std::int32_t, std::int64_t> slots;
  for (std::size_t s = 0; s < workload.kv_lens.size(); ++s) {
    std::int64_t left = workload.kv_lens[s];
    for (std::size_t column = 0; left > 0; ++column, left -= block_size) {
      const std::int32_t id = workload.table.rows[s][column];
      std::int64_t& read = slots[id];
      if (workload.q_lens[s] > 0) read = std::max(read, std::min(left, block_size));
      size.smallest_pool = std::max<std::int64_t>(size.smallest_pool, std::int64_t{id} + 1);
    }
    size.width = std::max(size.width, static_cast<std::int64_t>(workload.table.rows[s].size()));
  }
  size.live_blocks = static_cast<std::int64_t>(slots.size());
  for (const auto& [id, read] : slots) size.read_slots += static_cast<std::uint64_t>(read);
}

/// Sequences with query tokens that another one of their group precedes: they read its prefix
/// again.
std::int64_t count_repeats(const Workload& workload) {
  const std::size_t num_seqs = workload.q_lens.size();
  const auto groups = static_cast<std::size_t>(workload.prefix.groups);
  std::int64_t repeats = 0;
  std::size_t next = 1;  // the next group to begin; group g begins at g * num_seqs / groups
  bool read = false;
  for (std::size_t s = 0; s < num_seqs; ++s) {
    if (next < groups && s == next * num_seqs / groups) {
      read = false;
      ++next;
    }
    if (workload.q_lens[s] == 0) continue;
    repeats += read ? 1 : 0;
    read = true;
  }
  return repeats;
}

/// Counts every sequence's own blocks, and each group's prefix once.
void count_lengths(const Workload& workload, TableSize& size) {
  const std::int64_t block_size = workload.shape.block_size;
  std::int64_t slots = 0;
  for (std::size_t s = 0; s < workload.kv_lens.size(); ++s) {
    size.live_blocks += blocks_of(workload.kv_lens[s], block_size);
    if (workload.q_lens[s] > 0) slots += workload.kv_lens[s];
  }
  if (workload.prefix.tokens > 0) {
    const std::int64_t repeats =
        static_cast<std::int64_t>(workload.kv_lens.size()) - workload.prefix.groups;
    size.live_blocks -= repeats * (workload.prefix.tokens / block_size);
    slots -= count_repeats(workload) * workload.prefix.tokens;
  }
  size.read_slots = static_cast<std::uint64_t>(slots);
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
