// SPDX-License-Identifier: MIT
// From --config, --filter and --seed to the workloads of a command.
#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"
#include "workload/workload.hpp"

namespace fa2bench {

struct SelectedWorkloads {
  std::vector<Workload> workloads;  ///< names unique
  std::vector<std::string> files;
  std::string sha256;  ///< of the files' contents, in order
  std::string note;    ///< for stderr, one line; "" if there is nothing to say
};

/// Throws Error(usage): no config, a bad one, a bad pattern, nothing selected.
SelectedWorkloads select_workloads(const WorkloadOptions& options);

/// Leaves only the workload of this name. Throws Error(usage) if there is none.
void select_only(SelectedWorkloads& selected, const std::string& option, const std::string& name);

}  // namespace fa2bench
