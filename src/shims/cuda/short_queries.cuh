// SPDX-License-Identifier: MIT
// Short queries over a paged cache: one persistent block per SM, limited by reading K and V.
//
// A block's warps form teams of kTeam warps. A team has a ring of key tiles in shared memory that
// it fills itself, kShortStages deep, running on from one unit of the block's share into the next;
// its warps have 16 query rows each and see every key of its tiles. Teams take the tiles of a unit
// in turn. At the end of a unit's part the teams' results are merged in shared memory, where each
// lies in the stage just consumed, then over the cluster, and then written to out, or, when the
// unit has other parts, to the workspace; the last cluster to finish a unit (tickets tell) merges
// those.
#pragma once

#include <cstdint>

#include "shims/cuda/cluster.cuh"
#include "shims/cuda/feed.cuh"
#include "shims/cuda/merge.cuh"
#include "shims/cuda/place.cuh"
#include "shims/cuda/ptx.cuh"
#include "shims/cuda/shares.cuh"
#include "shims/cuda/warp_rows.cuh"

namespace fa2bench::shims::cuda {

template <int kHeadDim, int kTeam>
__global__ void __launch_bounds__(kMostShortWarps * 32, 1) short_query_kernel(const Params p) {
  using Tiles = Feed<kHeadDim, kTeam>;
  constexpr int kKeys = Tiles::kKeys;
  constexpr int kRows = Tiles::kRows;
  constexpr int kQuads = kHeadDim / 4;
  extern __shared__ __align__(128) unsigned char shared[];  // the teams' rings
  __shared__ int kept_at[kMostShortWarps];                  // of each warp's result, in floats
  __shared__ float kept_lse[kMostShortWarps][16];
  __shared__ float block_lse[kRows];
  __shared__ Cut cuts[2];  // a share cuts two units at most: where it begins and where it ends
  __shared__ bool is_last[2];

  const int thread = static_cast<int>(threadIdx.x);
  const int warp = thread / 32;
  const int rank = static_cast<int>(cluster_rank());
  const int blocks = static_cast<int>(cluster_size());
  auto* const floats = reinterpret_cast<float*>(shared);
  // The block's result, for the cluster: [kRows, kHeadDim] after the rings.
  float* const block_values = floats + static_cast<int>(blockDim.x) / 32 * kShortWarpBytes / 4;

  const auto share_index = static_cast<int>(blockIdx.x) / blocks;
  const auto share_count = static_cast<int>(gridDim.x) / blocks;
  Share<kRows, kKeys> share;
  Tiles feed;
  if constexpr (kTeam == 1) {
    // While lengths are on their way: the share that they most likely give, and its table entries.
    // Not for teams: as compiled (13.0), their kernels then end with an illegal instruction.
    const Lengths lengths(p);
    prefetch_table(p);
    share = guess_share<kRows, kKeys>(p, share_index, share_count);
    feed.start(share.walk, shared);
    if (p.guess_kv_len > 0) feed.advance(p);
    if (p.guess_kv_len == 0 || !lengths.as_guessed(p)) {
      share = find_share<kRows, kKeys>(p, share_index, share_count);
      feed = Tiles();
      feed.start(share.walk, shared);
    }
  } else {
    prefetch_table(p);
    share = find_share<kRows, kKeys>(p, share_index, share_count);
    feed.start(share.walk, shared);
  }
  Walk<kRows, kKeys> walk = share.walk;
  if (walk.left == 0) return;
  int position = share.begin;

  const int team = feed.team;
  const int teams = feed.teams;
  const int block_teams = static_cast<int>(blockDim.x) / 32 / kTeam;
  const int first_team = rank * block_teams;
  int phase = 0;  // the team that has the part's first tile
  int stage = 0;
  int copies_due = kShortStages;
  bool first_part = true;
  int cut_count = 0;
  for (; walk.left > 0; walk.next(p)) {
    const int part_end = walk.part_end(p);
    const int part_tiles = part_end - walk.tile;
    const Place place = walk.place(p);
    const int warp_row = place.row_begin + feed.member * 16;
    const bool warp_has_rows = feed.member * 16 < place.row_count;
    const int order = (team - phase) & (teams - 1);  // among the teams of this part
    int consumed = -1;                               // where the team's last stage of this part is
    if (order < part_tiles) {
      WarpRows<kHeadDim> rows;
      bool started = false;
      // Keys from here on are hidden from the warp's first row.
      const int limit = place.kv_len - place.q_len + 1 + warp_row / p.group;
#pragma unroll 1
      for (int tile = walk.tile + order; tile < part_end; tile += teams) {
        // All of the team have consumed the tile before, whose stage is filled again here.
        join_team<kTeam>(warp / kTeam);
#pragma unroll 1
        for (; copies_due > 0; --copies_due) {
          feed.copy(p);
          if (!started) start_rows<kHeadDim>(p, place, walk.kv_head, warp_row, rows);
          started = true;  // q comes in behind one tile, not behind all
        }
        copies_due = 1;
        wait_for_copies<kShortStages - 1>();
        join_team<kTeam>(warp / kTeam);
        consumed = (warp / kTeam * kShortStages + stage) * Tiles::kStageBytes;
        stage = stage + 1 == kShortStages ? 0 : stage + 1;
        if (warp_has_rows) {
          const int key = tile * kKeys;
          const unsigned char* k_tile = shared + consumed;
          float s[kKeys / 8][4];
          weigh_keys<kHeadDim, kKeys>(k_tile, key, key + kKeys > limit, p.score_scale, rows, s);
          add_values<kHeadDim, kKeys>(k_tile + Tiles::kStageBytes / 2, s, rows);
        }
      }
      join_team<kTeam>(warp / kTeam);  // results take the place of the last tile
      if (warp_has_rows) {
        const int at = consumed / 4 + feed.member * 16 * kHeadDim;
        if (thread % 32 == 0) kept_at[warp] = at;
        keep_rows<kHeadDim>(p, rows, place.row_count - feed.member * 16, floats + at,
                            kept_lse[warp]);
      }
    }
    if (blocks > 1 && !first_part) wait_for_cluster();  // block_values were read
    __syncthreads();

    const bool whole = part_tiles == walk.tiles;
    const int items = place.row_count * kQuads;
    const auto write = [&](int row, int quad, const Quad& result) {
      if (whole) {
        write_row_quad<kHeadDim>(p, place, find_row(p, place, walk.kv_head, place.row_begin + row),
                                 quad, result.value, result.lse);
      } else {  // of a share's two parts at most, the one that begins its unit is the second
        const int index = (2 * share_index + (walk.tile == 0)) * kRows + row;
        reinterpret_cast<float4*>(p.partial_out)[index * kQuads + quad] = result.value;
        if (quad == 0) p.partial_lse[index] = result.lse;
      }
    };
    // The block's teams that have a result: turns `turn`, turn + 1, … below part_tiles, and, where
    // turns wrap around within the block, those from 0 on.
    const int turn = (first_team - phase) & (teams - 1);
    const int to_wrap = min(teams - turn, block_teams);
    const int until_wrap = min(max(part_tiles - turn, 0), to_wrap);
    const int team_count = until_wrap + min(part_tiles, block_teams - to_wrap);
    const auto kept_warp = [&](int i, int row) {
      return (i < until_wrap ? i : i - until_wrap + to_wrap) * kTeam + row / 16;
    };
#pragma unroll 1
    for (int item = thread; item < items; item += static_cast<int>(blockDim.x)) {
      const int row = item / kQuads;
      const int quad = item % kQuads;
      const int offset = kept_offset<kHeadDim>(row % 16, quad / 2) + quad % 2 * 4;
      Quad result = {make_float4(0.0F, 0.0F, 0.0F, 0.0F), minus_infinity()};
      if (team_count > 0) {
        result = merge<kMostShortWarps / kTeam>(
            team_count, [&](int i) { return kept_lse[kept_warp(i, row)][row % 16]; },
            [&](int i) {
              return *reinterpret_cast<const float4*>(floats + kept_at[kept_warp(i, row)] + offset);
            });
      }
      if (blocks == 1) {
        write(row, quad, result);
      } else {
        reinterpret_cast<float4*>(block_values)[item] = result.value;
        if (quad == 0) block_lse[row] = result.lse;
      }
    }
    const int slice = (items + blocks - 1) / blocks;  // of the items, that this block merges
    const int slice_end = min(slice * (rank + 1), items);
    if (blocks > 1) {
      arrive_at_cluster();
      wait_for_cluster();
      for (int item = slice * rank + thread; item < slice_end;
           item += static_cast<int>(blockDim.x)) {
        const int row = item / kQuads;
        write(row, item % kQuads,
              merge<4>(
                  blocks,
                  [&](int i) {
                    return load_in_cluster(
                        address_in_cluster(block_lse + row, static_cast<unsigned>(i)));
                  },
                  [&](int i) {
                    return load_quad_in_cluster(
                        address_in_cluster(block_values + item * 4, static_cast<unsigned>(i)));
                  }));
      }
      arrive_at_cluster();
      first_part = false;
    }
    __syncthreads();
    if (!whole) {
      if (thread == 0) {
        const int begin = position - walk.tile;
        const int first = quotient(begin, share.work);
        cuts[cut_count] = {place, walk.kv_head, first,
                           quotient(begin + walk.tiles - 1, share.work) - first + 1};
      }
      ++cut_count;
    }
    position += part_tiles;
    phase = (phase + part_tiles) & (teams - 1);
  }
  if (cut_count > 0) {
    if (thread < 32) {
      __syncwarp();  // thread 0 wrote the cuts
      if (thread < cut_count) {
        const Cut& cut = cuts[thread];
        is_last[thread] =
            take_ticket(p.tickets + cut.first * blocks + rank, static_cast<unsigned>(cut.parts));
      }
    }
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < cut_count; ++i) {
      if (is_last[i]) merge_parts<kHeadDim, kRows>(p, cuts[i], rank, blocks);
    }
  }
  if (blocks > 1) wait_for_cluster();  // others may read block_values until here
}

}  // namespace fa2bench::shims::cuda
