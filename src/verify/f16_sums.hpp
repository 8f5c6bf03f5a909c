// SPDX-License-Identifier: MIT
// Recognizes sums kept in f16 by the size and the shape of their errors.
#pragma once

#include <string>

#include "verify/evidence.hpp"

namespace fa2bench {

/// "f16 accumulation (…)" if the errors of the wrong pairs have no bias and are about as large as
/// those of a plain attention that sums in f16; else "". `sample` are wrong pairs.
std::string diagnose_f16_sums(const Evidence& evidence, const std::vector<Pair>& sample,
                              Budget& budget);

}  // namespace fa2bench
