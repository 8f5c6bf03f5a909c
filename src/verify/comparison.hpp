// SPDX-License-Identifier: MIT
// How far what a call left is from a reference, measured in the tolerance of tolerance.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "device/device.hpp"
#include "verify/reference.hpp"

namespace fa2bench {

/// What a call left behind, downloaded.
struct Observed {
  std::vector<std::uint16_t> out;  ///< f16 [checked rows, num_heads, head_dim]
  std::vector<float> lse;          ///< [num_heads, total_q_tokens], all of it
  OutputScan out_scan;             ///< of all of out, rows that see no key apart
  OutputScan lse_scan;

  [[nodiscard]] const std::uint16_t* out_at(const Reference& reference, std::size_t row,
                                            int head) const;
  [[nodiscard]] float lse_at(const Reference& reference, std::size_t row, int head) const;
};

/// One head of one row of out against its reference.
struct OutError {
  double largest = 0.0;        ///< |error| of an element; NaN if one is not finite
  std::size_t worst = 0;       ///< column whose error is the largest part of its bound
  double worst_share = 0.0;    ///< that part; NaN if the element is not finite
  double worst_bound = 0.0;    ///< bound there
  double row_share = 0.0;      ///< rms error over its bound
  double squared_error = 0.0;  ///< summed over the columns
  [[nodiscard]] bool ok() const { return worst_share <= 1.0 && row_share <= 1.0; }
};
OutError out_error(const HeadReference& exact, std::int64_t visible_keys,
                   const std::uint16_t* halves);

/// False for NaN.
bool lse_matches(const HeadReference& exact, double value);

/// Largest difference between two elements of out in the compared rows.
double out_difference(const Observed& a, const Observed& b);

/// Whether `value` is to be reported instead of `worst`: larger, or NaN. A NaN stays the worst.
bool is_worse(double value, double worst);

}  // namespace fa2bench
