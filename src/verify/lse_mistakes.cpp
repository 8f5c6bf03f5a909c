// SPDX-License-Identifier: MIT
#include "verify/lse_mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "verify/tolerance.hpp"

namespace fa2bench {
namespace {

bool is_base_2(const Evidence& evidence, const PairLists& pairs) {
  return std::all_of(pairs.wrong_lse.begin(), pairs.wrong_lse.end(), [&](const Pair& pair) {
    const double value =
        static_cast<double>(evidence.observed.lse_at(evidence.reference, pair.row, pair.head));
    return lse_matches(evidence.reference.at(pair.row, pair.head), value * std::numbers::ln2);
  });
}

/// How many of the checked values stand where another layout has them. Places that are the same in
/// both layouts say nothing, places past the buffer are lost.
struct Layout {
  std::size_t found = 0;
  std::size_t of = 0;
};
Layout try_layout(const Evidence& evidence,
                  const std::function<std::int64_t(const CheckedRow&, std::int64_t)>& place) {
  const Reference& reference = evidence.reference;
  const auto count = static_cast<std::int64_t>(evidence.observed.lse.size());
  const std::int64_t tokens = count / reference.num_heads;
  Layout layout;
  for (std::size_t i = 0; i < reference.rows.size(); ++i) {
    const CheckedRow& row = reference.rows[i];
    for (int head = 0; head < reference.num_heads; ++head) {
      const std::int64_t at = place(row, head);
      if (at >= count || at == head * tokens + row.global_token) continue;
      ++layout.of;
      const float value = evidence.observed.lse[static_cast<std::size_t>(at)];
      if (lse_matches(reference.at(i, head), static_cast<double>(value))) ++layout.found;
    }
  }
  return layout;
}

bool is_transposed(const Evidence& evidence) {
  const std::int64_t heads = evidence.reference.num_heads;
  const Layout layout = try_layout(evidence, [heads](const CheckedRow& row, std::int64_t head) {
    return row.global_token * heads + head;
  });
  return layout.of > 0 && layout.found == layout.of;
}

/// Sequences can overwrite each other's values where the buffer is too small for the layout, so a
/// tenth of them is enough; by chance not one in a thousand is found.
bool is_padded(const Evidence& evidence) {
  const std::int64_t heads = evidence.reference.num_heads;
  const std::int64_t max_q_len = evidence.plan.max_q_len;
  const Layout layout =
      try_layout(evidence, [heads, max_q_len](const CheckedRow& row, std::int64_t head) {
        return (row.seq * heads + head) * max_q_len + row.token;
      });
  return layout.found >= 6 && 10 * layout.found >= layout.of;
}

/// What stands in lse if scores are not scaled: in all of it, or only in the largest score that is
/// added at the end.
bool is_unscaled(const Evidence& evidence, const PairLists& pairs, Budget& budget) {
  constexpr std::size_t kPairs = 16;
  const double factor = std::sqrt(static_cast<double>(evidence.workload.shape.head_dim));
  bool all = true;
  bool largest = true;
  bool any = false;
  for (const Pair& pair : sample_pairs(evidence, pairs.wrong_lse, kPairs)) {
    const CheckedRow& row = evidence.reference.rows[pair.row];
    if (!budget.spend(2.0 * evaluation_cost(evidence.workload.shape, row.visible_keys))) break;
    any = true;
    Reading reading = right_reading(evidence.workload, row, pair.head);
    const Alternative right = evaluate(evidence.workload, evidence.table, row, pair.head, reading);
    reading.scale_factor = factor;
    const Alternative unscaled =
        evaluate(evidence.workload, evidence.table, row, pair.head, reading);
    const double value =
        static_cast<double>(evidence.observed.lse_at(evidence.reference, pair.row, pair.head));
    const double with_largest = right.exact.lse + (factor - 1.0) * right.largest_score;
    all = all && lse_matches(unscaled.exact, value);
    largest = largest && std::abs(value - with_largest) <= lse_tolerance(unscaled.exact);
    if (!all && !largest) return false;
  }
  return any;
}

}  // namespace

std::string diagnose_lse(const Evidence& evidence, const PairLists& pairs, Budget& budget) {
  if (pairs.wrong_lse.empty()) return "";
  if (is_base_2(evidence, pairs)) return "base-2 LSE (ratio 1.4427)";
  if (is_transposed(evidence)) return "LSE transposed [token, head]";
  if (is_padded(evidence)) return "LSE padded [seq, head, max_q_len]";
  if (is_unscaled(evidence, pairs, budget)) return "LSE of unscaled scores";
  return "";
}

}  // namespace fa2bench
