// SPDX-License-Identifier: MIT
#include "output/empty_row_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/text.hpp"

namespace fa2bench {
namespace {

std::string describe(const EmptyRows& empty) {
  const auto out = [&]() -> const char* {
    switch (empty.out) {
      case EmptyOut::zero:
        return "0";
      case EmptyOut::nan:
        return "NaN";
      default:
        return to_text(empty.out);
    }
  };
  const auto lse = [&]() -> const char* {
    switch (empty.lse) {
      case EmptyLse::neg_inf:
        return "-inf";
      case EmptyLse::pos_inf:
        return "+inf";
      case EmptyLse::nan:
        return "NaN";
      default:
        return to_text(empty.lse);
    }
  };
  return fmt::format("out {}, lse {}", out(), lse());
}

/// Notes in the order in which they first came up, each with its workloads.
class Notes {
 public:
  void add(const std::string& note, const std::string& workload) {
    const auto found =
        std::find_if(notes_.begin(), notes_.end(), [&](const Note& n) { return n.text == note; });
    if (found == notes_.end()) {
      notes_.push_back({note, {workload}});
    } else {
      found->workloads.push_back(workload);
    }
  }

  [[nodiscard]] std::string text() const {
    constexpr std::size_t kShown = 4;
    std::string text;
    for (const Note& note : notes_) {
      const std::size_t shown = std::min(kShown, note.workloads.size());
      const auto end = note.workloads.begin() + static_cast<std::ptrdiff_t>(shown);
      std::string names = join({note.workloads.begin(), end});
      if (const std::size_t rest = note.workloads.size() - shown; rest > 0) {
        names += fmt::format(" and {} more", rest);
      }
      text += fmt::format("{} (in {})\n", note.text, names);
    }
    return text;
  }

 private:
  struct Note {
    std::string text;
    std::vector<std::string> workloads;
  };
  std::vector<Note> notes_;
};

/// The conventions of a workload's right shims, each with their labels.
struct Convention {
  EmptyRows empty;
  std::vector<std::string> shims;
};
std::vector<Convention> conventions_of(const WorkloadResult& result) {
  std::vector<Convention> conventions;
  for (const Run& run : result.runs) {
    if (run.status != Status::ok || !run.verify || !run.verify->empty_rows) continue;
    const EmptyRows& empty = *run.verify->empty_rows;
    const auto same = std::find_if(conventions.begin(), conventions.end(), [&](const auto& other) {
      return other.empty.agrees_with(empty);
    });
    if (same == conventions.end()) {
      conventions.push_back({empty, {run.shim}});
    } else {
      same->shims.push_back(run.shim);
    }
  }
  return conventions;
}

/// "out and lse", "out", "lse" or "".
std::string tensors(bool out, bool lse) {
  if (out && lse) return "out and lse";
  if (out) return "out";
  return lse ? "lse" : "";
}

void add_warnings(const Convention& convention, const std::string& workload, Notes& notes) {
  const EmptyRows& empty = convention.empty;
  const std::string unwritten =
      tensors(empty.out == EmptyOut::unwritten, empty.lse == EmptyLse::unwritten);
  const std::string mixed = tensors(empty.out == EmptyOut::mixed, empty.lse == EmptyLse::mixed);
  for (const std::string& shim : convention.shims) {
    if (!unwritten.empty()) {
      notes.add(
          fmt::format("warning: {} leaves {} of rows without keys unwritten", shim, unwritten),
          workload);
    }
    if (!mixed.empty()) {
      notes.add(
          fmt::format("warning: {} does not treat all rows without keys alike in {}", shim, mixed),
          workload);
    }
  }
}

}  // namespace

std::string empty_row_notes(const Report& report) {
  Notes notes;
  for (const WorkloadResult& result : report.workloads) {
    const std::vector<Convention> conventions = conventions_of(result);
    std::vector<std::string> described;
    for (const Convention& convention : conventions) {
      described.push_back(
          fmt::format("{}: {}", join(convention.shims), describe(convention.empty)));
      add_warnings(convention, result.workload.name, notes);
    }
    if (conventions.size() < 2) continue;
    notes.add(fmt::format("shims differ in rows without keys: {}", fmt::join(described, "; ")),
              result.workload.name);
  }
  return notes.text();
}

}  // namespace fa2bench
