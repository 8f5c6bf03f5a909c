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
  CUtensorMap out;  ///< as q, a box has 64 rows: whole tokens, if the group divides 64
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
  int least_q_len;  ///< shorter sequences are left out
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

/// What a block's number alone tells: the tile is of a sequence in [first_seq, last_seq].
struct HopperSlot {
  int first_seq;
  int last_seq;
  int slot;  ///< of first_seq if that is last_seq, else of the batch
  int kv_head;
  int split;
};

__device__ inline HopperSlot find_hopper_slot(const HopperParams& p, unsigned block) {
  HopperSlot s = {};
  if (p.splits > 1) {
    s.split = static_cast<int>(block % static_cast<unsigned>(p.splits));
    block /= static_cast<unsigned>(p.splits);
  }
  s.kv_head = static_cast<int>(block % static_cast<unsigned>(p.num_kv_heads));
  // The last tiles of a causal sequence are the longest; they start first.
  const unsigned place = block / static_cast<unsigned>(p.num_kv_heads);
  if (p.tiles_per_seq > 0) {
    s.first_seq = s.last_seq = static_cast<int>(place % static_cast<unsigned>(p.num_seqs));
    s.slot = p.tiles_per_seq - 1 - static_cast<int>(place / static_cast<unsigned>(p.num_seqs));
  } else {
    s.last_seq = p.num_seqs - 1;
    s.slot = p.slots - 1 - static_cast<int>(place);
  }
  return s;
}

/// All lanes of a warp must call it: they search together, and read the lengths while they do.
__device__ inline HopperTile find_hopper_tile(const HopperParams& p, const HopperSlot& s) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  int low = s.first_seq;
  int high = s.last_seq + 1;  // the tile's sequence is in [low, high)
  int first = 0;
  int next = 0;
  int kv_len = 0;
  for (int step = 2; step > 1;) {
    step = (high - low + 31) / 32;
    const int seq = min(low + lane * step, high - 1);
    first = p.cu_seqlens_q[seq];
    next = p.cu_seqlens_q[seq + 1];
    kv_len = p.seq_lens[seq];
    const bool before = low + lane * step < high &&
                        (lane == 0 || hopper_first_slot(first, seq, p.tokens_per_tile) <= s.slot);
    const int last = __popc(__ballot_sync(0xFFFFFFFFU, before)) - 1;
    low += last * step;
    high = min(high, low + step);
    first = __shfl_sync(0xFFFFFFFFU, first, last);
    next = __shfl_sync(0xFFFFFFFFU, next, last);
    kv_len = __shfl_sync(0xFFFFFFFFU, kv_len, last);
  }
  int tile = s.slot;
  if (p.tiles_per_seq == 0) {
    tile -= static_cast<int>(hopper_first_slot(first, low, p.tokens_per_tile));
  }
  const int q_len = next - first;
  const int tokens = min(q_len - tile * p.tokens_per_tile, p.tokens_per_tile);
  HopperTile t;
  t.seq = low;
  t.kv_head = s.kv_head;
  t.split = s.split;
  t.kv_len = kv_len;
  t.first_token = first + tile * p.tokens_per_tile;
  t.rows = q_len < p.least_q_len ? 0 : tokens * p.group;
  t.hidden = kv_len - q_len + tile * p.tokens_per_tile;
  const int tile_end = max(t.hidden + tokens, 0);
  t.begin = p.splits == 1 ? 0 : min(t.split * p.split_keys, tile_end);
  t.end = t.split + 1 == p.splits ? tile_end : min(t.begin + p.split_keys, tile_end);
  return t;
}

}  // namespace fa2bench::shims::cuda
