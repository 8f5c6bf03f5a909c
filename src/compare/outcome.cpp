// SPDX-License-Identifier: MIT
#include "compare/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
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

/// Of those in which nothing went wrong.
Rows with(const Rows& rows, Verdict verdict) {
  Rows found;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(found), [&](const Comparison* row) {
    return !has_gone_wrong(*row) && row->verdict == verdict;
  });
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

/// What something is on some of the rows: "is", "slower than old", " (…)".
struct Part {
  std::string verb;  ///< said once for all parts in turn that have it
  std::string what;
  std::size_t count = 0;
  std::string more;
};

/// "new is wrong on 1 of 4 workloads, crashes on 1, and is faster than old on 2 (…)".
std::string told(const std::string& who, const std::vector<Part>& parts, const Rows& of) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part& part = parts[i];
    std::string text = i > 0 && i + 1 == parts.size() ? "and " : "";
    if (i == 0) text += who + ' ';
    if (!part.verb.empty() && (i == 0 || part.verb != parts[i - 1].verb)) text += part.verb + ' ';
    text += fmt::format("{} on {}", part.what, part.count);
    if (i == 0) text += " of " + counted(of);
    texts.push_back(text + part.more);
  }
  return join(texts, texts.size() > 2 ? ", " : " ");
}

/// What went wrong with one side of the rows, the worst first.
std::vector<Part> mishaps(const Rows& rows, Status Comparison::*side) {
  struct Words {
    Status status;
    const char* verb;
    const char* what;
  };
  constexpr std::array<Words, 5> kInTurn{{{Status::wrong, "is", "wrong"},
                                          {Status::crashed, "", "crashes"},
                                          {Status::timeout, "", "does not return"},
                                          {Status::failed, "", "fails"},
                                          {Status::not_run, "was", "not run"}}};
  std::vector<Part> parts;
  for (const Words& words : kInTurn) {
    const auto count = std::count_if(rows.begin(), rows.end(), [&](const Comparison* row) {
      return row->*side == words.status;
    });
    if (count > 0) parts.push_back({words.verb, words.what, static_cast<std::size_t>(count), ""});
  }
  return parts;
}

/// Of the rows of a candidate.
std::vector<Part> verdicts(const Rows& rows, const std::string& baseline) {
  struct Words {
    Verdict verdict;
    const char* first;  // before the baseline's name
    const char* later;
  };
  constexpr std::array<Words, 3> kInTurn{{{Verdict::slower, "slower than", "slower"},
                                          {Verdict::faster, "faster than", "faster"},
                                          {Verdict::same, "as fast as", "the same"}}};
  std::vector<Part> parts;
  for (const Words& words : kInTurn) {
    const Rows found = with(rows, words.verdict);
    if (found.empty()) continue;
    Part part{"is", words.later, found.size(), ""};
    if (parts.empty()) part.what = fmt::format("{} {}", words.first, baseline);
    if (words.verdict == Verdict::slower) part.more = how_much_slower(found);
    if (words.verdict == Verdict::faster) part.more = how_much_faster(found);
    parts.push_back(part);
  }
  return parts;
}

struct Clause {
  std::string text;
  int rank = 0;  ///< the worst first
};

int rank_of(const std::vector<Part>& mishaps) {
  if (mishaps.empty()) return 2;
  return mishaps.front().what == "wrong" ? 0 : 1;
}

/// "new is faster than old on 3 of 10 workloads (…), the same on 6, and inconclusive on 1".
Clause candidate_clause(const ComparisonReport& report, const std::string& candidate) {
  const Rows rows = rows_of(report, candidate);
  const std::string& baseline = report.baseline;
  std::vector<Part> parts = mishaps(rows, &Comparison::candidate_status);
  const int rank = rank_of(parts);
  const auto without_baseline =
      static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [](const Comparison* row) {
        return has_gone_wrong(*row) && !is_wrong_or_failure(row->candidate_status);
      }));
  if (without_baseline == rows.size()) {
    return {fmt::format("{} could not be compared with {}", candidate, baseline), rank};
  }
  for (Part& part : verdicts(rows, baseline)) parts.push_back(std::move(part));
  const std::size_t open = with(rows, Verdict::inconclusive).size();
  if (open > 0 && parts.empty()) {
    // All rows are, but for those without the baseline.
    const std::string where = rows.size() == 1 ? "" : " on all of " + counted(rows);
    if (without_baseline == 0) {
      return {
          fmt::format("whether {} is faster than {} is inconclusive{}", candidate, baseline, where),
          rank};
    }
  }
  if (open > 0) parts.push_back({"is", "inconclusive", open, ""});
  if (without_baseline > 0) parts.push_back({"is", "not comparable", without_baseline, ""});
  return {told(candidate, parts, rows), rank};
}

/// What went wrong with the baselines, each row of a workload and mode once.
std::vector<Clause> baseline_clauses(const ComparisonReport& report) {
  std::map<std::string, Rows> by_baseline;
  std::set<std::tuple<std::string, std::string, std::string, Mode>> known;
  for (const Comparison& row : report.rows) {
    if (known.emplace(row.baseline, row.workload_id, row.workload, row.mode).second) {
      by_baseline[row.baseline].push_back(&row);
    }
  }
  std::vector<Clause> clauses;
  for (const auto& [baseline, rows] : by_baseline) {
    const std::vector<Part> parts = mishaps(rows, &Comparison::baseline_status);
    if (!parts.empty()) clauses.push_back({told(baseline, parts, rows), rank_of(parts)});
  }
  return clauses;
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

const char* status_words(Status status) {
  return status == Status::not_run ? "not run" : to_text(status);
}

bool has_gone_wrong(const Comparison& row) {
  return is_wrong_or_failure(row.baseline_status) || is_wrong_or_failure(row.candidate_status);
}

std::string verdict_text(const Comparison& row) {
  if (!has_gone_wrong(row)) return to_text(row.verdict);
  const std::string base = status_words(row.baseline_status);
  std::string own = status_words(row.candidate_status);
  if (base == own) return "both " + own;
  if (!is_wrong_or_failure(row.baseline_status)) return own;
  if (!is_wrong_or_failure(row.candidate_status)) return "baseline " + base;
  return own + ", baseline " + base;
}

std::string summary_sentence(const ComparisonReport& report) {
  std::vector<Clause> clauses = baseline_clauses(report);
  for (const std::string& candidate : report.candidates) {
    clauses.push_back(candidate_clause(report, candidate));
  }
  std::stable_sort(clauses.begin(), clauses.end(),
                   [](const Clause& a, const Clause& b) { return a.rank < b.rank; });
  std::vector<std::string> texts;
  for (const Clause& clause : clauses) texts.push_back(clause.text);
  if (texts.empty()) texts.emplace_back("nothing was compared");
  std::string text = join(texts, "; ");
  if (!report.leftovers.empty()) {
    text += fmt::format("; {} could not be paired", report.leftovers.size());
  }
  for (const std::string& line : report.incomplete) text += "; " + line;
  return text + ".";
}

}  // namespace fa2bench
