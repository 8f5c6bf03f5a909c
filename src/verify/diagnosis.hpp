// SPDX-License-Identifier: MIT
// Names the mistake: which known one would have left exactly what the call left.
#pragma once

#include <string>

#include "verify/evidence.hpp"

namespace fa2bench {

/// "matches a top-left causal mask", "base-2 LSE (ratio 1.4427)"; both, joined by "; ", if out and
/// lse were spoiled apart; "" if nothing is wrong or no known mistake explains it. Two mistakes in
/// the same values have no name. A mistake is named only if it gives, within tolerance, all of the
/// wrong pairs that were sampled, as many as `multiply_adds` allow: long contexts may go unnamed.
std::string name_mistake(const Evidence& evidence, double multiply_adds = kDiagnosisBudget);

}  // namespace fa2bench
