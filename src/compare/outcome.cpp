// SPDX-License-Identifier: MIT
#include "compare/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "base/text.hpp"
#include "compare/percent.hpp"

namespace fa2bench {
namespace {

using Rows = std::vector<const Comparison*>;

Rows rows_of(const ComparisonReport& report, const std::string& candidate) {
  Rows rows;
  for (const Comparison& row : report.rows) {
    if (row.candidate == candidate) rows.push_back(&row);
  }
  return rows;
}

Rows with(const Rows& rows, Verdict verdict) {
  Rows found;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(found),
               [verdict](const Comparison* row) { return row->verdict == verdict; });
  std::sort(found.begin(), found.end(), [](const Comparison* a, const Comparison* b) {
    return a->ratio.value_or(1.0) < b->ratio.value_or(1.0);
  });
  return found;
}

std::string percent(const Comparison& row) { return percent_number(row.ratio.value_or(1.0) - 1.0); }

/// "10 workloads"; timings where a workload has several.
std::string counted(const Rows& rows) {
  std::set<std::string> workloads;
  for (const Comparison* row : rows) workloads.insert(row->workload_id + row->workload);
  const char* noun = workloads.size() == rows.size() ? "workload" : "timing";
  return fmt::format("{} {}{}", rows.size(), noun, rows.size() == 1 ? "" : "s");
}

/// " (2.1 to 5.3 % less time)", of rows in the order of their ratios.
std::string how_much_faster(const Rows& faster) {
  const std::string most = percent(*faster.front());
  const std::string least = percent(*faster.back());
  if (most == least) return fmt::format(" ({} % less time)", most);
  return fmt::format(" ({} to {} % less time)", least, most);
}

std::string how_much_slower(const Rows& slower) {
  const Comparison& worst = *slower.back();
  return fmt::format(" ({}{} takes {} % more time)", slower.size() > 1 ? "at worst, " : "",
                     worst.workload, percent(worst));
}

/// "new is faster than old on 3 of 10 workloads (…), the same on 6, and inconclusive on 1".
std::string clause(const ComparisonReport& report, const std::string& candidate) {
  const Rows rows = rows_of(report, candidate);
  const std::string& baseline = report.baseline;
  if (rows.empty()) return fmt::format("{} could not be compared with {}", candidate, baseline);
  struct Words {
    Verdict verdict;
    const char* first;  // before the baseline's name
    const char* later;
  };
  constexpr std::array<Words, 4> kInTurn{{{Verdict::slower, "slower than", "slower"},
                                          {Verdict::faster, "faster than", "faster"},
                                          {Verdict::same, "as fast as", "the same"},
                                          {Verdict::inconclusive, "", "inconclusive"}}};
  std::vector<std::string> parts;
  for (const Words& words : kInTurn) {
    const Rows found = with(rows, words.verdict);
    if (found.empty()) continue;
    if (words.verdict == Verdict::inconclusive && parts.empty()) {
      return fmt::format("whether {} is faster than {} is inconclusive on all of {}", candidate,
                         baseline, counted(rows));
    }
    std::string part = parts.empty()
                           ? fmt::format("{} is {} {} on {} of {}", candidate, words.first,
                                         baseline, found.size(), counted(rows))
                           : fmt::format("{} on {}", words.later, found.size());
    if (words.verdict == Verdict::slower) part += how_much_slower(found);
    if (words.verdict == Verdict::faster) part += how_much_faster(found);
    parts.push_back(part);
  }
  if (parts.size() > 1) parts.back().insert(0, "and ");
  return join(parts, parts.size() > 2 ? ", " : " ");
}

}  // namespace

ExitCode exit_code(const ComparisonReport& report) {
  const auto any = [&report](Verdict verdict) {
    return std::any_of(report.rows.begin(), report.rows.end(),
                       [verdict](const Comparison& row) { return row.verdict == verdict; });
  };
  if (any(Verdict::slower)) return ExitCode::slower;
  const bool incomplete =
      report.rows.empty() || !report.leftovers.empty() || !report.incomplete.empty();
  if (incomplete || any(Verdict::inconclusive)) return ExitCode::inconclusive;
  return ExitCode::ok;
}

ExitCode worse(ExitCode a, ExitCode b) {
  constexpr std::array<ExitCode, 8> kOrder{
      ExitCode::internal, ExitCode::usage,  ExitCode::environment,  ExitCode::wrong,
      ExitCode::failed,   ExitCode::slower, ExitCode::inconclusive, ExitCode::ok};
  return *std::find_if(kOrder.begin(), kOrder.end(),
                       [a, b](ExitCode code) { return code == a || code == b; });
}

std::string summary_sentence(const ComparisonReport& report) {
  std::vector<std::string> clauses;
  for (const std::string& candidate : report.candidates) {
    clauses.push_back(clause(report, candidate));
  }
  if (clauses.empty()) clauses.emplace_back("nothing was compared");
  std::string text = join(clauses, "; ");
  if (!report.leftovers.empty()) {
    text += fmt::format("; {} could not be paired", report.leftovers.size());
  }
  for (const std::string& line : report.incomplete) text += "; " + line;
  return text + ".";
}

}  // namespace fa2bench
