// SPDX-License-Identifier: MIT
// Recognizes a limit on the keys of a sequence: a buffer too small, a length taken from elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "verify/evidence.hpp"

namespace fa2bench {

/// Of 1, 2, ... keys, how many give what the call left best, if every row stops there; none if the
/// budget is spent. It always finds something: hold it against the evidence. `sample` are wrong
/// pairs in the order of sample_pairs().
std::optional<std::int64_t> fit_key_limit(const Evidence& evidence, const std::vector<Pair>& sample,
                                          Budget& budget);

}  // namespace fa2bench
