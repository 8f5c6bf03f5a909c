// SPDX-License-Identifier: MIT
// Known mistakes in which keys a row reads: masks, heads, dropped keys, misread block tables.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "verify/evidence.hpp"

namespace fa2bench {

struct ReadingMistake {
  std::string name;  ///< empty: made from the KV head that was read
  /// What (row, head) may read under the mistake; the same as the right reading where the mistake
  /// makes no difference.
  std::function<std::vector<Reading>(const CheckedRow& row, int head)> readings;
};

/// Those that the workload can show, the likelier first. Borrow the evidence.
std::vector<ReadingMistake> reading_mistakes(const Evidence& evidence);

/// No row reads more than the first `limit` keys of its sequence. Borrows the evidence.
ReadingMistake key_limit_mistake(const Evidence& evidence, std::int64_t limit);

}  // namespace fa2bench
