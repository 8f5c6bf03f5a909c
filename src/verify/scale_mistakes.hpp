// SPDX-License-Identifier: MIT
// Known mistakes in the softmax scale: off by some percent, not applied, applied twice, or zero.
#pragma once

#include <string>

#include "verify/evidence.hpp"

namespace fa2bench {

/// `explains_lse`: lse was right on the wrong pairs, or is what the scale gives.
struct ScaleDiagnosis {
  std::string name;  ///< "" if no scale gives what the call left
  bool explains_lse = false;
};

/// `sample` are wrong pairs.
ScaleDiagnosis diagnose_scale(const Evidence& evidence, const std::vector<Pair>& sample,
                              Budget& budget);

}  // namespace fa2bench
