// SPDX-License-Identifier: MIT
// One call of the shim contract as a value, so that a call can be stored, repeated and passed on.
#pragma once

#include <cstddef>

#include "abi/ferrum_fa2_shim.h"

namespace fa2bench {

/// The entry point's type; see ferrum_fa2_shim.h for every argument.
using PagedVarlenFn = decltype(&ferrum_fa2_paged_varlen_fwd);
/// The optional description's type.
using DescribeFn = decltype(&ferrum_fa2_shim_describe);

inline constexpr const char* kPagedVarlenSymbol = "ferrum_fa2_paged_varlen_fwd";
inline constexpr const char* kDescribeSymbol = "ferrum_fa2_shim_describe";

/// Arguments of one call, without stream and error buffer. Pointers borrow.
struct PagedVarlenCall {
  const void* q = nullptr;             ///< f16 [total_q_tokens, num_heads, head_dim]
  const void* k = nullptr;             ///< f16 [num_blocks, block_size, num_kv_heads, head_dim]
  const void* v = nullptr;             ///< like k
  void* out = nullptr;                 ///< like q
  void* lse = nullptr;                 ///< f32 [num_heads, total_q_tokens]
  const void* cu_seqlens_q = nullptr;  ///< i32 [num_seqs + 1]
  const void* seq_lens = nullptr;      ///< i32 [num_seqs]
  const void* block_tables = nullptr;  ///< i32 [num_seqs, max_blocks_per_seq]
  int num_seqs = 0;
  int total_q_tokens = 0;
  int max_q_len = 0;
  int max_kv_len = 0;
  int num_heads = 0;
  int num_kv_heads = 0;
  int head_dim = 0;
  int block_size = 0;
  int max_blocks_per_seq = 0;
};

/// Calls `fn`. `err_buf` may be null; returns the shim's code.
inline int invoke(PagedVarlenFn fn, const PagedVarlenCall& c, void* stream, char* err_buf,
                  std::size_t err_buf_len) {
  return fn(c.q, c.k, c.v, c.out, c.lse, c.cu_seqlens_q, c.seq_lens, c.block_tables, c.num_seqs,
            c.total_q_tokens, c.max_q_len, c.max_kv_len, c.num_heads, c.num_kv_heads, c.head_dim,
            c.block_size, c.max_blocks_per_seq, stream, err_buf, err_buf_len);
}

}  // namespace fa2bench
