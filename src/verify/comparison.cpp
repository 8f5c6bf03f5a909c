// SPDX-License-Identifier: MIT
#include "verify/comparison.hpp"

#include <cmath>

#include "base/half.hpp"
#include "verify/tolerance.hpp"

namespace fa2bench {

const std::uint16_t* Observed::out_at(const Reference& reference, std::size_t row, int head) const {
  const std::size_t pair =
      row * static_cast<std::size_t>(reference.num_heads) + static_cast<std::size_t>(head);
  return out.data() + pair * (out.size() / reference.heads.size());
}

float Observed::lse_at(const Reference& reference, std::size_t row, int head) const {
  const std::size_t tokens = lse.size() / static_cast<std::size_t>(reference.num_heads);
  return lse[static_cast<std::size_t>(head) * tokens +
             static_cast<std::size_t>(reference.rows[row].global_token)];
}

bool is_worse(double value, double worst) { return !std::isnan(worst) && !(value <= worst); }

OutError out_error(const HeadReference& exact, std::int64_t visible_keys,
                   const std::uint16_t* halves) {
  OutError result;
  double squared_deviation = 0.0;
  for (std::size_t column = 0; column < exact.out.size(); ++column) {
    const double error =
        std::abs(static_cast<double>(half_to_float(halves[column])) - exact.out[column]);
    const ElementTolerance tolerance = element_tolerance(exact, column, visible_keys);
    result.squared_error += error * error;
    squared_deviation += tolerance.deviation * tolerance.deviation;
    if (is_worse(error, result.largest)) result.largest = error;
    const double share = error / tolerance.bound;
    if (column == 0 || is_worse(share, result.worst_share)) {
      result.worst = column;
      result.worst_share = share;
      result.worst_bound = tolerance.bound;
    }
  }
  result.row_share = std::sqrt(result.squared_error / squared_deviation) / kRowFactor;
  return result;
}

bool lse_matches(const HeadReference& exact, double value) {
  return std::abs(value - exact.lse) <= lse_tolerance(exact);
}

double out_difference(const Observed& a, const Observed& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.out.size(); ++i) {
    const double difference =
        static_cast<double>(half_to_float(a.out[i])) - static_cast<double>(half_to_float(b.out[i]));
    if (is_worse(std::abs(difference), largest)) largest = std::abs(difference);
  }
  return largest;
}

}  // namespace fa2bench
