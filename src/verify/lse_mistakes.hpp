// SPDX-License-Identifier: MIT
// Known mistakes of lse alone: its base, its scores, its layout.
#pragma once

#include <string>

#include "verify/evidence.hpp"

namespace fa2bench {

/// The one that explains every wrong value of lse, or "".
std::string diagnose_lse(const Evidence& evidence, const PairLists& pairs, Budget& budget);

}  // namespace fa2bench
