// SPDX-License-Identifier: MIT
#include "output/empty_row_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "output/notes.hpp"

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
