// SPDX-License-Identifier: MIT
// The rates that this device reaches in this run, against which a shim's are set.
#pragma once

#include <optional>
#include <string>

namespace fa2bench {

struct Ceilings {
  std::optional<double> read_gb_per_s;       ///< 10^9 bytes read from memory
  std::optional<double> matrix_tflop_per_s;  ///< f16 matrix product with f32 sums; f32 FMA on a CPU
  std::string note;                          ///< why one is missing; "" if none is
};

}  // namespace fa2bench
