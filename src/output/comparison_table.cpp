// SPDX-License-Identifier: MIT
#include "output/comparison_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "base/text.hpp"
#include "compare/outcome.hpp"
#include "output/comparison_notes.hpp"
#include "output/table.hpp"

namespace fa2bench {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kShortestName = 16;

std::string signed_percent(double ratio, int decimals) {
  const double percent = 100.0 * (ratio - 1.0);
  std::string digits = fmt::format("{:.{}f}", std::fabs(percent), decimals);
  if (digits.find_first_not_of("0.") == std::string::npos) return digits;
  return (percent < 0.0 ? "−" : "+") + digits;
}

std::string colored_verdict(const Comparison& row, bool color) {
  std::string text = verdict_text(row);
  if (!color) return text;
  if (has_gone_wrong(row)) return "\033[31m" + text + "\033[0m";
  switch (row.verdict) {
    case Verdict::faster:
      return "\033[32m" + text + "\033[0m";
    case Verdict::slower:
      return "\033[31m" + text + "\033[0m";
    case Verdict::inconclusive:
      return "\033[33m" + text + "\033[0m";
    case Verdict::same:
      break;
  }
  return text;
}

std::size_t widest(const std::vector<std::vector<std::string>>& rows, std::size_t column,
                   const std::string& title) {
  std::size_t width = display_width(title);
  for (const auto& row : rows) width = std::max(width, display_width(row[column]));
  return width;
}

std::string table_of(const ComparisonReport& report, const std::string& candidate, bool color) {
  using Align = Table::Align;
  const std::vector<Table::Column> columns{
      {"workload", Align::left},
      {"mode", Align::left},
      {"baseline µs", Align::right},
      {"candidate µs", Align::right},
      {fmt::format("change, {:.4g} % interval", 100.0 * report.rules.confidence), Align::left},
      {"verdict", Align::left}};
  std::vector<std::vector<std::string>> rows;
  for (const Comparison& row : report.rows) {
    if (row.candidate != candidate) continue;
    rows.push_back({printable(row.workload), to_text(row.mode), microseconds(row.baseline_us, "-"),
                    microseconds(row.candidate_us, "-"), change_text(row),
                    colored_verdict(row, color)});
  }
  if (rows.empty()) return "";
  std::size_t others = 0;
  for (std::size_t i = 1; i < columns.size(); ++i) others += 2 + widest(rows, i, columns[i].title);
  const std::size_t longest = std::max(kShortestName, others < kColumns ? kColumns - others : 0);
  Table table(columns);
  for (auto& row : rows) {
    row[0] = shortened(row[0], longest);
    table.add(std::move(row));
  }
  return table.text();
}

}  // namespace

std::string microseconds(std::optional<double> us, const char* none) {
  if (!us || !std::isfinite(*us)) return none;
  return fmt::format("{:.{}f}", *us, *us < 10.0 ? 3 : (*us < 1000.0 ? 2 : 1));
}

std::string change_text(const Comparison& row, const char* none) {
  if (!row.ratio || !std::isfinite(*row.ratio)) return none;
  // Two digits after the point only where they say something.
  constexpr double kNarrow = 0.01;
  const bool narrow = row.interval && row.interval->high - row.interval->low < kNarrow;
  const int decimals = narrow ? 2 : 1;
  std::string text = signed_percent(*row.ratio, decimals) + " %";
  if (row.interval) {
    text += fmt::format(" [{}, {}]", signed_percent(row.interval->low, decimals),
                        signed_percent(row.interval->high, decimals));
  }
  return text;
}

std::string comparison_table(const ComparisonReport& report, bool color) {
  std::string text;
  for (const std::string& candidate : report.candidates) {
    const std::string table = table_of(report, candidate, color);
    text += fmt::format("{} against {}, the baseline\n", printable(candidate),
                        printable(report.baseline));
    text += table.empty() ? "nothing in common\n" : '\n' + table;
    text += '\n';
  }
  const std::string notes = comparison_notes(report);
  if (!notes.empty()) text += notes + '\n';
  return text + wrapped(printable(summary_sentence(report)), kColumns) + '\n';
}

}  // namespace fa2bench
