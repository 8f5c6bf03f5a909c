// SPDX-License-Identifier: MIT
// Prefill on Hopper. A block takes tiles (query tokens of one sequence, KV head, part of the keys).
// A warp finds them and copies Q, K and V, through the block table, as far ahead as there is room;
// two warpgroups of 64 rows each compute. In each, while scores become weights, the weighted sum of
// the keys before runs; and when both wait for neither, one has the matrix units alone.
//
// Tiles of keys go from the last to the first, so that masks and the sequence's end come first.
// A tile's shared memory holds 8 × 128-byte pieces with the 128-byte swizzle: [8 keys][half row].
#pragma once

#include <cstdint>

#include "shims/cuda/hopper_place.cuh"
#include "shims/cuda/hopper_ptx.cuh"
#include "shims/cuda/hopper_rows.cuh"

namespace fa2bench::shims::cuda {

inline constexpr int kHopperStages = 2;     ///< of K, and of V
inline constexpr int kHopperQStages = 2;    ///< of Q, one for each tile
inline constexpr int kHopperThreads = 384;  ///< a producer and two consumer warpgroups
inline constexpr int kHopperTileBytes = kHopperKeys * kHopperHeadDim * 2;

struct HopperShared {
  alignas(1024) unsigned char q[kHopperQStages][kHopperTileBytes];  ///< [half][row][64 f16]
  alignas(1024) unsigned char k[kHopperStages][kHopperTileBytes];
  alignas(1024) unsigned char v[kHopperStages][kHopperTileBytes];
  HopperTile tiles[kHopperQStages];  ///< whose Q comes; without rows, there are no more
  Barrier q_full[kHopperQStages];
  Barrier q_empty[kHopperQStages];
  Barrier k_full[kHopperStages];
  Barrier k_empty[kHopperStages];
  Barrier v_full[kHopperStages];
  Barrier v_empty[kHopperStages];
  float never;  ///< written; see finish_first
};
inline constexpr int kHopperSharedBytes = sizeof(HopperShared);

/// The stage that is next, of kStages used in turn, and how often it was used before.
template <int kStages>
struct Turn {
  int stage = 0;
  int parity = 0;
  __device__ void next() {
    if (++stage == kStages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

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
  if (lane < pages.count)
    copy_box(to + lane * bytes, map, full, 0, 0, 0, pages.first_group, t.kv_head);
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

/// Starts s = Q · K^T of the warpgroup's rows.
__device__ inline void start_scores(float (&s)[64], const Matrix& q, const Matrix& k) {
  // 16 elements are 32 bytes further in a row of 128; the other half of the rows is elsewhere.
  start_product<false>(s, q.at(0), k.at(0));
#pragma unroll
  for (int i = 1; i < 8; ++i) {
    start_product<true>(s, q.at(i / 4 * kHopperRows * 128 + i % 4 * 32),
                        k.at(i / 4 * 1024 + i % 4 * 32));
  }
}

/// Starts o += weights · V.
__device__ inline void start_values(float (&o)[64], const std::uint32_t (&weights)[32],
                                    const Matrix& v) {
#pragma unroll
  for (int i = 0; i < 8; ++i) start_product(o, weights + 4 * i, v.at(i * 4096));
}

/// Makes the values past the sequence zeros: weights there are, but 0 · NaN is not.
__device__ inline void clear_values(unsigned char* v, int keys, int thread) {
  for (int i = keys * 16 + thread; i < kHopperKeys * 16; i += 128) {
    const int key = i / 16;
    *reinterpret_cast<uint4*>(v + key / 8 * 2048 + i % 16 / 8 * 1024 + key % 8 * 128 + i % 8 * 16) =
        make_uint4(0, 0, 0, 0);
  }
  fence_shared_stores();
}

/// What a consumer warpgroup keeps from tile to tile.
struct Consumer {
  int half;  ///< 0 or 1 of a tile's rows
  Turn<kHopperStages> k_turn;
  Turn<kHopperStages> v_turn;
};

/// A tile's rows of a consumer warpgroup. `q_tile` is where its Q is.
__device__ inline void consume_tile(const HopperParams& p, const HopperMaps& maps,
                                    const HopperTile& t, unsigned char* q_tile, Consumer& consumer,
                                    HopperShared& shared) {
  const int half = consumer.half;
  const int group_barrier = 1 + half;
  const int thread = static_cast<int>(threadIdx.x) % 128;
  const bool tells = thread % 32 == 0;
  const Matrix q(shared_address(q_tile + half * 64 * 128), 1024, 16);
  const auto k_of = [&](int stage) { return Matrix(shared_address(shared.k[stage]), 2048, 16); };
  const auto v_of = [&](int stage) { return Matrix(shared_address(shared.v[stage]), 2048, 1024); };
  Turn<kHopperStages>& k_turn = consumer.k_turn;
  Turn<kHopperStages>& v_turn = consumer.v_turn;

  HopperRows rows;
  start_rows(p, t, half, rows);
  const int warp_limit = __shfl_sync(0xFFFFFFFFU, rows.limit[0], 0);
  float o[64];
  float s[64];
  std::uint32_t weights[32];
#pragma unroll
  for (int i = 0; i < 64; ++i) o[i] = 0.0F;

  int key = (t.end - 1 - t.begin) / kHopperKeys * kHopperKeys + t.begin;
  wait(&shared.k_full[k_turn.stage], k_turn.parity);
  fence_products();
  start_scores(s, q, k_of(k_turn.stage));
  commit_products();
  wait_for_products<0>();
  pin(s);
  if (tells) arrive(&shared.k_empty[k_turn.stage]);
  k_turn.next();
  if (key + kHopperKeys > warp_limit) hide_keys(key, rows, s);
  weigh(p.score_scale, rows, s);
  pack_weights(s, weights);
  if (key + kHopperKeys > t.kv_len) {
    wait(&shared.v_full[v_turn.stage], v_turn.parity);
    clear_values(shared.v[v_turn.stage], t.kv_len - key, thread);
    join_threads(group_barrier, 128);
  }

  for (key -= kHopperKeys; key >= t.begin; key -= kHopperKeys) {
    wait(&shared.k_full[k_turn.stage], k_turn.parity);
    pin(s);
    pin(o);
    pin(weights);
    fence_products();
    start_scores(s, q, k_of(k_turn.stage));
    commit_products();
    wait(&shared.v_full[v_turn.stage], v_turn.parity);
    fence_products();
    start_values(o, weights, v_of(v_turn.stage));
    commit_products();
    wait_for_products<1>();
    pin(s);
    if (tells) arrive(&shared.k_empty[k_turn.stage]);
    k_turn.next();
    if (key + kHopperKeys > warp_limit) hide_keys(key, rows, s);
    weigh(p.score_scale, rows, s);
    finish_first(fminf(rows.sum[0], rows.sum[1]),
                 &shared.never);  // or the weights would wait for the values
    wait_for_products<0>();
    pin(o);
    pin(weights);
    if (tells) arrive(&shared.v_empty[v_turn.stage]);
    v_turn.next();
    shrink(rows, o);
    pack_weights(s, weights);
  }
  wait(&shared.v_full[v_turn.stage], v_turn.parity);
  pin(o);
  pin(weights);
  fence_products();
  start_values(o, weights, v_of(v_turn.stage));
  commit_products();
  wait_for_products<0>();
  pin(o);
  if (tells) arrive(&shared.v_empty[v_turn.stage]);
  v_turn.next();
  finish_rows(p, maps.out, t, half, rows, o, q_tile, group_barrier);
}

/// What a consumer warpgroup without rows does in a tile: nothing, but for the producer to see.
__device__ inline void skip_tile(const HopperTile& t, Consumer& consumer, HopperShared& shared) {
  const bool tells = threadIdx.x % 32 == 0;
  for (int key = t.begin; key < t.end; key += kHopperKeys) {
    wait(&shared.k_full[consumer.k_turn.stage], consumer.k_turn.parity);
    if (tells) arrive(&shared.k_empty[consumer.k_turn.stage]);
    consumer.k_turn.next();
    wait(&shared.v_full[consumer.v_turn.stage], consumer.v_turn.parity);
    if (tells) arrive(&shared.v_empty[consumer.v_turn.stage]);
    consumer.v_turn.next();
  }
}

/// A consumer warpgroup.
__device__ inline void consume_tiles(const HopperParams& p, const HopperMaps& maps, int half,
                                     HopperShared& shared) {
  Consumer consumer = {half, {}, {}};
  Turn<kHopperQStages> q_turn;
  for (;;) {
    wait(&shared.q_full[q_turn.stage], q_turn.parity);
    const HopperTile t = shared.tiles[q_turn.stage];
    if (t.rows <= 0) return;
    if (half * 64 >= t.rows) {
      skip_tile(t, consumer, shared);
    } else if (t.begin < t.end) {
      consume_tile(p, maps, t, shared.q[q_turn.stage], consumer, shared);
    } else {
      write_nothing(p, t, half);
    }
    fence_shared_stores();  // Q is next written by the copy engine
    __syncwarp();
    if (threadIdx.x % 32 == 0) arrive(&shared.q_empty[q_turn.stage]);
    q_turn.next();
  }
}

__global__ void __launch_bounds__(kHopperThreads, 1)
    hopper_prefill_kernel(const __grid_constant__ HopperMaps maps, const HopperParams p) {
  extern __shared__ __align__(1024) unsigned char dynamic[];
  auto& shared = *reinterpret_cast<HopperShared*>(dynamic);
  constexpr int kConsumerWarps = 8;
  HopperSlot slot;
  Guess guess;
  if (threadIdx.x < 32) {
    slot = find_hopper_slot(p, blockIdx.x);
    guess = guess_block(p, slot);
  } else if (threadIdx.x == 32) {
    prefetch_map(&maps.q);
    prefetch_map(&maps.k);
    prefetch_map(&maps.v);
    prefetch_map(&maps.out);
    for (int i = 0; i < kHopperQStages; ++i) {
      start_barrier(&shared.q_full[i], 1);
      start_barrier(&shared.q_empty[i], kConsumerWarps);
    }
    for (int i = 0; i < kHopperStages; ++i) {
      start_barrier(&shared.k_full[i], 1);
      start_barrier(&shared.v_full[i], 1);
      start_barrier(&shared.k_empty[i], kConsumerWarps);
      start_barrier(&shared.v_empty[i], kConsumerWarps);
    }
    fence_barriers();
  }
  __syncthreads();
  const int warpgroup = __shfl_sync(0xFFFFFFFFU, static_cast<int>(threadIdx.x) / 128, 0);
  if (warpgroup == 0) {
    give_registers<56>();
    if (threadIdx.x < 32) produce_tiles(p, maps, slot, guess, shared);
  } else {
    take_registers<224>();
    consume_tiles(p, maps, warpgroup - 1, shared);
  }
}

}  // namespace fa2bench::shims::cuda
