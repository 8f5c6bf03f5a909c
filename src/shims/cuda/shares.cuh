// SPDX-License-Identifier: MIT
// Short queries: who reads what. Lengths are in device memory, so each block finds its own share.
//
// A unit is a tile of query rows of a sequence with one KV head; its work is the key tiles that the
// sequence has. All units in a line (sequences, then row tiles, then KV heads) are cut into equal
// shares, one per cluster, without regard to where units begin. A unit that lies in several shares
// is merged by the last of them to finish. The cut depends on lengths and the number of clusters
// alone, and parts are merged in the order of shares: results are the same bits each time.
//
// All of this comes before the first key is asked for: its latency counts. Hence every warp finds
// the share by itself, and divisions are few, and of 32 bits (the plan keeps the line below 2^31).
#pragma once

#include <cstdint>

#include "shims/cuda/place.cuh"
#include "shims/cuda/plan.hpp"
#include "shims/cuda/ptx.cuh"

namespace fa2bench::shims::cuda {

/// Work of a share, for at most `shares` of them. When a whole number of units per share, or of
/// shares per unit, is nearly as even, units of one length are cut less often, and less is merged.
__device__ inline int share_of(int work, int units, int shares) {
  const auto total = static_cast<float>(work);
  const auto count = static_cast<float>(units);
  const auto most = static_cast<float>(shares);
  auto even = static_cast<int>(__fdividef(total, most));
  while (even * static_cast<float>(shares) < total) ++even;
  const float unit = __fdividef(total, count);  // mean
  const float fitting = units <= shares ? __fdividef(unit, floorf(__fdividef(most + 0.5F, count)))
                                        : unit * ceilf(__fdividef(count - 0.5F, most));
  // These quotients are approximate: what should be whole must not be rounded up.
  const auto aligned = static_cast<int>(ceilf(fitting * (1.0F - 1e-6F) - 0.01F));
  return aligned >= even && aligned - even <= max(8, even / 16) ? aligned : even;
}

/// Walks over a block's share: one unit's part of it at a time.
template <int kRows, int kKeys>
struct Walk {
  int left;  ///< work of the share from this part on; 0 at the end
  int seq;
  int first_token;
  int q_len;
  int kv_len;
  int kv_head;
  int row_begin;
  int tiles;  ///< of the unit
  int tile;   ///< the first of the part

  __device__ void enter(const Params& p, int sequence) {
    seq = sequence;
    first_token = p.cu_seqlens_q[seq];
    q_len = p.cu_seqlens_q[seq + 1] - first_token;
    kv_len = p.seq_lens[seq];
    kv_head = 0;
    row_begin = 0;
    tiles = tiles_of(kv_len);
  }
  __device__ static int tiles_of(int kv_len) { return max((kv_len + kKeys - 1) / kKeys, 1); }
  __device__ static int row_tiles_of(const Params& p, int q_len) {
    return (q_len * p.group + kRows - 1) / kRows;
  }
  /// Without a workspace no unit is cut: each is 1 of work, whatever its length.
  __device__ static bool cut(const Params& p) { return p.tickets != nullptr; }

  __device__ int part_end(const Params& p) const {
    return cut(p) ? min(tiles, tile + left) : tiles;
  }
  __device__ void next(const Params& p) {
    left -= cut(p) ? part_end(p) - tile : 1;
    tile = 0;
    if (left == 0) return;
    if (++kv_head < p.num_kv_heads) return;
    kv_head = 0;
    row_begin += kRows;
    if (row_begin < q_len * p.group) return;
    do {
      enter(p, seq + 1);
    } while (q_len == 0);
  }
  __device__ Place place(const Params& p) const {
    return {seq, first_token, q_len, kv_len, row_begin, min(q_len * p.group - row_begin, kRows)};
  }
};

/// Has the block table's first lines in L2 when lengths are known: each thread of the grid asks for
/// one. All entries may be read, used or not.
__device__ inline void prefetch_table(const Params& p) {
  constexpr std::int64_t kEntriesPerLine = 32;
  const std::int64_t line = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (line * kEntriesPerLine < p.num_seqs * p.table_stride) {
    prefetch_to_l2(p.block_tables + line * kEntriesPerLine);
  }
}

/// Where a share begins, and what is needed to find the others.
template <int kRows, int kKeys>
struct Share {
  Walk<kRows, kKeys> walk;  ///< its `left` is 0 where there is no share
  int begin;
  int work;  ///< of every share but perhaps the last
};

/// The unit in which a share begins, `inside` the work of its sequence.
template <int kRows, int kKeys>
__device__ inline void begin_inside(const Params& p, int inside, Walk<kRows, kKeys>& walk) {
  const int unit_work = Walk<kRows, kKeys>::cut(p) ? walk.tiles : 1;
  const int unit = quotient(inside, unit_work);
  const int row_tile = unit < p.num_kv_heads ? 0 : quotient(unit, p.num_kv_heads);
  walk.tile = inside - unit * unit_work;
  walk.kv_head = unit - row_tile * p.num_kv_heads;
  walk.row_begin = row_tile * kRows;
}

/// The lengths that a guess is about, on their way: lane i of a warp has those of sequences
/// 32 · j + i.
struct Lengths {
  static constexpr int kEach = 4;
  int q_end[kEach];
  int kv_len[kEach];

