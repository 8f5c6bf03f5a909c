// SPDX-License-Identifier: MIT
#include "compare/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "compare/percent.hpp"

namespace fa2bench {
namespace {

bool positive(double value) { return std::isfinite(value) && value > 0.0; }

bool is_usable(const Comparison& row) {
  return row.ratio && positive(*row.ratio) && row.interval && std::isfinite(row.interval->low) &&
         std::isfinite(row.interval->high) && row.interval->low <= row.interval->high;
}

/// Which rows' p-values Holm's procedure rejects.
std::vector<bool> rejected(const std::vector<Comparison>& rows, double error) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (is_usable(rows[i]) && rows[i].p_value && *rows[i].p_value >= 0.0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&rows](std::size_t a, std::size_t b) { return *rows[a].p_value < *rows[b].p_value; });
  std::vector<bool> result(rows.size(), false);
  for (std::size_t i = 0; i < order.size(); ++i) {
    // Negated, so that a p-value that is no number ends it.
    if (!(*rows[order[i]].p_value <= error / static_cast<double>(order.size() - i))) break;
    result[order[i]] = true;
  }
  return result;
}

std::string percent(double part) { return percent_number(part) + " %"; }

constexpr const char* kMore = "more --processes or a longer --time-limit would tell";

/// Why a row with a ratio and an interval has no verdict.
std::string obstacle(const Comparison& row, const ComparisonRules& rules, bool rejected) {
  const double effect = *row.ratio - 1.0;
  const double half = (row.interval->high - row.interval->low) / 2.0;
  const std::string by =
      fmt::format("{} by {}", effect < 0.0 ? "faster" : "slower", percent(effect));
  const std::string least = percent(rules.min_effect);
  if (rejected) {
    return fmt::format("{}, below --min-effect {}, and not shown to be the same", by, least);
  }
  if (std::abs(effect) >= rules.min_effect && std::abs(effect) <= row.floor) {
    return fmt::format("{}, but the baseline differs from itself by {}", by, percent(row.floor));
  }
  if (std::abs(effect) >= rules.min_effect) {
    return fmt::format("{} ±{}, which may be chance among all comparisons (floor {}); {}", by,
                       percent(half), percent(row.floor), kMore);
  }
  if (half >= rules.min_effect) {
    return fmt::format("{}: ±{} is wider than the {} asked for; {}", by, percent(half), least,
                       kMore);
  }
  return fmt::format("{} ±{}, which may be more or less than --min-effect {}; {}", by,
                     percent(half), least, kMore);
}

void judge_one(Comparison& row, const ComparisonRules& rules, bool rejected) {
  row.verdict = Verdict::inconclusive;
  if (!is_usable(row)) {
    if (!row.reason.empty()) return;
    row.reason = row.ratio && positive(*row.ratio)
                     ? fmt::format("too few placements for an interval; {}", kMore)
                     : "there is no time of both to compare";
    return;
  }
  row.reason.clear();
  const double effect = *row.ratio - 1.0;
  if (rejected && std::abs(effect) >= rules.min_effect) {
    row.verdict = effect < 0.0 ? Verdict::faster : Verdict::slower;
  } else if (row.interval->low >= 1.0 - rules.min_effect &&
             row.interval->high <= 1.0 + rules.min_effect) {
    row.verdict = Verdict::same;
  } else {
    row.reason = obstacle(row, rules, rejected);
  }
}

}  // namespace

void set_estimate(Comparison& row, const RatioEstimate& estimate) {
  row.reason = estimate.obstacle;
  row.ratio = estimate.ratio;
  row.interval = estimate.interval;
  row.p_value = estimate.p_value;
  row.floor = estimate.floor;
  row.processes = estimate.processes;
  row.placements = estimate.placements;
  if (!estimate.ratio) return;
  row.baseline_us = estimate.baseline_us;
  row.candidate_us = estimate.candidate_us;
}

void judge(std::vector<Comparison>& rows, const ComparisonRules& rules) {
  const std::vector<bool> significant = rejected(rows, 1.0 - rules.confidence);
  for (std::size_t i = 0; i < rows.size(); ++i) judge_one(rows[i], rules, significant[i]);
}

}  // namespace fa2bench
