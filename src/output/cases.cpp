// SPDX-License-Identifier: MIT
#include "output/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/text.hpp"
#include "compare/outcome.hpp"

namespace fa2bench {
namespace {

Outcome outcome_of(Status status) {
  switch (status) {
    case Status::ok:
      return Outcome::passed;
    case Status::wrong:
      return Outcome::wrong;
    case Status::unsupported:
    case Status::does_not_fit:
      return Outcome::skipped;
    case Status::not_run:
      return Outcome::not_run;
    case Status::failed:
    case Status::crashed:
    case Status::timeout:
      break;
  }
  return Outcome::failed;
}

void add_cause(Case& of, Outcome outcome, const std::string& text) {
  of.outcome = std::min(of.outcome, outcome);
  if (text.empty()) return;
  if (!of.message.empty()) of.message += "; ";
  of.message += printable(text);
}

std::string slower_text(const Comparison& row) {
  std::string text = fmt::format("slower than {}", row.baseline);
  if (row.ratio) text += fmt::format(": {:.4g} times its time", *row.ratio);
  if (row.baseline_us && row.candidate_us) {
    text += fmt::format(", {:.6g} µs instead of {:.6g} µs", *row.candidate_us, *row.baseline_us);
  }
  return text;
}

/// Why the candidate has no time, without its name: the case has it.
std::string own_reason(const Comparison& row) {
  if (row.reason.empty()) return to_text(row.candidate_status);
  const std::string name = row.candidate + ": ";
  return row.reason.starts_with(name) ? row.reason.substr(name.size()) : row.reason;
}

/// What the run, the comparison and the demands say together.
void judge(Case& of, const std::string& reason) {
  const Outcome own = outcome_of(of.status);
  if (own != Outcome::passed) {
    add_cause(
        of, own,
        reason.empty() ? to_text(of.status) : fmt::format("{}: {}", to_text(of.status), reason));
  }
  if (const Comparison* row = of.comparison) {
    if (row->verdict == Verdict::slower) add_cause(of, Outcome::slower, slower_text(*row));
    // Of a run that failed its status says more. One that was skipped is no answer to a baseline
    // that was not.
    if (row->verdict == Verdict::inconclusive &&
        (own == Outcome::passed || own == Outcome::skipped)) {
      std::string text = has_gone_wrong(*row) ? "" : "inconclusive";
      if (!text.empty() && !row->reason.empty()) text += ": ";
      add_cause(of, Outcome::inconclusive, text + row->reason);
    }
  }
  for (const GateMiss& miss : of.misses) {
    add_cause(of, miss.actual ? Outcome::missed : Outcome::inconclusive, miss.reason);
  }
}

/// Rows by workload id and name, candidate and mode; each is handed out once.
class Rows {
 public:
  explicit Rows(const Report& report) {
    if (!report.comparison) return;
    for (const Comparison& row : report.comparison->rows) rows_[key(row)].push_back(&row);
  }

  const Comparison* take(const WorkloadResult& result, const std::string& shim, Mode mode) {
    const auto found =
        rows_.find({result.workload.id, result.workload.name, shim, static_cast<int>(mode)});
    if (found == rows_.end() || !taken_.insert(found->second.front()).second) return nullptr;
    return found->second.front();
  }
  [[nodiscard]] bool is_taken(const Comparison& row) const { return taken_.count(&row) > 0; }

 private:
  using Key = std::tuple<std::string, std::string, std::string, int>;
  static Key key(const Comparison& row) {
    return {row.workload_id, row.workload, row.candidate, static_cast<int>(row.mode)};
  }
  std::map<Key, std::vector<const Comparison*>> rows_;
  std::set<const Comparison*> taken_;
};

class Cases {
 public:
  explicit Cases(const Report& report) : report_(report), rows_(report) {}

  std::vector<Case> all() {
    if (!report_.unmet_requirement.empty()) {
      add_alone("requirements", "", kTool, std::nullopt, Outcome::failed,
                report_.unmet_requirement);
      cases_.back().status = Status::failed;
    }
    for (const WorkloadResult& result : report_.workloads) {
      for (const Run& run : result.runs) add_run(result, run);
    }
    if (report_.comparison) {
      for (const Comparison& row : report_.comparison->rows) {
        if (!rows_.is_taken(row)) add_row(row);
      }
      add_leftovers(*report_.comparison);
    }
    return std::move(cases_);
  }

 private:
  void add_run(const WorkloadResult& result, const Run& run) {
    const std::vector<GateMiss> misses = gate_misses(report_, result.workload, run);
    std::set<Mode> seen;
    const auto add = [&](std::optional<Mode> mode, Status status, const std::string& reason,
                         const Timing* timing, const Comparison* row) {
      Case& added = cases_.emplace_back();
      added.workload = printable(result.workload.name);
      added.workload_id = result.workload.id;
      added.shim = printable(run.shim);
      added.mode = mode;
      added.status = status;
      added.result = &result;
      added.run = &run;
      added.timing = timing;
      added.comparison = row;
      if (mode) seen.insert(*mode);
      for (const GateMiss& miss : misses) {
        if (!mode || miss.mode == *mode) added.misses.push_back(miss);
      }
      judge(added, reason);
    };
    for (const Timing& timing : run.timings) {
      const Mode mode = timing.samples.mode;
      add(mode, run.status, run.reason, &timing, rows_.take(result, run.shim, mode));
    }
    for (const Untimed& other : run.untimed) {
      add(other.mode, other.status, other.reason, nullptr,
          rows_.take(result, run.shim, other.mode));
    }
    // Modes that only the comparison knows, since the run ended before any was sampled.
    for (std::size_t i = 0; i < kModeNames.size(); ++i) {
      const auto mode = static_cast<Mode>(i);
      const Comparison* row = rows_.take(result, run.shim, mode);
      if (row != nullptr) add(mode, run.status, run.reason, nullptr, row);
    }
    if (seen.empty()) {
      add(std::nullopt, run.status, run.reason, nullptr, nullptr);
      return;
    }
    for (const GateMiss& miss : misses) {
      if (seen.count(miss.mode) == 0) add(miss.mode, run.status, run.reason, nullptr, nullptr);
    }
  }

