// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cstdio>

#include "app/shim_host.hpp"
#include "cli/commands.hpp"
#include "cli/exports.hpp"
#include "cli/workloads.hpp"
#include "output/plan_table.hpp"

namespace fa2bench {

int plan_command(const PlanOptions& options) {
  const SelectedWorkloads selected = select_workloads(options.workloads);
  if (!selected.note.empty()) std::fputs((selected.note + '\n').c_str(), stderr);
  std::vector<PlannedWorkload> planned;
  planned.reserve(selected.workloads.size());
  for (const Workload& workload : selected.workloads) {
    const Plan plan = make_plan(workload);
    // Without the cache sweep, whose size only the device knows.
    const Bytes needed = device_memory_needed(plan, workload.shape, Bytes{0});
    planned.push_back({workload, plan, needed});
  }
  fmt::print("{}", options.json ? plan_json(planned) : log_text(plan_table(planned)));
  return 0;
}

}  // namespace fa2bench
