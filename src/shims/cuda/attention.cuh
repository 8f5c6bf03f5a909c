// SPDX-License-Identifier: MIT
// Paged varlen attention: one block per (tile of query rows, KV head, part of the keys).
//
// The query heads of a GQA group are packed with the query tokens: row r of a sequence is token
// r / group and head r % group of the group, so that one K/V tile serves them all. K and V tiles
// come through the block table into swizzled shared memory, two in flight. Softmax is online, in
// base 2. Keys past the end of the block's range are zeros in shared memory, never read from the
// pool, and scores are masked by selection: neither NaN nor a bad table entry can get in.
#pragma once

#include <cstdint>

#include "shims/cuda/key_tile.cuh"
#include "shims/cuda/place.cuh"
#include "shims/cuda/ptx.cuh"
#include "shims/cuda/warp_rows.cuh"

namespace fa2bench::shims::cuda {

template <int kHeadDim, int kWarps>
__global__ void __launch_bounds__(kWarps * 32) attention_kernel(const Params p) {
  constexpr int kRows = kWarps * 16;
  constexpr int kKeys = kTileKeys<kHeadDim, kWarps>;
  constexpr int kTileBytes = kKeys * kHeadDim * 2;
  static_assert(kSplitStep % kKeys == 0, "a part must end where a tile ends");
  extern __shared__ __align__(128) unsigned char shared[];  // K, V of stage 0, K, V of stage 1

  const unsigned split = blockIdx.x % static_cast<unsigned>(p.splits);
  const unsigned tile_and_head = blockIdx.x / static_cast<unsigned>(p.splits);
  const int kv_head = static_cast<int>(tile_and_head % static_cast<unsigned>(p.num_kv_heads));
  // The last tiles of a causal sequence are the longest; they start first.
  const std::int64_t slot = p.slots - 1 - tile_and_head / static_cast<unsigned>(p.num_kv_heads);
  const Place place = find_place<kRows>(p, slot);
  if (place.row_count <= 0) return;

  const int last_row = place.row_begin + min(place.row_count, kRows) - 1;
  const int hidden = place.kv_len - place.q_len + 1;
  const int tile_end = max(hidden + last_row / p.group, 0);
  const std::int64_t split_begin = split * p.split_keys;
  if (split > 0 && split_begin >= tile_end) return;
  const int begin = static_cast<int>(split_begin);
  const bool last_split = split + 1 == static_cast<unsigned>(p.splits);
  const int end = static_cast<int>(
      last_split ? tile_end : min(static_cast<std::int64_t>(tile_end), begin + p.split_keys));

  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int warp_row = place.row_begin + warp * 16;
  const bool warp_has_rows = warp * 16 < place.row_count;
  // Keys from here on are hidden from the warp's first row.
  const int warp_limit = hidden + warp_row / p.group;
  WarpRows<kHeadDim> rows;
  start_rows<kHeadDim>(p, place, kv_head, warp_row, rows);

  const int* table = p.block_tables + place.seq * p.table_stride;
  int stage = 0;
  if (begin < end) {
    copy_tile<kHeadDim, kWarps>(p, table, kv_head, begin, end, shared, shared + kTileBytes);
  }
  commit_copies();
  for (int key = begin; key < end; key += kKeys, stage ^= 1) {
    unsigned char* k_tile = shared + stage * 2 * kTileBytes;
    unsigned char* next = shared + (stage ^ 1) * 2 * kTileBytes;
    if (key + kKeys < end) {
      copy_tile<kHeadDim, kWarps>(p, table, kv_head, key + kKeys, end, next, next + kTileBytes);
    }
    commit_copies();
    wait_for_copies<1>();
    __syncthreads();
    if (warp_has_rows) {
      float s[kKeys / 8][4];
      weigh_keys<kHeadDim, kKeys>(k_tile, key, key + kKeys > warp_limit, p.score_scale, rows, s);
      add_values<kHeadDim, kKeys>(k_tile + kTileBytes, s, rows);
    }
    __syncthreads();  // before the next round overwrites this stage
  }
  if (warp_has_rows) {
    finish_rows<kHeadDim>(p, place, kv_head, static_cast<int>(split), warp_row, rows);
  }
}

}  // namespace fa2bench::shims::cuda
