// SPDX-License-Identifier: MIT
// The sequences of a workload, from explicit lengths or from groups of equal sequences.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json_document.hpp"

namespace fa2bench {

/// Lengths per sequence, both vectors of one size.
struct Batch {
  std::vector<std::int32_t> q_lens;
  std::vector<std::int32_t> kv_lens;
};

// With `allow_empty_rows` a length may be 0 and kv_len less than q_len (see visible_keys.hpp).

/// `batch` as an array of {count, q, kv}.
Batch read_batch_groups(const JsonReader& groups, bool allow_empty_rows);

/// `q_lens` beside `kv_lens`.
Batch read_lens(const JsonReader& q_lens, const JsonReader& kv_lens, bool allow_empty_rows);

/// Adds `count` sequences; throws at `place` if the batch would exceed kMaxSequences.
void append_sequences(const JsonReader& place, std::int64_t count, std::int64_t q_len,
                      std::int64_t kv_len, Batch& batch);

/// What a message says is expected where kv_len < q_len.
std::string kv_at_least_q(std::int64_t q_len);

/// The lengths that are allowed, for a message about `length`: "1 … 16777216", and the key that
/// would allow 0.
std::string length_range(std::int64_t length, bool allow_empty_rows);

}  // namespace fa2bench
