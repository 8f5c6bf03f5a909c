// SPDX-License-Identifier: MIT
#include "output/comparison_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "compare/outcome.hpp"
#include "compare/percent.hpp"
#include "output/notes.hpp"

namespace fa2bench {
namespace {

std::string reasons(const ComparisonReport& report) {
  Notes notes;
  for (const Comparison& row : report.rows) {
    if (row.reason.empty()) continue;
    // What went wrong names its side itself; of one run the notes on the runs tell it.
    if (report.interleaved && has_gone_wrong(row)) continue;
    const std::string who = has_gone_wrong(row) ? ""
                                                : fmt::format("{}: {}: ", printable(row.candidate),
                                                              to_text(row.verdict));
    notes.add(who + printable(row.reason),
              fmt::format("{} · {}", printable(row.workload), to_text(row.mode)));
  }
  return notes.text();
}

/// How one candidate's outputs stand to the baseline's, over all workloads.
std::string outputs_of(const ComparisonReport& report, const std::string& candidate) {
  std::vector<const OutputDifference*> known;
  Notes others;
  for (const OutputDifference& output : report.outputs) {
    if (output.candidate != candidate) continue;
    const std::string workload = printable(output.workload);
    if (!output.obstacle.empty()) {
      others.add(fmt::format("outputs of {} not compared: {}", printable(candidate),
                             printable(output.obstacle)),
                 workload);
      continue;
    }
    known.push_back(&output);
    if (!output.same_empty_rows) {
      others.add(fmt::format("{} leaves something else in rows without keys than {}",
                             printable(candidate), printable(report.baseline)),
                 workload);
    }
  }
  if (known.empty()) return others.text();
  const auto equal = std::count_if(known.begin(), known.end(), [](const OutputDifference* o) {
    return o->same_out && o->same_lse;
  });
  const std::string who = fmt::format("outputs of {}", printable(candidate));
  const auto all = static_cast<std::ptrdiff_t>(known.size());
  if (equal == all) {
    return fmt::format("{}: bit for bit those of {}\n", who, printable(report.baseline)) +
           others.text();
  }
  const auto largest = [&](double OutputDifference::*difference) {
    const OutputDifference& most = **std::max_element(
        known.begin(), known.end(), [&](const OutputDifference* a, const OutputDifference* b) {
          return a->*difference < b->*difference;
        });
    return fmt::format("{:.3g} (in {})", most.*difference, printable(most.workload));
  };
  return fmt::format("{}: bit for bit those of {} in {} of {} workloads\n", who,
                     printable(report.baseline), equal, all) +
         fmt::format("largest difference of {}: {} of out, {} of lse\n", printable(candidate),
                     largest(&OutputDifference::largest_out),
                     largest(&OutputDifference::largest_lse)) +
         others.text();
}

std::string memory(const ComparisonReport& report) {
  if (!report.memory) return "";
  if (report.memory->shared) return "all shims were timed on the same memory\n";
  return fmt::format(
      "each shim had memory of its own, so that placement is part of the change{}\n",
      report.memory->obstacle.empty() ? "" : ": " + printable(report.memory->obstacle));
}

std::string leftovers(const ComparisonReport& report) {
  Notes notes;
  for (const Leftover& left : report.leftovers) {
    notes.add(fmt::format("only {} has what the other side lacks", printable(left.side)),
              left.mode ? fmt::format("{} · {}", printable(left.workload), to_text(*left.mode))
                        : printable(left.workload));
  }
  return notes.text();
}

/// Of separate runs a note says what it is.
std::string floor_line(const ComparisonReport& report) {
  if (!report.interleaved) return "";
  const auto most =
      std::max_element(report.rows.begin(), report.rows.end(),
                       [](const Comparison& a, const Comparison& b) { return a.floor < b.floor; });
  if (most == report.rows.end() || !(most->floor > 0.0)) return "";
  return fmt::format("floor: {} differs from itself here by up to {} %\n",
                     printable(report.baseline), percent_number(most->floor));
}

}  // namespace

std::string comparison_notes(const ComparisonReport& report) {
  std::string text = reasons(report);
  for (const std::string& candidate : report.candidates) text += outputs_of(report, candidate);
  text += memory(report) + leftovers(report) + floor_line(report);
  if (!report.interleaved) text += "from separate runs, not taken in turn: weaker evidence\n";
  for (const std::string& line : report.incomplete) text += printable(line) + '\n';
  for (const std::string& note : report.notes) text += printable(note) + '\n';
  return text;
}

}  // namespace fa2bench
