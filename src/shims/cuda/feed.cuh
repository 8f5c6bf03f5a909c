// SPDX-License-Identifier: MIT
// Short queries: a team of warps fills its ring of key tiles, ahead of their use and on from one
// unit into the next, while table entries for the tiles after those are on their way.
#pragma once

#include <cstdint>

#include "shims/cuda/cluster.cuh"
#include "shims/cuda/key_tile.cuh"
#include "shims/cuda/place.cuh"
#include "shims/cuda/ptx.cuh"
#include "shims/cuda/shares.cuh"

namespace fa2bench::shims::cuda {

/// Copies K and V of a team's tiles ahead of their use.
template <int kHeadDim, int kTeam>
struct Feed {
  static constexpr int kKeys = short_tile_keys(kHeadDim, kTeam);
  static constexpr int kRows = 16 * kTeam;
  static constexpr int kWarpKeys = kKeys / kTeam;  ///< that each warp copies
  static constexpr int kGroups = kWarpKeys / 16;   ///< of 16 keys: in one block of the table
  static constexpr int kBatch = 32 / kGroups;      ///< tiles whose table entries a warp holds
  static constexpr int kStageBytes = 2 * kKeys * kHeadDim * 2;

  // Two batches of tiles: `now`, and `ahead`, whose table entries are on their way. Lane i has the
  // entry of the i-th 16 keys that the warp copies.
  int tile = 0;   ///< of now: the next to copy
  int end = 0;    ///< of now
  int index = 0;  ///< of `tile` in now
  int entry = 0;
  int kv_len = 0;
  int kv_head = 0;
  Walk<kRows, kKeys> ahead = {};
  int ahead_tile = 0;
  int ahead_entry = 0;
  bool ahead_asked = false;

  int phase = 0;  ///< the team that has the first tile of ahead's part
  int team = 0;   ///< in the cluster
  int teams = 0;  ///< of the cluster
  int member = 0;
  unsigned char* ring = nullptr;
  int stage = 0;

  __device__ void start(const Walk<kRows, kKeys>& share, unsigned char* shared) {
    ahead = share;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int block_teams = static_cast<int>(blockDim.x) / 32 / kTeam;
    team = static_cast<int>(cluster_rank()) * block_teams + warp / kTeam;
    teams = static_cast<int>(cluster_size()) * block_teams;
    member = warp % kTeam;
    ring = shared + warp / kTeam * kShortStages * kStageBytes;
    ahead_tile = share.tile + team;
  }

  /// Has the warp's rows of q in L2 when the part ahead begins.
  __device__ void prefetch_rows(const Params& p, int lane) const {
    constexpr int kLines = kHeadDim / 64;  // of 128 bytes, in a row
    const Place place = ahead.place(p);
    const int row = member * 16 + lane / kLines;
    if (lane < 16 * kLines && row < place.row_count) {
      const Row at = find_row(p, place, ahead.kv_head, place.row_begin + row);
      prefetch_to_l2(p.q + at.index * kHeadDim + lane % kLines * 64);
    }
  }

  /// `now` becomes `ahead`, which moves on to the next tiles that the team has.
  __device__ void advance(const Params& p) {
    if (ahead_asked) {
      tile = ahead_tile;
      end = min(ahead.part_end(p), tile + kBatch * teams);
      index = 0;
      entry = ahead_entry;
      kv_len = ahead.kv_len;
      kv_head = ahead.kv_head;
      ahead_tile += kBatch * teams;
    }
    bool entered = !ahead_asked;  // at the beginning
    while (ahead.left > 0) {
      const int part_end = ahead.part_end(p);
      if (ahead_tile < part_end) break;
      entered = true;
      phase = (phase + part_end - ahead.tile) & (teams - 1);
      ahead.next(p);
      ahead_tile = ahead.tile + ((team - phase) & (teams - 1));
    }
    ahead_asked = ahead.left > 0;
    if (!ahead_asked) return;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    if (entered) prefetch_rows(p, lane);
    const int key =
        (ahead_tile + lane / kGroups * teams) * kKeys + member * kWarpKeys + lane % kGroups * 16;
    ahead_entry = 0;
    if (key < ahead.kv_len) {
      ahead_entry = p.block_tables[ahead.seq * p.table_stride + (key >> p.block_shift)];
    }
  }

  /// Starts the copies of the team's next tile, if any, into the next stage, and ends a group.
  __device__ void copy(const Params& p) {
    constexpr int kChunks = kHeadDim / 8;
    constexpr int kRowsPerPass = 32 / kChunks;
#pragma unroll 1
    while (tile >= end && (ahead_asked || ahead.left > 0)) advance(p);
    if (tile < end) {
      const int lane = static_cast<int>(threadIdx.x) % 32;
      unsigned char* k_tile = ring + stage * kStageBytes;
      unsigned char* v_tile = k_tile + kStageBytes / 2;
      const std::int64_t row_bytes = static_cast<std::int64_t>(p.num_kv_heads) * kHeadDim * 2;
#pragma unroll
      for (int group = 0; group < kGroups; ++group) {
        const int row = member * kWarpKeys + group * 16;
        const int key = tile * kKeys + row;
        const int live = kv_len - key;  // rows of the group, perhaps none, or more
        const std::int64_t block = __shfl_sync(0xFFFFFFFFU, entry, index * kGroups + group);
        const std::int64_t slot =
            (block << p.block_shift) + (key & ((1 << p.block_shift) - 1)) + lane / kChunks;
        const std::int64_t from = slot * row_bytes + (kv_head * kHeadDim + lane % kChunks * 8) * 2;
        const char* k = reinterpret_cast<const char*>(p.k) + from;
        const char* v = reinterpret_cast<const char*>(p.v) + from;
#pragma unroll
        for (int pass = 0; pass < 16 / kRowsPerPass; ++pass) {
          const int in_group = pass * kRowsPerPass + lane / kChunks;
          const int to = chunk_offset<kHeadDim>(row + in_group, lane % kChunks);
          copy_async(k_tile + to, k, in_group < live);
          copy_async(v_tile + to, v, in_group < live);
          k += kRowsPerPass * row_bytes;
          v += kRowsPerPass * row_bytes;
        }
      }
      tile += teams;
      ++index;
    }
    stage = stage + 1 == kShortStages ? 0 : stage + 1;
    commit_copies();
  }
};

/// Lets the warps of a team see each other's copies, or go on together.
template <int kTeam>
__device__ inline void join_team(int team) {
  __syncwarp();
  if (kTeam > 1) {
    asm volatile("bar.sync %0, %1;\n" ::"r"(team + 1), "n"(kTeam * 32) : "memory");
  }
}

}  // namespace fa2bench::shims::cuda
