// SPDX-License-Identifier: MIT
// Tiles of K and V in swizzled shared memory, filled through the block table in the background.
#pragma once

#include <cstdint>

#include "shims/cuda/place.cuh"
#include "shims/cuda/ptx.cuh"

namespace fa2bench::shims::cuda {

template <int kHeadDim, int kWarps>
inline constexpr int kTileKeys = long_tile_keys(kHeadDim, kWarps);

/// Swizzled position of a 16-byte chunk of a tile's row, in bytes: eight rows that are read at once
/// lie in different banks.
template <int kHeadDim>
__device__ inline int chunk_offset(int row, int chunk) {
  return (row * (kHeadDim / 8) + (chunk ^ (row & 7))) * 16;
}

/// Starts the copies of K and V of keys `key` … key + kKeys - 1. Keys from `end` on become zeros.
template <int kHeadDim, int kWarps>
__device__ inline void copy_tile(const Params& p, const int* table, int kv_head, int key, int end,
                                 unsigned char* k_tile, unsigned char* v_tile) {
  constexpr int kKeys = kTileKeys<kHeadDim, kWarps>;
  constexpr int kChunks = kHeadDim / 8;
  constexpr int kRowsPerPass = kWarps * 32 / kChunks;
  const int thread = static_cast<int>(threadIdx.x);
  const int chunk = thread % kChunks;
  const int slot_mask = (1 << p.block_shift) - 1;
#pragma unroll
  for (int pass = 0; pass < kKeys / kRowsPerPass; ++pass) {
    const int row = pass * kRowsPerPass + thread / kChunks;
    const int position = key + row;
    const bool live = position < end;
    const std::int64_t block = live ? table[position >> p.block_shift] : 0;
    const std::int64_t slot = (block << p.block_shift) + (position & slot_mask);
    const std::int64_t from = live ? (slot * p.num_kv_heads + kv_head) * kHeadDim + chunk * 8 : 0;
    const int to = chunk_offset<kHeadDim>(row, chunk);
    copy_async(k_tile + to, p.k + from, live);
    copy_async(v_tile + to, p.v + from, live);
  }
}

}  // namespace fa2bench::shims::cuda
