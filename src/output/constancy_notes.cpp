// SPDX-License-Identifier: MIT
#include "output/constancy_notes.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <optional>

#include "output/notes.hpp"

namespace fa2bench {
namespace {

/// Which outputs had other bits in any of these calls; see tensors().
std::string changed(std::initializer_list<std::optional<Repeats>> of) {
  bool out = false;
  bool lse = false;
  for (const std::optional<Repeats>& repeats : of) {
    if (!repeats) continue;
    out = out || !repeats->same_out;
    lse = lse || !repeats->same_lse;
  }
  return tensors(out, lse);
}

void add_notes(const Run& run, const std::string& workload, Notes& notes) {
  const Constancy& constancy = run.verify->constancy;
  const std::string same_inputs = changed({constancy.repeats, constancy.timed_calls});
  const std::string other_pages = changed({constancy.other_pages});
  if (!same_inputs.empty()) {
    notes.add(fmt::format("{} is not deterministic: {} had other bits in some calls on the same "
                          "inputs",
                          run.shim, same_inputs),
              workload);
  } else if (!other_pages.empty()) {  // bits that change anyway say nothing of pages
    notes.add(fmt::format("{} depends on where pages lie: {} had other bits with the same K and V "
                          "on other pages",
                          run.shim, other_pages),
              workload);
  }
  if (constancy.graph && !constancy.graph->obstacle.empty()) {
    notes.add(fmt::format("{} has no right replay from a CUDA graph: {}", run.shim,
                          constancy.graph->obstacle),
              workload);
  }
  if (constancy.graph && constancy.graph->allocations > 0) {
    notes.add(fmt::format("{} allocates memory while captured: {} of the nodes of its CUDA graph",
                          run.shim, constancy.graph->allocations),
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
