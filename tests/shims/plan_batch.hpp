// SPDX-License-Identifier: MIT
// Batches for the tests of the CUDA shim's plans.
#pragma once

#include "shims/arguments.hpp"

namespace fa2bench::shims::cuda {

/// Sequences that are all alike, head_dim 128 and block_size 16, without any memory.
inline Arguments batch(int num_seqs, int q_len, int kv_len, int num_heads, int num_kv_heads) {
  Arguments a = {};
  a.num_seqs = num_seqs;
  a.total_q_tokens = num_seqs * q_len;
  a.max_q_len = q_len;
  a.max_kv_len = kv_len;
  a.num_heads = num_heads;
  a.num_kv_heads = num_kv_heads;
  a.head_dim = 128;
  a.block_size = 16;
  return a;
}

}  // namespace fa2bench::shims::cuda
