// SPDX-License-Identifier: MIT
// How a prefill is laid over a Hopper device: chosen on the host from the arguments and the number
// of SMs alone, because lengths lie in device memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "shims/arguments.hpp"
#include "shims/cuda/plan.hpp"

namespace fa2bench::shims::cuda {

/// A tile has whole query tokens with all heads of a GQA group, at most this many rows.
inline constexpr int kHopperRows = 128;
inline constexpr int kHopperKeys = 128;
inline constexpr int kHopperHeadDim = 128;
/// Fewer rows in the longest sequence than this leave most of a tile empty; from here on it is
/// faster all the same than tiles that each of a team's warps reads from shared memory.
inline constexpr int kHopperLeastRows = 33;

/// The workspace's first bytes are left alone: other kernels keep what they need zeroed there.
inline constexpr std::size_t kHopperWorkspaceOffset = 4096;

struct HopperPlan {
  int tokens_per_tile = 1;
  int least_q_len = 1;              ///< shorter sequences are left out, their outputs not written
  std::int64_t slots = 0;           ///< places for tiles of one KV head, an upper bound
  std::int64_t tiles_per_seq = 0;   ///< > 0: all sequences have as many; 0: see hopper_first_slot
  int splits = 1;                   ///< parts of the keys
  int split_keys = 0;               ///< keys of a part but the last, a multiple of kHopperKeys
  std::int64_t blocks = 0;          ///< tiles of all KV heads and parts, an upper bound
  std::int64_t grid = 0;            ///< blocks of the launch: one for each tile, or one for each SM
  std::size_t workspace_bytes = 0;  ///< for partial results; 0 without a split
};

/// The first slot of a sequence that begins at query token `first_token`: each sequence has at
/// least ceil(q_len / tokens_per_tile) slots, and `total_q_tokens`, `num_seqs` give their number.
FA2BENCH_HOST_DEVICE inline std::int64_t hopper_first_slot(int first_token, int seq,
                                                           int tokens_per_tile) {
  return static_cast<std::int64_t>(first_token / tokens_per_tile) + seq;
}

inline int hopper_tokens_per_tile(const Arguments& a) {
  return kHopperRows / (a.num_heads / a.num_kv_heads);
}

/// True when the Hopper kernel has code for these checked arguments and is the one to take.
inline bool fits_hopper_prefill(const Arguments& a, int major, int minor) {
  const auto aligned = [](const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
  };
  constexpr int kMostKeys = 1 << 30;            // positions are int
  constexpr std::int64_t kMostTiles = 1 << 30;  // and so are blocks
  const int group = a.num_heads / a.num_kv_heads;
  if (group > kHopperRows) return false;
  const std::int64_t tiles =
      hopper_first_slot(a.total_q_tokens, a.num_seqs, hopper_tokens_per_tile(a)) * a.num_kv_heads;
  return major == 9 && minor == 0 && a.head_dim == kHopperHeadDim && tiles <= kMostTiles &&
         a.block_size >= 16 && a.block_size <= 256 && (a.block_size & (a.block_size - 1)) == 0 &&
         a.max_kv_len <= kMostKeys &&
         static_cast<std::int64_t>(a.max_q_len) * group >= kHopperLeastRows && aligned(a.q) &&
         aligned(a.k) && aligned(a.v) && aligned(a.out);
}

inline std::size_t hopper_workspace_bytes(const Arguments& a, int splits) {
  if (splits <= 1) return 0;
  return kHopperWorkspaceOffset +
         static_cast<std::size_t>(splits) * static_cast<std::size_t>(a.total_q_tokens) *
             static_cast<std::size_t>(a.num_heads) * (kHopperHeadDim + 1) * sizeof(float);
}

/// Whether a block for each SM takes its share of the tiles, and copies the next one's first
/// operands while it computes. That needs shares of like work: sequences of equal lengths, or short
/// ones. Else there is a block for each tile, and one that ends makes room for the next.
inline bool hopper_shares(const Arguments& a) {
  constexpr int kShortKeys = 4 * kHopperKeys;
  const bool equal = a.max_q_len == a.max_kv_len &&
                     static_cast<std::int64_t>(a.num_seqs) * a.max_q_len == a.total_q_tokens;
  return a.num_seqs == 1 || equal || a.max_kv_len <= kShortKeys;
}

/// The same plan with at most `most` parts.
inline HopperPlan hopper_with_splits(HopperPlan plan, const Arguments& a, int sm_count,
                                     std::int64_t most) {
  const std::int64_t keys = std::max(a.max_kv_len, 1);
  const std::int64_t part =
      ceil_div(ceil_div(keys, std::max<std::int64_t>(most, 1)), kHopperKeys) * kHopperKeys;
  plan.splits = static_cast<int>(ceil_div(keys, part));
  plan.split_keys = static_cast<int>(std::min<std::int64_t>(part, 0x7FFFFF00));
  plan.workspace_bytes = hopper_workspace_bytes(a, plan.splits);
  plan.blocks = plan.slots * a.num_kv_heads * plan.splits;
  plan.grid = hopper_shares(a) ? std::min<std::int64_t>(plan.blocks, sm_count) : plan.blocks;
  return plan;
}

/// A plan for arguments that fit, with at least one query token.
inline HopperPlan make_hopper_plan(const Arguments& a, int sm_count) {
  constexpr std::int64_t kLeastSplitKeys = 1024;
  constexpr std::size_t kMostWorkspaceBytes = std::size_t{128} << 20U;
  HopperPlan plan;
  plan.tokens_per_tile = hopper_tokens_per_tile(a);
  plan.slots = hopper_first_slot(a.total_q_tokens, a.num_seqs, plan.tokens_per_tile);
  const std::int64_t even_tiles = ceil_div(a.max_q_len, plan.tokens_per_tile);
  if (even_tiles <= plan.slots / a.num_seqs) {
    plan.tiles_per_seq = even_tiles;
    plan.slots = even_tiles * a.num_seqs;
  }
  // A block fills an SM. A split only where tiles leave more than half of them idle.
  const std::int64_t tiles = plan.slots * a.num_kv_heads;
  std::int64_t splits = tiles * 2 > sm_count ? 1 : sm_count / tiles;
  splits = std::min(splits, static_cast<std::int64_t>(a.max_kv_len) / kLeastSplitKeys);
  while (splits > 1 && hopper_workspace_bytes(a, static_cast<int>(splits)) > kMostWorkspaceBytes) {
    --splits;
  }
  return hopper_with_splits(plan, a, sm_count, splits);
}

}  // namespace fa2bench::shims::cuda
