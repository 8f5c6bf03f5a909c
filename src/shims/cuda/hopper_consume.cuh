// SPDX-License-Identifier: MIT
// A consumer warpgroup of the Hopper kernel: 64 rows of each tile. Tiles of keys go from the last
// to the first, so that masks and the sequence's end come first. While the scores of one become
// weights, the weighted sum of the one before runs.
#pragma once

#include <cstdint>

#include "shims/cuda/hopper_place.cuh"
#include "shims/cuda/hopper_ptx.cuh"
#include "shims/cuda/hopper_rows.cuh"
#include "shims/cuda/hopper_shared.cuh"

namespace fa2bench::shims::cuda {

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

/// Makes the values past the sequence zeros, as their weights are, because 0 · NaN is not 0.
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
    // Or the weights would wait for the values.
    finish_first(fminf(rows.sum[0], rows.sum[1]), &shared.never);
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

}  // namespace fa2bench::shims::cuda
