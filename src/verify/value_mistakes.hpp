// SPDX-License-Identifier: MIT
// Known mistakes that the values alone give away: a constant, or a multiple of the right result.
#pragma once

#include <string>

#include "verify/evidence.hpp"

namespace fa2bench {

/// "out is all zeros", "out is constant 0.5", "out is 2 times what it should be"; or "".
std::string diagnose_values(const Evidence& evidence, const PairLists& pairs);

}  // namespace fa2bench
