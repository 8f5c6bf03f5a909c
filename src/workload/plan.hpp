// SPDX-License-Identifier: MIT
// What a workload needs and costs: sizes, bytes and FLOPs from its lengths alone.
#pragma once

#include <cstdint>

#include "base/units.hpp"
#include "workload/workload.hpp"

namespace fa2bench {

/// Cost model. FLOPs = 4 * num_heads * head_dim * sum of visible (query, key) pairs: two per
/// multiply-add, for QK^T and PV. Bytes = K and V slots that a query token sees + q, out and lse of
/// the query tokens that see a key, each moved once. So a sequence without query tokens costs
/// nothing, nor does a token without keys: what is left in its rows is the shim's own convention.
struct Cost {
  std::uint64_t visible_pairs = 0;  ///< (query token, key) pairs under the causal mask
  double flops = 0.0;
  Bytes bytes_unique;   ///< a shared block counted once
  Bytes bytes_logical;  ///< a shared block counted for each sequence
};

/// Device and host memory of one workload, before anything is allocated.
struct Memory {
  Bytes k_pool;  ///< one pool; v is as large
  Bytes q;       ///< out is as large
  Bytes lse;
  Bytes tables;  ///< cu_seqlens_q, seq_lens, block_tables
  Bytes host;    ///< tables and block contents held by the host
};

struct Plan {
  std::int64_t num_seqs = 0;
  std::int64_t total_q_tokens = 0;
  std::int64_t empty_rows = 0;       ///< query tokens that see no key
  std::int64_t total_kv_tokens = 0;  ///< sum of kv_lens
  std::int64_t max_q_len = 0;        ///< as passed to the shim
  std::int64_t max_kv_len = 0;       ///< as passed to the shim
  std::int64_t max_blocks_per_seq = 0;
  std::int64_t live_blocks = 0;  ///< distinct blocks that hold live tokens
  std::int64_t num_blocks = 0;   ///< of the pool
  Cost cost;
  Memory memory;
};

/// A batch without a query token, as allow_empty_rows permits: no row of out or lse is there.
inline bool nothing_to_do(const Plan& plan) { return plan.total_q_tokens == 0; }

/// Computes; O(num_seqs), no table is built. The workload must be valid (see config.hpp).
Plan make_plan(const Workload& workload);

}  // namespace fa2bench
