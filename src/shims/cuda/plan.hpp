// SPDX-License-Identifier: MIT
// How one call is laid over the device: chosen on the host from the arguments and the number of SMs
// alone, because lengths lie in device memory and reading them would stop the stream.
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

/// Query rows of a block: with few rows per sequence (decode) a wide tile would mostly be empty.
inline constexpr int kSmallRows = 16;
inline constexpr int kLargeRows = 64;
/// Parts of a KV split begin at multiples of this, and so at tile edges of every kernel.
inline constexpr int kSplitStep = 64;

struct Plan {
  bool large = false;              ///< kLargeRows per tile, else kSmallRows
  std::int64_t slots = 0;          ///< places for tiles, an upper bound of the tiles of one KV head
  std::int64_t tiles_per_seq = 0;  ///< > 0: slot = seq · tiles_per_seq + tile; 0: see first_slot
  int splits = 1;                  ///< parts of the keys
  std::int64_t split_keys = 0;     ///< keys of a part but the last, which takes all the rest
  std::int64_t blocks = 0;         ///< of the grid: slots · KV heads · splits
  std::size_t workspace_bytes = 0;  ///< for partial results; 0 without a split
};

/// The first slot of a sequence that begins at query token `first_token`, when lengths are unknown:
/// each sequence has at least ceil(q_len · group / rows) slots, and the total is known.
/// `first_token` == total_q_tokens and `seq` == num_seqs give the number of slots.
FA2BENCH_HOST_DEVICE inline std::int64_t first_slot(std::int64_t first_token, std::int64_t seq,
                                                    int group, int rows) {
  return first_token * group / rows + seq;
}

inline std::size_t workspace_bytes(const Arguments& a, int splits) {
  if (splits <= 1) return 0;
  return static_cast<std::size_t>(splits) * static_cast<std::size_t>(a.total_q_tokens) *
         static_cast<std::size_t>(a.num_heads) * (static_cast<std::size_t>(a.head_dim) + 1) *
         sizeof(float);
}

inline std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// How many parts would keep the device busy. `tiles` are the blocks without a split.
inline std::int64_t wanted_splits(const Arguments& a, bool large, std::int64_t tiles,
                                  int sm_count) {
  // Blocks that are resident at a time, by the kernels' shared memory and registers on sm_90.
  const std::int64_t resident = static_cast<std::int64_t>(sm_count) * (large ? 2 : 6);
  // A long sequence among short ones must not be left to a few blocks.
  const std::int64_t by_length = ceil_div(a.max_kv_len, 2048);
  if (large) return tiles >= resident ? 1 : std::max(ceil_div(2 * resident, tiles), by_length);
  return std::max(tiles >= 2 * resident ? 1 : ceil_div(2 * resident, tiles), by_length);
}

/// The same plan with at most `most` parts.
inline Plan with_splits(Plan plan, const Arguments& a, std::int64_t most) {
  plan.splits = 1;
  plan.split_keys = std::max(a.max_kv_len, 1);
  if (most > 1) {
    plan.split_keys = std::max<std::int64_t>(
        ceil_div(ceil_div(a.max_kv_len, most), kSplitStep) * kSplitStep, kSplitStep);
    plan.splits = std::max(static_cast<int>(ceil_div(a.max_kv_len, plan.split_keys)), 1);
  }
  plan.workspace_bytes = workspace_bytes(a, plan.splits);
  plan.blocks = plan.slots * a.num_kv_heads * plan.splits;
  return plan;
}

/// A plan for checked arguments with at least one query token.
inline Plan make_plan(const Arguments& a, int sm_count) {
  constexpr std::int64_t kMostSplits = 128;
  constexpr std::int64_t kLeastSplitKeys = 256;
  constexpr std::size_t kMostWorkspaceBytes = std::size_t{128} << 20U;
  constexpr std::int64_t kMostBlocks = 0x7FFFFFFF;

  Plan plan;
  const int group = a.num_heads / a.num_kv_heads;
  const std::int64_t most_rows = static_cast<std::int64_t>(a.max_q_len) * group;
  plan.large = most_rows > kSmallRows;
  const int rows = plan.large ? kLargeRows : kSmallRows;
  plan.slots = first_slot(a.total_q_tokens, a.num_seqs, group, rows);
  const std::int64_t even_tiles = ceil_div(most_rows, rows);
  if (even_tiles <= plan.slots / a.num_seqs) {
    plan.tiles_per_seq = even_tiles;
    plan.slots = even_tiles * a.num_seqs;
  }
  const std::int64_t tiles = plan.slots * a.num_kv_heads;
  std::int64_t splits = wanted_splits(a, plan.large, tiles, sm_count);
  splits = std::min({splits, kMostSplits, ceil_div(a.max_kv_len, kLeastSplitKeys),
                     std::max<std::int64_t>(kMostBlocks / tiles, 1)});
  while (splits > 1 && workspace_bytes(a, static_cast<int>(splits)) > kMostWorkspaceBytes) {
    --splits;
  }
  return with_splits(plan, a, splits);
}

}  // namespace fa2bench::shims::cuda
