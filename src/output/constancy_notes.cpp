// SPDX-License-Identifier: MIT
#include "output/constancy_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "output/notes.hpp"

namespace fa2bench {
namespace {

/// What changed, as "out and lse"; "" if nothing did, or nothing was tried.
std::string changed(const std::optional<Repeats>& repeats) {
  if (!repeats || (repeats->same_out && repeats->same_lse)) return "";
  if (repeats->same_out) return "lse";
  return repeats->same_lse ? "out" : "out and lse";
}

/// Of calls on the same inputs, those before timing and those that were timed.
std::optional<Repeats> same_inputs(const Constancy& constancy) {
  if (!constancy.repeats || !constancy.timed_calls) {
    return constancy.repeats ? constancy.repeats : constancy.timed_calls;
  }
  const Repeats& a = *constancy.repeats;
  const Repeats& b = *constancy.timed_calls;
  return Repeats{a.calls + b.calls, a.same_out && b.same_out, a.same_lse && b.same_lse,
                 std::max(a.largest_difference, b.largest_difference)};
}

void add_notes(const Run& run, const std::string& workload, Notes& notes) {
  const Constancy& constancy = run.verify->constancy;
  const std::string from_call_to_call = changed(same_inputs(constancy));
  if (const std::string& what = from_call_to_call; !what.empty()) {
    notes.add(fmt::format("{} is not deterministic: {} had other bits in some calls on the same "
                          "inputs",
                          run.shim, what),
              workload);
  }
  const std::string on_other_pages = changed(constancy.other_pages);
  // Bits that change anyway say nothing of pages.
  if (const std::string& what = on_other_pages; !what.empty() && from_call_to_call.empty()) {
    notes.add(fmt::format("{} depends on where pages lie: {} had other bits with the same K and V "
                          "on other pages",
                          run.shim, what),
              workload);
  }
  if (constancy.graph && !constancy.graph->obstacle.empty()) {
    notes.add(fmt::format("{} has no right replay from a CUDA graph: {}", run.shim,
                          constancy.graph->obstacle),
              workload);
  }
}

}  // namespace

std::string constancy_notes(const Report& report) {
  Notes notes;
  for (const WorkloadResult& result : report.workloads) {
    for (const Run& run : result.runs) {
      if (run.status == Status::ok && run.verify) add_notes(run, result.workload.name, notes);
    }
  }
  return notes.text();
}

}  // namespace fa2bench
