// SPDX-License-Identifier: MIT
// How one call is laid over the device: chosen on the host from the arguments and the device alone,
// because lengths lie in device memory and reading them would stop the stream.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "shims/arguments.hpp"

#if defined(__CUDACC__)
#define FA2BENCH_HOST_DEVICE __host__ __device__
#else
#define FA2BENCH_HOST_DEVICE
#endif

namespace fa2bench::shims::cuda {

/// Sequences of up to so many query tokens are limited by reading K and V: short_queries.cuh.
inline constexpr int kMostShortQueries = 64;
/// The warps of a block of short queries, 16 query rows each, and the key tiles in a team's ring.
inline constexpr int kMostShortWarps = 8;
inline constexpr int kShortStages = 3;
/// Query rows of a block of attention.cuh: longer queries, and many sequences with few keys.
inline constexpr int kLargeRows = 64;
inline constexpr int kSmallRows = 16;
/// Parts of a KV split of longer queries begin at multiples of this, and so at tile edges.
inline constexpr int kSplitStep = 64;
/// Every workspace begins with so many bytes of tickets, which are zero between launches.
inline constexpr std::size_t kTicketBytes = 4096;

/// What of a device a plan depends on.
struct DeviceFacts {
  int sm_count;
  int shared_bytes;  ///< that a block may have
  int major;         ///< of the compute capability
  int minor;
  int pairs;  ///< of blocks of short queries, as clusters, that run at a time; perhaps 0
};

struct Plan {
  int team = 0;     ///< short queries: warps with rows of their own that share key tiles; 0: others
  int warps = 0;    ///< of a block
  int cluster = 1;  ///< short queries: blocks that have a share together
  int shared_bytes = 0;             ///< of a block, dynamic
  std::int64_t blocks = 0;          ///< of the grid; longer queries: slots · KV heads · splits
  std::int64_t slots = 0;           ///< longer: places for tiles of one KV head, an upper bound
  std::int64_t tiles_per_seq = 0;   ///< > 0: slot = seq · tiles_per_seq + tile; 0: see first_slot
  int splits = 1;                   ///< longer: parts of the keys
  std::int64_t split_keys = 0;      ///< keys of a part but the last, which takes all the rest
  std::int64_t partial_rows = 0;    ///< of partial results in the workspace
  std::size_t workspace_bytes = 0;  ///< 0 where there are no partial results
};

/// Keys of a team's tile: 8 KiB of K and V for each warp.
FA2BENCH_HOST_DEVICE constexpr int short_tile_keys(int head_dim, int team) {
  return 2048 / head_dim * team;
}
/// Shared memory of a warp's share of a ring.
inline constexpr int kShortWarpBytes = kShortStages * 8192;

/// Keys of a tile of attention.cuh: 16 KiB of K and V for a single warp, else 32 KiB (head_dim
/// 128).
FA2BENCH_HOST_DEVICE constexpr int long_tile_keys(int head_dim, int warps) {
  return warps > 1 ? 64 : 4096 / head_dim;
}

/// The first slot of a sequence that begins at query token `first_token`, when lengths are unknown:
/// each sequence has at least ceil(q_len · group / rows) slots, and the total is known.
/// `first_token` == total_q_tokens and `seq` == num_seqs give the number of slots.
FA2BENCH_HOST_DEVICE inline std::int64_t first_slot(std::int64_t first_token, std::int64_t seq,
                                                    int group, int rows) {
  return first_token * group / rows + seq;
}

/// Tickets, then an output row and an lse in f32 for each partial row.
inline std::size_t workspace_bytes(const Arguments& a, std::int64_t partial_rows) {
  if (partial_rows == 0) return 0;
  return kTicketBytes + static_cast<std::size_t>(partial_rows) *
                            (static_cast<std::size_t>(a.head_dim) + 1) * sizeof(float);
}

inline std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// One persistent block per SM. Where units are so few that each has many parts, blocks work in
/// pairs, so that half as many parts have to be merged through the workspace.
inline Plan short_plan(const Arguments& a, const DeviceFacts& device) {
  constexpr int kStaticBytes = 2048;  // at most, beside the dynamic
  constexpr int kMostBlocks = static_cast<int>(kTicketBytes / sizeof(unsigned));
  Plan plan;
  const std::int64_t rows = std::int64_t{a.max_q_len} * (a.num_heads / a.num_kv_heads);
  plan.team = rows <= 16 ? 1 : rows <= 32 ? 2 : 4;
  const std::int64_t units = ceil_div(rows, plan.team * 16) * a.num_kv_heads * a.num_seqs;
  plan.cluster = device.pairs > 0 && units * 8 <= device.sm_count ? 2 : 1;
  // Rings, and a result for the cluster.
  const int result_bytes = plan.cluster > 1 ? plan.team * 16 * a.head_dim * 4 : 0;
  plan.warps = kMostShortWarps;
  if (plan.warps * kShortWarpBytes + result_bytes + kStaticBytes > device.shared_bytes) {
    plan.warps /= 2;
  }
  plan.shared_bytes = plan.warps * kShortWarpBytes + result_bytes;
  const int shares = plan.cluster > 1 ? device.pairs : device.sm_count;
  plan.blocks = std::min(shares * plan.cluster, kMostBlocks);
  plan.partial_rows = 2 * plan.blocks / plan.cluster * plan.team * 16;
  plan.workspace_bytes = workspace_bytes(a, plan.partial_rows);
  return plan;
}

/// A warp for each unit, handed out by the hardware: for so many units with so few keys that
/// merging warps' results would cost more than it spreads.
inline bool wants_warps(const Arguments& a, const DeviceFacts& device) {
  const std::int64_t units = std::int64_t{a.num_seqs} * a.num_kv_heads;
  return a.max_q_len * (a.num_heads / a.num_kv_heads) <= kSmallRows && a.max_kv_len <= 256 &&
         units >= std::int64_t{6} * device.sm_count;
}

/// How many parts would keep the device busy. `tiles` are the blocks without a split.
inline std::int64_t wanted_splits(const Arguments& a, std::int64_t tiles, int sm_count) {
  // Blocks that are resident at a time, by the kernel's shared memory and registers on sm_90.
  const std::int64_t resident = static_cast<std::int64_t>(sm_count) * 2;
  // A long sequence among short ones must not be left to a few blocks.
  const std::int64_t by_length = ceil_div(a.max_kv_len, 2048);
  return tiles >= resident ? 1 : std::max(ceil_div(2 * resident, tiles), by_length);
}

/// The same plan of longer queries with at most `most` parts.
inline Plan with_splits(Plan plan, const Arguments& a, std::int64_t most) {
  plan.splits = 1;
  plan.split_keys = std::max(a.max_kv_len, 1);
  if (most > 1) {
    plan.split_keys = std::max<std::int64_t>(
        ceil_div(ceil_div(a.max_kv_len, most), kSplitStep) * kSplitStep, kSplitStep);
    plan.splits = std::max(static_cast<int>(ceil_div(a.max_kv_len, plan.split_keys)), 1);
  }
  plan.partial_rows =
      plan.splits == 1 ? 0 : std::int64_t{plan.splits} * a.total_q_tokens * a.num_heads;
  plan.workspace_bytes = workspace_bytes(a, plan.partial_rows);
  plan.blocks = plan.slots * a.num_kv_heads * plan.splits;
  return plan;
}

inline Plan long_plan(const Arguments& a, const DeviceFacts& device) {
  constexpr std::int64_t kMostSplits = 128;
  constexpr std::int64_t kLeastSplitKeys = 256;
  constexpr std::size_t kMostWorkspaceBytes = std::size_t{128} << 20U;
  constexpr std::int64_t kMostBlocks = 0x7FFFFFFF;

  Plan plan;
  const int rows = wants_warps(a, device) ? kSmallRows : kLargeRows;
  plan.warps = rows / 16;
  plan.shared_bytes = 4 * long_tile_keys(a.head_dim, plan.warps) * a.head_dim * 2;  // two of K, V
  const int group = a.num_heads / a.num_kv_heads;
  plan.slots = first_slot(a.total_q_tokens, a.num_seqs, group, rows);
  const std::int64_t even_tiles = ceil_div(static_cast<std::int64_t>(a.max_q_len) * group, rows);
  if (even_tiles <= plan.slots / a.num_seqs) {
    plan.tiles_per_seq = even_tiles;
    plan.slots = even_tiles * a.num_seqs;
  }
  const std::int64_t tiles = plan.slots * a.num_kv_heads;
  std::int64_t splits = wanted_splits(a, tiles, device.sm_count);
  splits = std::min({splits, kMostSplits, ceil_div(a.max_kv_len, kLeastSplitKeys),
                     std::max<std::int64_t>(kMostBlocks / tiles, 1)});
  while (splits > 1 && with_splits(plan, a, splits).workspace_bytes > kMostWorkspaceBytes) --splits;
  return with_splits(plan, a, splits);
}

/// Whether the key tiles of all short queries can be counted in 31 bits.
inline bool short_line(const Arguments& a) {
  const double rows = static_cast<double>(a.max_q_len) * a.num_heads;  // at least one tile each
  return (rows / 16 + a.num_kv_heads) * a.num_seqs * (a.max_kv_len / 16.0 + 1) < 2147483648.0;
}

/// Whether all sequences may be as long as the longest, few enough for a warp to compare at once
/// and with table entries for all of their keys: what guess_share needs.
inline bool may_guess(const Arguments& a) {
  constexpr int kMostGuessed = 128;
  return a.num_seqs <= kMostGuessed && std::int64_t{a.num_seqs} * a.max_q_len == a.total_q_tokens &&
         a.max_kv_len <= std::int64_t{a.max_blocks_per_seq} * a.block_size;
}

/// A plan for checked arguments with at least one query token.
inline Plan make_plan(const Arguments& a, const DeviceFacts& device) {
  const bool is_short =
      a.max_q_len <= kMostShortQueries && short_line(a) && !wants_warps(a, device);
  return is_short ? short_plan(a, device) : long_plan(a, device);
}

/// The same without partial results, when there is no memory for them.
inline Plan without_workspace(Plan plan, const Arguments& a) {
  plan.partial_rows = 0;
  plan.workspace_bytes = 0;
  return plan.team > 0 ? plan : with_splits(plan, a, 1);
}

}  // namespace fa2bench::shims::cuda
