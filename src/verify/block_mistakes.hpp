// SPDX-License-Identifier: MIT
// Known mistakes in where a sequence's blocks are: a block table ignored or misread, a block's
// offset in the pool too large for its type.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "verify/evidence.hpp"

namespace fa2bench {

struct BlockMistake {
  std::string name;
  /// Physical block that is read for block `column` of a sequence; kNoBlock if that differs from
  /// shim to shim.
  std::function<std::int64_t(std::int32_t seq, std::int64_t column)> block;
};

/// Those that the workload can show. Borrow the evidence.
std::vector<BlockMistake> block_mistakes(const Evidence& evidence);

/// "32-bit block offset (…)" if the pool is so large that one can be wrong, every wrong row reads a
/// block past such a limit and every right row does not; else "". `alone`: also if no row is right.
std::string offset_suspicion(const Evidence& evidence, bool alone = false);

}  // namespace fa2bench
