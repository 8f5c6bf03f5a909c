// SPDX-License-Identifier: MIT
#include "output/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "base/text.hpp"
#include "compare/outcome.hpp"
#include "output/cases.hpp"
#include "output/comparison_notes.hpp"
#include "output/comparison_table.hpp"
#include "output/markdown_text.hpp"
#include "output/result_table.hpp"

namespace fa2bench {
namespace {

// Bounds that keep a comment below GitHub's 65536 characters, with names of ordinary length.
constexpr std::size_t kMostFailures = 20;
constexpr std::size_t kMostRows = 150;
constexpr std::size_t kLongestText = 200;
constexpr std::size_t kLongestNotes = 20000;

std::string cut(const std::string& text) {
  if (text.size() <= kLongestText) return text;
  std::size_t end = kLongestText;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

/// What did not pass and was not skipped, the worst first.
std::vector<const Case*> failures_of(const std::vector<Case>& cases) {
  std::vector<const Case*> failures;
  for (const Case& of : cases) {
    if (of.outcome < Outcome::skipped) failures.push_back(&of);
  }
  std::stable_sort(failures.begin(), failures.end(),
                   [](const Case* a, const Case* b) { return a->outcome < b->outcome; });
  return failures;
}

std::string failure_list(const std::vector<const Case*>& failures) {
  std::string text;
  for (std::size_t i = 0; i < failures.size() && i < kMostFailures; ++i) {
    const Case& of = *failures[i];
    text += fmt::format("- **{}** {} ({}): {}\n", outcome_text(of),
                        markdown_code(cut(case_name(of)), false),
                        markdown_code(cut(of.shim), false), markdown_code(cut(of.message), false));
  }
  if (failures.size() > kMostFailures) {
    text += fmt::format("- and {} more\n", failures.size() - kMostFailures);
  }
  return text.empty() ? "" : text + '\n';
}

/// The most telling word: what became of the run, else the verdict, else whether a demand is
/// missed.
std::string verdict_of(const Case& of) {
  if (of.comparison != nullptr && has_gone_wrong(*of.comparison)) {
    return verdict_text(*of.comparison);
  }
  if (of.status != Status::ok) return status_words(of.status);
  const bool compared = of.comparison != nullptr && of.outcome == Outcome::passed;
  return compared ? to_text(of.comparison->verdict) : outcome_text(of);
}

std::string row_of(const Case& of, bool compared) {
  const Comparison* row = of.comparison;
  std::optional<double> time;
  if (of.timing != nullptr) time = of.timing->device.median;
  if (row != nullptr) time = row->candidate_us;
  std::string text = fmt::format("| {} | {} | {} | {} ", markdown_code(cut(of.workload), true),
                                 of.mode ? to_text(*of.mode) : "–",
                                 markdown_code(cut(of.shim), true), microseconds(time, "–"));
  if (compared) {
    text += row == nullptr ? "| – | – "
                           : fmt::format("| {} | {} ", microseconds(row->baseline_us, "–"),
                                         change_text(*row, "–"));
  } else {
    std::string share = "–";
    if (of.timing != nullptr && of.timing->speed_of_light) {
      share = fmt::format("{:.1f} % {}", 100.0 * *of.timing->speed_of_light, of.timing->limit);
    }
    text += fmt::format("| {} ", share);
  }
  return text + fmt::format("| {} |\n", verdict_of(of));
}

std::string table_of(const Report& report, const std::vector<Case>& cases) {
  std::vector<const Case*> rows;
  for (const Case& of : cases) {
    // The baseline's times stand beside those of the candidates.
    const bool told = report.comparison && of.comparison == nullptr && of.timing != nullptr &&
                      of.outcome == Outcome::passed;
    if (!told) rows.push_back(&of);
  }
  std::string text =
      report.comparison
          ? fmt::format(
                "| workload | mode | shim | median, µs | baseline, µs | change, {:.4g} % "
                "interval | verdict |\n|:--|:--|:--|--:|--:|:--|:--|\n",
                100.0 * report.comparison->rules.confidence)
          : "| workload | mode | shim | median, µs | of the limit | outcome |\n"
            "|:--|:--|:--|--:|--:|:--|\n";
  for (std::size_t i = 0; i < rows.size() && i < kMostRows; ++i) {
    text += row_of(*rows[i], report.comparison.has_value());
  }
  if (rows.size() > kMostRows) {
    text += fmt::format("\n{} more rows are in the result.\n", rows.size() - kMostRows);
  }
  return text + '\n';
}

std::string details(const Report& report) {
  std::string lines;
  if (report.comparison) lines += comparison_notes(*report.comparison);
  if (!report.workloads.empty()) lines += notes_of(report);
  if (lines.empty()) return "";
  if (lines.size() > kLongestNotes) {
    lines.resize(lines.rfind('\n', kLongestNotes) + 1);
    lines += "…\n";
  }
  return "<details><summary>Notes</summary>\n\n" + markdown_block(lines) + "\n</details>\n\n";
}

std::string environment(const Report& report) {
  std::vector<std::string> parts;
  const auto add = [&](const std::string& what, const std::string& value) {
    if (!value.empty()) parts.push_back(what + markdown_text(cut(value)));
  };
  add("", report.device.name);
  add("driver ", report.device.driver);
  add("host ", report.host.hostname);
  add("", report.host.system);
  add("ferrum-fa2-bench ", report.tool.version);
  add("git ", report.tool.git);
  add("", report.started);
  if (!report.workloads.empty() && !report.complete) parts.emplace_back("**incomplete**");
  if (!report.profiler.empty()) add("**timed under a profiler, no baseline:** ", report.profiler);
  return join(parts, " · ") + '\n';
}

}  // namespace

std::string to_markdown(const Report& report) {
  const std::vector<Case> cases = cases_of(report);
  return "**" + markdown_text(summary_of(report, cases)) + "**\n\n" +
         failure_list(failures_of(cases)) + table_of(report, cases) + details(report) +
         environment(report);
}

}  // namespace fa2bench
