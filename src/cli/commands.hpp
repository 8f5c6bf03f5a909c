// SPDX-License-Identifier: MIT
// The commands; each in a file of its own.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/options.hpp"

namespace fa2bench {

/// Each prints to stdout and returns the process's exit code; throws Error for what ends a command.
/// `command_line` goes into the report.
int run_command(const RunOptions& options, const std::vector<std::string>& command_line);
int plan_command(const PlanOptions& options);
int compare_command(const CompareOptions& options);
int doctor_command(const DoctorOptions& options);
int selftest_command(const SelfTestOptions& options);
/// Programs of child processes.
int worker_command();
int peer_command();
int memory_command();

}  // namespace fa2bench
