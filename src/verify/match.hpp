// SPDX-License-Identifier: MIT
// Holds what a call left against the results that a mistake would give, pair by pair.
#pragma once

#include "verify/evidence.hpp"

namespace fa2bench {

/// Counts the pairs on which a mistake gives what the call left.
class Matching {
 public:
  explicit Matching(const Evidence& evidence) : evidence_(evidence) {}

  /// False if the mistake would not have left this. A pair of which nobody can know what the
  /// mistake would have left says neither.
  bool add(const Pair& pair, const Alternative& alternative);

  /// Some pair matched, and all together are explained much better than by the right results:
  /// tolerance alone would let a mistake in that hardly matters.
  [[nodiscard]] bool convinces() const;
  /// lse of the matching pairs is right, or what the mistake would have left.
  [[nodiscard]] bool explains_lse() const { return explains_lse_; }

 private:
  const Evidence& evidence_;
  int matches_ = 0;
  bool explains_lse_ = true;
  double squared_error_ = 0.0;
  double right_squared_error_ = 0.0;
};

}  // namespace fa2bench
