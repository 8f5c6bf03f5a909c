// SPDX-License-Identifier: MIT
// What workloads need and cost, before anything runs.
#pragma once

#include <string>
#include <vector>

#include "workload/plan.hpp"
#include "workload/workload.hpp"

namespace fa2bench {

struct PlannedWorkload {
  Workload workload;
  Plan plan;
  Bytes device_memory;  ///< everything a run of it allocates on the device
};

std::string plan_table(const std::vector<PlannedWorkload>& planned);
/// {"schema": "ferrum-fa2-bench/plan/v1", "workloads": […]}
std::string plan_json(const std::vector<PlannedWorkload>& planned);

}  // namespace fa2bench
