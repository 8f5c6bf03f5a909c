// SPDX-License-Identifier: MIT
// Attention written straight from the contract, over host memory: exactly, as a plain f16 kernel
// computes it, and with the mistakes that shims are known to make.
#pragma once

#include <vector>

#include "abi/call.hpp"

namespace fa2bench::test {

/// [tokens, heads, dim] and [heads, tokens], in float64.
struct ExactResult {
  std::vector<double> out;
  std::vector<double> spread;  ///< like out: sqrt(sum_j (p_j v_j)^2)
  std::vector<double> lse;
  std::vector<double> largest_score;  ///< like lse: max |score|
};

/// Reads what `call` points at; every output element but those of rows that see no key.
ExactResult exact_attention(const PagedVarlenCall& call);

enum class Mistake {
  none,             ///< f32 scores and sums, weights rounded to f16, result rounded to f16
  zeros,            ///< out is 0
  constant,         ///< out is 0.5
  mean_of_v,        ///< all visible keys weigh the same
  scale_off,        ///< scores 2 % too large
  top_left,         ///< causal mask aligned top-left
  drop_last_block,  ///< keys of the last, perhaps partial, page not read
  wrong_kv_head,    ///< head % num_kv_heads
  next_kv_head,     ///< the one after the right one, cyclically
  f16_sums,         ///< weighted values summed in f16
  lse_base2,        ///< logarithm to base 2
  lse_unscaled,     ///< of scores that are not divided by sqrt(head_dim)
  lse_transposed,   ///< [tokens, heads]
  lse_padded,       ///< [seqs, heads, max_q_len], as far as the buffer goes
  no_mask,          ///< every row sees all keys of its sequence
  last_key,         ///< the last visible key of rows with more than one is not read
  key_limit,        ///< keys of a sequence past the first 100 are not read
  contiguous,       ///< blocks follow the first one
  row_stride,       ///< table rows of ceil(max_kv_len / block_size) entries
  read_tail,        ///< the last row of a sequence sees the slots past its length
  unused_entries,   ///< the last row of a sequence sees the block of the first unused entry
};

const char* to_text(Mistake mistake);

/// Writes out and lse; 0 and -inf for rows that see no key. Only the tensor that the mistake is
/// named for is wrong, unless the mistake is in what both are made from.
void naive_attention(const PagedVarlenCall& call, Mistake mistake);

}  // namespace fa2bench::test
