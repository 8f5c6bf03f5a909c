// SPDX-License-Identifier: MIT
// What a launch of the Hopper kernel is given, and which tile of it a block has.
#pragma once

#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "shims/cuda/hopper_plan.hpp"

namespace fa2bench::shims::cuda {

/// Where the copy engine finds rows of head_dim.
struct HopperMaps {
  CUtensorMap q;  ///< halves of rows: [token, half, head, 64], a box has a tile's tokens and heads
  CUtensorMap k;  ///< blocks: [KV head, 8 tokens, half, token, 64], a box has one block's tokens
  CUtensorMap v;  ///< as k
};

/// One launch. Pointers are device memory; shapes as in ferrum_fa2_shim.h.
struct HopperParams {
  __half* out;
  float* lse;
  const int* cu_seqlens_q;
  const int* seq_lens;
  const int* block_tables;
  float* partial_out;  ///< [splits, total_q_tokens, num_heads, head_dim], each part normalized
  float* partial_lse;  ///< [splits, total_q_tokens, num_heads], base 2
  std::int64_t table_stride;
  unsigned blocks;  ///< tiles of all KV heads and parts, some of them empty
  int slots;
  int tiles_per_seq;
  int num_seqs;
  int total_q_tokens;
  int max_q_len;
  int max_kv_len;
  int num_heads;
  int num_kv_heads;
  int group;
  int group_inverse;  ///< row * group_inverse / 65536 is row / group for rows of a tile
  int tokens_per_tile;
  int block_shift;  ///< log2(block_size)
  int splits;
  int split_keys;
  float score_scale;  ///< log2(e) / sqrt(head_dim)
};

/// A block's tile: query tokens of one sequence with a KV head's group, and a range of keys.
struct HopperTile {
  int seq;
  int kv_head;
  int split;
  int first_token;  ///< of the tile, in the batch
  int rows;         ///< <= 0: the slot is empty
  int kv_len;
  int hidden;  ///< token i of the tile sees keys below hidden + i + 1
  int begin;   ///< first key of this part
  int end;     ///< keys from here on are not the tile's, or not of this part
};

/// The last sequence whose first slot is at or before `slot`. All lanes of a warp must call it.
__device__ inline int hopper_sequence(const HopperParams& p, std::int64_t slot) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  int low = 0;
  int high = p.num_seqs;  // the answer is in [low, high)
  while (high - low > 1) {
    const int step = (high - low + 31) / 32;
    const int candidate = low + lane * step;
    const bool before = candidate < high && hopper_first_slot(p.cu_seqlens_q[candidate], candidate,
                                                              p.tokens_per_tile) <= slot;
    const int count = __popc(__ballot_sync(0xFFFFFFFFU, before));  // lane 0's always is
    low += (count - 1) * step;
    high = min(high, low + step);
  }
  return low;
}

/// What a block's index alone tells.
struct HopperSlot {
  int seq;   ///< < 0: it takes a search
  int tile;  ///< of the sequence, or the slot to search for
  int kv_head;
  int split;
};

__device__ inline HopperSlot find_hopper_slot(const HopperParams& p, unsigned block) {
  HopperSlot slot = {-1, 0, 0, 0};
  if (p.splits > 1) {
    slot.split = static_cast<int>(block % static_cast<unsigned>(p.splits));
    block /= static_cast<unsigned>(p.splits);
  }
  slot.kv_head = static_cast<int>(block % static_cast<unsigned>(p.num_kv_heads));
  // The last tiles of a causal sequence are the longest; they start first.
  const unsigned place = block / static_cast<unsigned>(p.num_kv_heads);
  if (p.tiles_per_seq > 0) {
    slot.seq = static_cast<int>(place % static_cast<unsigned>(p.num_seqs));
    slot.tile = p.tiles_per_seq - 1 - static_cast<int>(place / static_cast<unsigned>(p.num_seqs));
  } else {
    slot.tile = p.slots - 1 - static_cast<int>(place);
  }
  return slot;
}

__device__ inline HopperTile find_hopper_tile(const HopperParams& p, const HopperSlot& slot) {
  HopperTile t;
  t.split = slot.split;
  t.kv_head = slot.kv_head;
  t.seq = slot.seq;
  int tile = slot.tile;
  if (t.seq < 0) {
    t.seq = hopper_sequence(p, slot.tile);
    tile -= static_cast<int>(hopper_first_slot(p.cu_seqlens_q[t.seq], t.seq, p.tokens_per_tile));
  }
  const int first = p.cu_seqlens_q[t.seq];
  const int q_len = p.cu_seqlens_q[t.seq + 1] - first;
  const int tokens = min(q_len - tile * p.tokens_per_tile, p.tokens_per_tile);
  t.kv_len = p.seq_lens[t.seq];
  t.first_token = first + tile * p.tokens_per_tile;
  t.rows = tokens * p.group;
  t.hidden = t.kv_len - q_len + tile * p.tokens_per_tile;
  const int tile_end = max(t.hidden + tokens, 0);
  t.begin = p.splits == 1 ? 0 : min(t.split * p.split_keys, tile_end);
  t.end = t.split + 1 == p.splits ? tile_end : min(t.begin + p.split_keys, tile_end);
  return t;
}

}  // namespace fa2bench::shims::cuda
