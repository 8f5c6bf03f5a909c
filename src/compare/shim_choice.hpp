// SPDX-License-Identifier: MIT
// Which shims of two results stand against each other.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compare/compare_results.hpp"
#include "compare/pairing.hpp"

namespace fa2bench {

/// A shim of every baseline against one of the candidate's.
struct ShimPair {
  std::vector<Side> baselines;
  Side candidate;
};

struct ShimPairs {
  std::vector<ShimPair> pairs;
  std::vector<std::string> alone;  ///< shims that have no partner, in words
};

/// With one shim on each side, these; else those of equal labels; or the chosen ones. Throws
/// Error(usage) if there are none, or a chosen one is not there. Borrows the reports.
ShimPairs pair_shims(std::span<const NamedReport> baselines, const NamedReport& next,
                     const ShimChoice& choice);

}  // namespace fa2bench