  void add_row(const Comparison& row) {
    Case& added = cases_.emplace_back();
    added.workload = printable(row.workload);
    added.workload_id = row.workload_id;
    added.shim = printable(row.candidate);
    added.mode = row.mode;
    added.comparison = &row;
    if (is_wrong_or_failure(row.candidate_status)) {
      add_cause(added, outcome_of(row.candidate_status), own_reason(row));
    } else {
      judge(added, "");
    }
    added.status = row.candidate_status;
  }

  /// What cannot be paired, was stopped or is not there is never a pass.
  void add_leftovers(const ComparisonReport& comparison) {
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> known;
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      if (cases_[i].result != nullptr) {
        known[{cases_[i].result->workload.name, cases_[i].run->shim}].push_back(i);
      }
    }
    for (const Leftover& left : comparison.leftovers) {
      bool found = false;
      for (const std::size_t i : known[{left.workload, left.side}]) {
        Case& of = cases_[i];
        if (left.mode && of.mode != left.mode) continue;
        found = true;
        if (of.outcome == Outcome::passed) add_cause(of, Outcome::inconclusive, alone(left));
      }
      if (found) continue;
      add_alone(left.workload, left.workload_id, left.side, left.mode, Outcome::inconclusive,
                alone(left));
    }
    if (!comparison.incomplete.empty()) {
      add_alone("comparison", "", kTool, std::nullopt, Outcome::inconclusive,
                join(comparison.incomplete, "; "));
    }
    if (cases_.empty()) {
      for (const std::string& candidate : comparison.candidates) {
        add_alone("comparison", "", candidate, std::nullopt, Outcome::inconclusive,
                  "nothing was compared");
      }
    }
  }

  static std::string alone(const Leftover& left) {
    return fmt::format("not compared: only {} has it", left.side);
  }

  void add_alone(const std::string& workload, const std::string& id, const std::string& shim,
                 std::optional<Mode> mode, Outcome outcome, const std::string& message) {
    Case& added = cases_.emplace_back();
    added.workload = printable(workload);
    added.workload_id = id;
    added.shim = printable(shim);
    added.mode = mode;
    add_cause(added, outcome, message);
  }

  const Report& report_;
  Rows rows_;
  std::vector<Case> cases_;
};

}  // namespace

const char* to_text(Outcome outcome) {
  switch (outcome) {
    case Outcome::wrong:
      return "wrong";
    case Outcome::failed:
      return "failed";
    case Outcome::not_run:
      return "not_run";
    case Outcome::slower:
      return "slower";
    case Outcome::missed:
      return "demand missed";
    case Outcome::inconclusive:
      return "inconclusive";
    case Outcome::skipped:
      return "skipped";
    case Outcome::passed:
      break;
  }
  return "passed";
}

std::vector<Case> cases_of(const Report& report) { return Cases(report).all(); }

std::string outcome_text(const Case& of) {
  const bool open = of.outcome == Outcome::inconclusive && of.comparison != nullptr;
  if (open && has_gone_wrong(*of.comparison)) return verdict_text(*of.comparison);
  return of.outcome == Outcome::not_run ? "not run" : to_text(of.outcome);
}

std::string case_name(const Case& of) {
  return of.mode ? fmt::format("{} · {}", of.workload, to_text(*of.mode)) : of.workload;
}

std::vector<std::string> shims_of(const std::vector<Case>& cases) {
  std::vector<std::string> shims;
  for (const Case& of : cases) {
    if (std::find(shims.begin(), shims.end(), of.shim) == shims.end()) shims.push_back(of.shim);
  }
  return shims;
}

std::string summary_of(const Report& report, const std::vector<Case>& cases) {
  std::string text;
  if (report.comparison) text = printable(summary_sentence(*report.comparison)) + ' ';
  const auto count = [&](Outcome outcome) {
    return std::count_if(cases.begin(), cases.end(),
                         [&](const Case& of) { return of.outcome == outcome; });
  };
  std::vector<std::string> parts;
  for (const Outcome outcome : {Outcome::wrong, Outcome::failed, Outcome::not_run, Outcome::slower,
                                Outcome::missed, Outcome::inconclusive, Outcome::skipped}) {
    if (const auto n = count(outcome); n > 0) {
      const std::string word = outcome == Outcome::not_run ? "not run" : to_text(outcome);
      parts.push_back(fmt::format("{} {}", n, word));
    }
  }
  const std::size_t all = cases.size();
  const std::string of_all = fmt::format("{} timing{}", all, all == 1 ? "" : "s");
  return text + (parts.empty() ? fmt::format("Of {}, all passed.", of_all)
                               : fmt::format("Of {}: {}, {} passed.", of_all, join(parts),
                                             count(Outcome::passed)));
}

}  // namespace fa2bench
