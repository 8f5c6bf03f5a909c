// SPDX-License-Identifier: MIT
// What a diagnosis is made from: a call, its right results, and what it left.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/alternative.hpp"
#include "verify/comparison.hpp"
#include "workload/plan.hpp"

namespace fa2bench {

/// Borrows everything.
struct Evidence {
  const Workload& workload;
  const Plan& plan;
  const BlockTable& table;  ///< that the call was made with
  const Reference& reference;
  const Observed& observed;
};

/// One head of one checked row.
struct Pair {
  std::size_t row = 0;
  int head = 0;
};

/// Multiply-adds that one diagnosis may cost.
inline constexpr double kDiagnosisBudget = 2e9;

class Budget {
 public:
  explicit Budget(double multiply_adds) : left_(multiply_adds) {}
  /// False, and nothing is spent, if it is too much.
  bool spend(double cost) {
    if (cost > left_) return false;
    left_ -= cost;
    return true;
  }

 private:
  double left_;
};

/// All pairs of the evidence, sorted into wrong and right ones.
struct PairLists {
  std::vector<Pair> wrong_out;
  std::vector<Pair> right_out;
  std::vector<Pair> wrong_lse;
};
PairLists list_pairs(const Evidence& evidence);

/// At most `most` of the pairs, spread at random but always the same; the one that is cheapest to
/// evaluate among those with more than two blocks of keys, or else with most keys, comes first.
std::vector<Pair> sample_pairs(const Evidence& evidence, std::vector<Pair> pairs, std::size_t most);

}  // namespace fa2bench