  __device__ explicit Lengths(const Params& p) {
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const int seq = min(i * 32 + static_cast<int>(threadIdx.x) % 32, p.num_seqs - 1);
      q_end[i] = p.cu_seqlens_q[seq + 1];
      kv_len[i] = p.seq_lens[seq];
    }
  }
  /// Whether all sequences are as long as the longest may be. All lanes of a warp call.
  __device__ bool as_guessed(const Params& p) const {
    bool as = true;
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const int seq = min(i * 32 + static_cast<int>(threadIdx.x) % 32, p.num_seqs - 1);
      as = as && q_end[i] == (seq + 1) * p.guess_q_len && kv_len[i] == p.guess_kv_len;
    }
    return __all_sync(0xFFFFFFFFU, static_cast<int>(as)) != 0;
  }
};

/// The share when all sequences are as long as the longest may be: what find_share would find, but
/// without waiting for a length.
template <int kRows, int kKeys>
__device__ inline Share<kRows, kKeys> guess_share(const Params& p, int share, int shares) {
  using W = Walk<kRows, kKeys>;
  Share<kRows, kKeys> result;
  W& walk = result.walk;
  walk.q_len = p.guess_q_len;
  walk.kv_len = p.guess_kv_len;
  walk.tiles = W::tiles_of(walk.kv_len);
  const int seq_units = W::row_tiles_of(p, walk.q_len) * p.num_kv_heads;
  const int seq_work = W::cut(p) ? seq_units * walk.tiles : seq_units;
  const int total = seq_work * p.num_seqs;
  result.work = share_of(total, seq_units * p.num_seqs, shares);
  const std::int64_t begin = static_cast<std::int64_t>(share) * result.work;
  walk.left = 0;
  if (begin >= total) return result;
  result.begin = static_cast<int>(begin);
  walk.left = min(result.work, total - result.begin);
  walk.seq = quotient(result.begin, seq_work);
  walk.first_token = walk.seq * walk.q_len;
  begin_inside(p, result.begin - walk.seq * seq_work, walk);
  return result;
}

/// All lanes of a warp call.
template <int kRows, int kKeys>
__device__ inline Share<kRows, kKeys> find_share(const Params& p, int share, int shares) {
  using W = Walk<kRows, kKeys>;
  constexpr unsigned kAll = 0xFFFFFFFFU;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  Share<kRows, kKeys> result;
  result.walk.left = 0;
  result.work = 0;
  int inside = 0;  // position of the share's begin in the range of sequences
  int first = 0;
  int count = p.num_seqs;
  for (int run = 0; run != 1;) {  // each lane sums a run of sequences, and the range becomes a run
    run = (count + 31) / 32;
    int units = 0;
    int work = 0;
#pragma unroll 1
    for (int i = 0; i < run; ++i) {
      const int seq = lane * run + i;
      if (seq >= count) break;
      const int q_len = p.cu_seqlens_q[first + seq + 1] - p.cu_seqlens_q[first + seq];
      const int kv_len = p.seq_lens[first + seq];
      const int more = W::row_tiles_of(p, q_len) * p.num_kv_heads;
      units += more;
      work += W::cut(p) ? more * W::tiles_of(kv_len) : more;
    }
    int upto = work;
#pragma unroll
    for (unsigned step = 1; step < 32; step *= 2) {
      const int other = __shfl_up_sync(kAll, upto, step);
      if (lane >= static_cast<int>(step)) upto += other;
    }
    if (result.work == 0) {
      const int total = __shfl_sync(kAll, upto, 31);
      if (total == 0) return result;
      result.work = share_of(total, __reduce_add_sync(kAll, units), shares);
      const std::int64_t begin = static_cast<std::int64_t>(share) * result.work;
      if (begin >= total) return result;
      result.begin = static_cast<int>(begin);
      result.walk.left = min(result.work, total - result.begin);
      inside = result.begin;
    }
    const int found = __ffs(static_cast<int>(__ballot_sync(kAll, inside < upto))) - 1;
    inside -= __shfl_sync(kAll, upto - work, found);
    first += found * run;
    count = min(run, count - found * run);
  }
  result.walk.enter(p, first);
  begin_inside(p, inside, result.walk);
  return result;
}

}  // namespace fa2bench::shims::cuda
