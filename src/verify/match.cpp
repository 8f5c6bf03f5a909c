// SPDX-License-Identifier: MIT
#include "verify/match.hpp"

#include <algorithm>
#include <cstdint>

namespace fa2bench {

bool Matching::add(const Pair& pair, const Alternative& alternative) {
  const Reference& reference = evidence_.reference;
  const std::uint16_t* halves = evidence_.observed.out_at(reference, pair.row, pair.head);
  const HeadReference& right = reference.at(pair.row, pair.head);
  if (alternative.kind == Alternative::Kind::unknown) return true;
  if (alternative.kind == Alternative::Kind::poison) {
    const auto is_nan = [](std::uint16_t half) { return (half & 0x7FFFU) > 0x7C00U; };
    return std::any_of(halves, halves + right.out.size(), is_nan);
  }
  const OutError error = out_error(alternative.exact, alternative.keys, halves);
  if (!error.ok()) return false;
  ++matches_;
  squared_error_ += error.squared_error;
  right_squared_error_ +=
      out_error(right, reference.rows[pair.row].visible_keys, halves).squared_error;
  const double lse = static_cast<double>(evidence_.observed.lse_at(reference, pair.row, pair.head));
  explains_lse_ = explains_lse_ && (lse_matches(right, lse) || lse_matches(alternative.exact, lse));
  return true;
}

bool Matching::convinces() const {
  return matches_ > 0 && 4.0 * squared_error_ <= right_squared_error_;
}

}  // namespace fa2bench
