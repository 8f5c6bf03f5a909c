// SPDX-License-Identifier: MIT
#include "verify/value_mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/half.hpp"
#include "verify/match.hpp"

namespace fa2bench {
namespace {

/// "" unless every element of every wrong pair is the same finite number.
std::string constant_name(const Evidence& evidence, const PairLists& pairs) {
  const std::size_t dim = static_cast<std::size_t>(evidence.workload.shape.head_dim);
  const auto halves_of = [&](const Pair& pair) {
    return evidence.observed.out_at(evidence.reference, pair.row, pair.head);
  };
  const float constant = half_to_float(halves_of(pairs.wrong_out.front())[0]);
  for (const Pair& pair : pairs.wrong_out) {
    const std::uint16_t* halves = halves_of(pair);
    const bool same = std::all_of(halves, halves + dim, [constant](std::uint16_t half) {
      return !(half_to_float(half) < constant) && !(half_to_float(half) > constant);
    });
    if (!same) return "";
  }
  if (!std::isfinite(constant)) return "";
  return std::abs(constant) > 0.0F ? fmt::format("out is constant {:.6g}", constant)
                                   : "out is all zeros";
}

/// The factor that brings the right results nearest to what the call left; NaN if there is a NaN.
double best_factor(const Evidence& evidence, const PairLists& pairs) {
  double product = 0.0;
  double square = 0.0;
  for (const Pair& pair : pairs.wrong_out) {
    const HeadReference& right = evidence.reference.at(pair.row, pair.head);
    const std::uint16_t* halves = evidence.observed.out_at(evidence.reference, pair.row, pair.head);
    for (std::size_t d = 0; d < right.out.size(); ++d) {
      product += static_cast<double>(half_to_float(halves[d])) * right.out[d];
      square += right.out[d] * right.out[d];
    }
  }
  return product / square;
}

std::string factor_name(const Evidence& evidence, const PairLists& pairs) {
  const double factor = best_factor(evidence, pairs);
  if (!std::isfinite(factor)) return "";
  Matching matching(evidence);
  for (const Pair& pair : pairs.wrong_out) {
    Alternative scaled{Alternative::Kind::known,
                       evidence.reference.at(pair.row, pair.head),
                       evidence.reference.rows[pair.row].visible_keys,
                       0.0,
                       {}};
    for (double& x : scaled.exact.out) x *= factor;
    for (double& x : scaled.exact.spread) x *= std::abs(factor);
    if (!matching.add(pair, scaled)) return "";
  }
  return matching.convinces() ? fmt::format("out is {:.4g} times what it should be", factor) : "";
}

}  // namespace

std::string diagnose_values(const Evidence& evidence, const PairLists& pairs) {
  if (pairs.wrong_out.empty()) return "";
  const std::string constant = constant_name(evidence, pairs);
  return constant.empty() ? factor_name(evidence, pairs) : constant;
}

}  // namespace fa2bench
