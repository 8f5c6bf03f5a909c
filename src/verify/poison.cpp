// SPDX-License-Identifier: MIT
#include "verify/poison.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "workload/table_size.hpp"

namespace fa2bench {
namespace {

/// A block that no sequence and no table entry has: the middle one, so that a call that reads some
/// fixed block is not likely to read it, of those below a live block, as calls may clamp larger
/// ids.
std::optional<std::size_t> spare_block(const BlockTable& table) {
  std::vector<bool> taken(table.content.size());
  for (const std::int32_t entry : table.entries) {
    if (entry >= 0 && entry < table.num_blocks) taken[static_cast<std::size_t>(entry)] = true;
  }
  std::vector<std::size_t> spare;
  std::size_t below_live = 0;
  for (std::size_t id = 0; id < taken.size(); ++id) {
    if (table.content[id] != kUnusedBlock) {
      below_live = spare.size();
    } else if (!taken[id]) {
      spare.push_back(id);
    }
  }
  if (spare.empty()) return std::nullopt;
  return spare[(below_live > 0 ? below_live : spare.size()) / 2];
}

}  // namespace

BlockTable with_poison(const Workload& workload, const BlockTable& table, const Poison& poison) {
  // Logical blocks that no sequence has; live ones are numbered from 0.
  constexpr std::uint32_t kFirstSpare = 0x80000000U;
  BlockTable result = table;
  const auto whole = static_cast<std::uint16_t>(workload.shape.block_size);
  const std::optional<std::size_t> spare = spare_block(table);
  for (std::size_t id = 0; id < table.content.size(); ++id) {
    const bool is_pointed_at = spare == id && !poison.unused_entries;
    if (table.content[id] != kUnusedBlock) {
      if (!poison.tail) result.live_slots[id] = whole;
    } else if (!poison.unused_blocks || is_pointed_at) {
      result.content[id] = kFirstSpare + static_cast<std::uint32_t>(id);
      result.live_slots[id] = whole;
    }
  }
  if (poison.unused_entries) return result;
  for (std::size_t seq = 0; seq < workload.kv_lens.size(); ++seq) {
    const std::int64_t used = blocks_of(workload.kv_lens[seq], workload.shape.block_size);
    const auto row = result.entries.begin() +
                     static_cast<std::ptrdiff_t>(seq) * static_cast<std::ptrdiff_t>(table.width);
    const std::int32_t own = used > 0 ? *row : 0;
    std::fill(row + used, row + table.width, spare ? static_cast<std::int32_t>(*spare) : own);
  }
  return result;
}

}  // namespace fa2bench
