// SPDX-License-Identifier: MIT
// The producer warp of the Hopper kernel: finds tiles, copies Q, and K and V through the block
// table.
#pragma once

#include "shims/cuda/hopper_place.cuh"
#include "shims/cuda/hopper_ptx.cuh"
#include "shims/cuda/hopper_shared.cuh"

namespace fa2bench::shims::cuda {

/// The blocks of one tile of keys, one in each of the first lanes.
struct Pages {
  int count;        ///< blocks with a key before kv_len
  int first_group;  ///< this lane's block's first 8 tokens, in units of 8 tokens of the pool
};

/// An entry of the block table, read before the lengths are known from where it is if this sequence
/// is as long as the longest. All entries may be read; their values count only if it is.
struct Guess {
  int key = -1;   ///< the last tile of keys, if so
  int block = 0;  ///< of this lane
};

__device__ inline Guess guess_block(const HopperParams& p, const HopperSlot& slot) {
  Guess guess;
  const int shift = min(p.block_shift, 7);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int tokens = min((slot.slot + 1) * p.tokens_per_tile, p.max_q_len);
  const int end = p.max_kv_len - p.max_q_len + tokens;
  if (p.tiles_per_seq == 0 || p.splits > 1 || end <= 0) return guess;
  guess.key = (end - 1) / kHopperKeys * kHopperKeys;
  const int entry = (guess.key + (lane << shift)) >> p.block_shift;
  if (entry < p.table_stride) guess.block = p.block_tables[slot.first_seq * p.table_stride + entry];
  return guess;
}

__device__ inline Pages find_pages(const HopperParams& p, const HopperTile& t, int key,
                                   const Guess& guess = {}) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int shift = min(p.block_shift, 7);  // a larger block is copied in parts
  const int keys = min(t.kv_len - key, kHopperKeys);
  Pages pages;
  pages.count = (keys + (1 << shift) - 1) >> shift;
  pages.first_group = 0;
  if (lane < pages.count) {
    const int position = key + (lane << shift);
    const int block = key == guess.key
                          ? guess.block
                          : p.block_tables[t.seq * p.table_stride + (position >> p.block_shift)];
    pages.first_group =
        (block << (p.block_shift - 3)) + ((position & ((1 << p.block_shift) - 1)) >> 3);
  }
  return pages;
}

__device__ inline void copy_pages(const HopperParams& p, const HopperTile& t, const Pages& pages,
                                  const CUtensorMap* map, unsigned char* to, Barrier* full) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int bytes = (1 << min(p.block_shift, 7)) * kHopperHeadDim * 2;
  if (lane == 0) arrive_expecting(full, pages.count * bytes);
  __syncwarp();
  if (lane < pages.count) {
    copy_box(to + lane * bytes, map, full, 0, 0, 0, pages.first_group, t.kv_head);
  }
}

/// The block's tiles, the longest first: in every other round from the last block to the first, so
/// that sums of a few even out.
__device__ inline unsigned next_block(unsigned round) {
  return round * gridDim.x + (round % 2 == 0 ? blockIdx.x : gridDim.x - 1 - blockIdx.x);
}

/// The producer warp.
__device__ inline void produce_tiles(const HopperParams& p, const HopperMaps& maps, HopperSlot slot,
                                     const Guess& guess, HopperShared& shared) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  Turn<kHopperQStages> q_turn;
  Turn<kHopperStages> k_turn;
  Turn<kHopperStages> v_turn;
  for (unsigned round = 0;; ++round) {
    const unsigned block = next_block(round);
    HopperTile t = {};
    if (block < p.blocks) {
      if (round > 0) slot = find_hopper_slot(p, block);
      t = find_hopper_tile(p, slot);
      if (t.rows <= 0) continue;
    }
    Barrier* full = &shared.q_full[q_turn.stage];
    wait(&shared.q_empty[q_turn.stage], q_turn.parity ^ 1);
    if (lane == 0) {
      shared.tiles[q_turn.stage] = t;
      if (t.begin < t.end) {
        unsigned char* q = shared.q[q_turn.stage];
        arrive_expecting(full, 2 * p.tokens_per_tile * p.group * kHopperHeadDim);
        copy_box(q, &maps.q, full, 0, t.kv_head * p.group, 0, t.first_token);
        copy_box(q + kHopperTileBytes / 2, &maps.q, full, 0, t.kv_head * p.group, 1, t.first_token);
      } else {
        arrive(full);
      }
    }
    q_turn.next();
    if (t.rows <= 0) return;
    if (t.begin >= t.end) continue;
    int key = (t.end - 1 - t.begin) / kHopperKeys * kHopperKeys + t.begin;
    Pages pages = find_pages(p, t, key, round == 0 ? guess : Guess{});
    wait(&shared.k_empty[k_turn.stage], k_turn.parity ^ 1);
    copy_pages(p, t, pages, &maps.k, shared.k[k_turn.stage], &shared.k_full[k_turn.stage]);
    k_turn.next();
    for (; key >= t.begin; key -= kHopperKeys) {
      Pages next = {};
      if (key > t.begin) {
        next = find_pages(p, t, key - kHopperKeys);
        wait(&shared.k_empty[k_turn.stage], k_turn.parity ^ 1);
        copy_pages(p, t, next, &maps.k, shared.k[k_turn.stage], &shared.k_full[k_turn.stage]);
        k_turn.next();
      }
      wait(&shared.v_empty[v_turn.stage], v_turn.parity ^ 1);
      copy_pages(p, t, pages, &maps.v, shared.v[v_turn.stage], &shared.v_full[v_turn.stage]);
      v_turn.next();
      pages = next;
    }
  }
}

}  // namespace fa2bench::shims::cuda
