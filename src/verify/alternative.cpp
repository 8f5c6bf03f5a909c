// SPDX-License-Identifier: MIT
#include "verify/alternative.hpp"

#include <algorithm>
#include <utility>

#include "verify/tile_math.hpp"

namespace fa2bench {
namespace {

/// Physical block of `column` as the table has it.
std::int64_t table_block(const BlockTable& table, std::int32_t seq, std::int64_t column) {
  return table.entries[static_cast<std::size_t>(seq * table.width + column)];
}

}  // namespace

Reading right_reading(const Workload& workload, const CheckedRow& row, int head) {
  return {row.visible_keys, head / workload.shape.group(), 1.0, {}};
}

Alternative evaluate(const Workload& workload, const BlockTable& table, const CheckedRow& row,
                     int head, const Reading& reading, bool with_slope) {
  const HeadShape& shape = workload.shape;
  Alternative result;
  result.keys = reading.keys;
  if (reading.keys <= 0) return result;
  std::vector<double> q = scaled_query(workload, row.global_token, head);
  for (double& x : q) x *= reading.scale_factor;
  StreamingSoftmax softmax(std::move(q), with_slope);
  KeyTile tile(static_cast<std::size_t>(shape.head_dim));
  std::vector<double> scores(kTileKeys);
  bool poisoned = false;
  std::int64_t block = kNoBlock;
  for (std::int64_t key = 0; key < reading.keys; ++key) {
    const std::int64_t slot = key % shape.block_size;
    if (slot == 0) {
      const std::int64_t column = key / shape.block_size;
      block = reading.block ? reading.block(column) : table_block(table, row.seq, column);
    }
    if (block < 0 || block >= table.num_blocks) return result;
    const auto id = static_cast<std::size_t>(block);
    const std::size_t at = static_cast<std::size_t>(key) % kTileKeys;
    if (slot >= table.live_slots[id]) {
      poisoned = true;  // a later key may still be one that nobody can know
      continue;
    }
    if (poisoned) continue;
    tile.load(workload.seed, kv_element(shape, table.content[id], slot, reading.kv_head), at);
    if (at + 1 == kTileKeys || key + 1 == reading.keys) {
      softmax.absorb(tile, at + 1, scores);
      tile.clear();
    }
  }
  result.kind = poisoned ? Alternative::Kind::poison : Alternative::Kind::known;
  result.exact = softmax.result();
  result.largest_score = softmax.largest_score();
  if (with_slope) result.slope = softmax.slope();
  return result;
}

double evaluation_cost(const HeadShape& shape, std::int64_t keys) {
  constexpr double kGeneration = 24.0;  // of one element of K and one of V; see rows.cpp
  return static_cast<double>(keys) * shape.head_dim * (kGeneration + 3.0);
}

}  // namespace fa2bench
