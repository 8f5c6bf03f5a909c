// SPDX-License-Identifier: MIT
// Which keys a query token sees: causal, aligned bottom-right. A sequence with more query tokens
// than keys begins with empty rows, tokens that see no key; its last token sees all its keys.
#pragma once

#include <algorithm>
#include <cstdint>

namespace fa2bench {

/// Keys that query token `token` of a sequence sees, from key 0 on.
constexpr std::int64_t visible_keys(std::int64_t q_len, std::int64_t kv_len, std::int64_t token) {
  return std::max<std::int64_t>(0, kv_len - q_len + token + 1);
}

/// Query tokens of a sequence that see no key: its first ones.
constexpr std::int64_t empty_rows(std::int64_t q_len, std::int64_t kv_len) {
  return std::max<std::int64_t>(0, q_len - kv_len);
}

}  // namespace fa2bench
