// SPDX-License-Identifier: MIT
#include "verify/f16_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/half.hpp"
#include "verify/yardstick.hpp"

namespace fa2bench {
namespace {

/// Sums over the columns of one pair.
struct ErrorShape {
  double squares = 0.0;
  double sum = 0.0;
  double largest = 0.0;
};

template <typename Value>
ErrorShape shape_of(const HeadReference& exact, const Value& value) {
  ErrorShape shape;
  for (std::size_t d = 0; d < exact.out.size(); ++d) {
    const double error = value(d) - exact.out[d];
    shape.squares += error * error;
    shape.sum += error;
    shape.largest = std::max(shape.largest, std::abs(error));
  }
  return shape;
}

/// Many small errors of either sign: their sum is near its standard deviation, and none stands out.
bool looks_random(const ErrorShape& shape) {
  return std::abs(shape.sum) <= 4.0 * std::sqrt(shape.squares) &&
         shape.largest * shape.largest <= 0.45 * shape.squares;  // false for NaN
}

}  // namespace

std::string diagnose_f16_sums(const Evidence& evidence, const std::vector<Pair>& sample,
                              Budget& budget) {
  constexpr std::size_t kPairs = 8;
  constexpr double kPasses = 3.0;       // the cost of rounding at each step
  constexpr int kSmallestHeadDim = 32;  // fewer errors have no shape
  const Workload& workload = evidence.workload;
  if (workload.shape.head_dim < kSmallestHeadDim) return "";
  double seen = 0.0;
  double in_f32 = 0.0;
  double in_f16 = 0.0;
  for (std::size_t i = 0; i < std::min(kPairs, sample.size()); ++i) {
    const Pair& pair = sample[i];
    const CheckedRow& row = evidence.reference.rows[pair.row];
    const HeadReference& exact = evidence.reference.at(pair.row, pair.head);
    const std::uint16_t* halves = evidence.observed.out_at(evidence.reference, pair.row, pair.head);
    const ErrorShape shape = shape_of(
        exact, [halves](std::size_t d) { return static_cast<double>(half_to_float(halves[d])); });
    if (!looks_random(shape)) return "";
    if (!budget.spend(kPasses * evaluation_cost(workload.shape, row.visible_keys))) break;
    seen += shape.squares;
    for (const PlainSums sums : {PlainSums::f32, PlainSums::f16}) {
      const std::vector<float> plain =
          plain_attention(workload, evidence.table, row, pair.head, sums);
      (sums == PlainSums::f32 ? in_f32 : in_f16) +=
          shape_of(exact, [&](std::size_t d) { return static_cast<double>(plain[d]); }).squares;
    }
  }
  // A matrix unit rounds once per 16 keys, so it may err less than the plain loop; wrong results
  // err by more than f32 sums do.
  const bool as_large = seen >= in_f16 / 100.0 && seen <= 9.0 * in_f16;
  if (in_f16 <= 2.25 * in_f32 || seen <= 2.25 * in_f32 || !as_large) return "";
  return fmt::format("f16 accumulation (error {:.1f} times what f32 sums give)",
                     std::sqrt(seen / in_f32));
}

}  // namespace fa2bench
