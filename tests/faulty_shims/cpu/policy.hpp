// SPDX-License-Identifier: MIT
// The decisions of a paged attention that people got wrong in public, one switch each. The defaults
// are right.
#pragma once

#include <cstdint>

#include "fault.hpp"

namespace fa2bench::faulty {

struct Policy {
  enum class Out { attention, zero, constant, mean_of_v, nan };
  enum class Mask { bottom_right, top_left };
  /// Slots past the length in the last block: seen by the last query token of a sequence or not.
  enum class Tail { ignored, scored, zero_weight };
  /// What stands for the block table: the table, adjacent blocks from each row's first one, or
  /// blocks 0, 1, 2, … in the order of the batch.
  enum class Table { followed, contiguous, ignored };
  /// In which type the place of a block in the pool is computed.
  enum class Offset { wide, int32_bytes, uint32_elements };
  /// Of the summation over keys. `by_page` is that of the physical block ids.
  enum class Order { ascending, descending, by_page };
  /// [heads, tokens] of natural logarithms; or [tokens, heads]; or [seqs, heads, max_q_len] as far
  /// as the buffer goes; or in base 2; or with the largest score not scaled.
  enum class Lse { right, unwritten, transposed, padded, base_2, unscaled };
  /// Rows that see no key: out 0 and lse -inf, and other conventions.
  enum class Empty { zero, nan, unwritten, lse_pos_inf };

  Out out = Out::attention;
  Mask mask = Mask::bottom_right;
  Tail tail = Tail::ignored;
  Table table = Table::followed;
  Offset offset = Offset::wide;
  Order order = Order::ascending;
  Lse lse = Lse::right;
  Empty empty = Empty::zero;
  bool drop_last_block = false;     ///< of sequences with more than one
  bool walk_full_table = false;     ///< the last query token sees the blocks of unused entries too
  bool gqa_mod = false;             ///< query head h reads KV head h % num_kv_heads
  bool stride_from_max_kv = false;  ///< table rows of ceil(max_kv_len / block_size) entries
  bool fp16_accumulation = false;   ///< of dot products and of outputs
  bool first_quarter_only = false;  ///< rows of a sequence past max_q_len / 4 stay unwritten
  float scale_factor = 1.0F;        ///< on top of 1 / sqrt(head_dim)
  std::int64_t most_keys = INT64_MAX;  ///< keys of a sequence past these are lost
};

/// Performs the call on the host, in this thread, and writes every element that `policy` lets it.
/// Reads nothing outside the blocks with ids from 0 to the largest live one, whatever the policy.
void attend(const Call& call, const Policy& policy);

}  // namespace fa2bench::faulty
