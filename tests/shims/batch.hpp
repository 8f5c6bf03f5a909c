// SPDX-License-Identifier: MIT
// A batch for a shim: lengths in, poisoned pools and tables out, and what the shim must answer,
// computed in double straight from the contract's formulas.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "abi/call.hpp"

namespace fa2bench::test {

/// What a test chooses.
struct BatchShape {
  int num_heads = 8;
  int num_kv_heads = 2;
  int head_dim = 64;
  int block_size = 16;
  std::vector<std::pair<int, int>> lengths;  ///< q_len, kv_len of each sequence
  int extra_columns = 3;                     ///< table columns that no sequence needs
  int shared_blocks = 0;                     ///< leading blocks that all sequences share
  std::uint32_t seed = 1;
  float scale = 1.0F;  ///< standard deviation of q, k and v

  BatchShape with(std::vector<std::pair<int, int>> wanted) const {
    BatchShape shape = *this;
    shape.lengths = std::move(wanted);
    return shape;
  }
};

/// Owns every buffer of a call. Unused blocks and slots hold NaN; unused table entries -1, INT_MAX
/// or ids far outside the pool; out and lse a canary.
struct Batch {
  BatchShape shape;
  std::vector<std::uint16_t> q, k, v, out;
  std::vector<float> lse;
  std::vector<std::int32_t> cu_seqlens_q, seq_lens, block_tables;
  PagedVarlenCall call;  ///< points into the above

  explicit Batch(const BatchShape& shape);
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  /// Element offset of a key's row for a KV head, in k and v.
  std::size_t key_offset(int seq, int key, int kv_head) const;
  void fill_outputs_with_canary();
};

/// Rows in the order of out ([tokens, heads]) and of lse ([heads, tokens]).
struct Expected {
  std::vector<double> out;
  std::vector<double> lse;
};

Expected expected_result(const Batch& batch);

/// The worst |actual - expected| / max(1, |expected|); infinite where a canary was left, for NaN
/// and for a finite lse where -inf is due or the other way round.
struct Errors {
  double out = 0;
  double lse = 0;
};

Errors compare(const Batch& batch, const Expected& expected);

}  // namespace fa2bench::test
