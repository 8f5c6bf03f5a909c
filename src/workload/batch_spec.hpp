// SPDX-License-Identifier: MIT
// vLLM's batch-spec text: segments [count]q<N>[k][s<N>[k]] joined by "_".
// q is the number of new tokens, s the KV length with them (q if absent); k is times 1024.
// "2q1k_32q1s1k" is two prefills of 1024 and 32 decodes of 1024. Stricter than vLLM: a count of
// 0 is refused, and without `allow_empty_rows` a length of 0 and q > s are.
#pragma once

#include <string>

#include "base/json_document.hpp"
#include "workload/batch.hpp"

namespace fa2bench {

/// Parses the string at `place`; throws there, naming the segment.
Batch read_batch_spec(const JsonReader& place, bool allow_empty_rows);

/// The batch as batch-spec text, neighbouring equal sequences counted; where that gets too long
/// for a name, a summary: "1000 sequences, q 1…7, kv 12…4096".
std::string batch_name(const Batch& batch);

}  // namespace fa2bench
