// SPDX-License-Identifier: MIT
// The command line as a value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/requirements.hpp"
#include "cli/exports.hpp"
#include "measure/samples.hpp"
#include "result/comparison.hpp"

namespace fa2bench {

/// What every command that reads configs takes.
struct WorkloadOptions {
  std::vector<std::string> configs;   ///< --config
  std::string filter;                 ///< --filter; "": all
  std::optional<std::uint64_t> seed;  ///< --seed
};

struct RunOptions {
  WorkloadOptions workloads;
  std::vector<std::string> shims;       ///< --shim, [LABEL=]PATH
  std::string device = "auto";          ///< --device
  Requirements requirements;            ///< --require-idle, --require-clocks
  std::vector<Mode> modes{Mode::cold};  ///< --mode; each once, in the order of the enumerators
  std::string output;                   ///< --output; "": a name is made; "-": stdout
  ExportPaths exports;                  ///< --markdown, --junit, --csv, --gbench
  SamplingLimits limits;                ///< --time-limit, --precision, --trials
  std::optional<int> processes;         ///< --processes; else the device's
  std::optional<double> duty;           ///< --duty as a part of 1; else the device's
  ComparisonRules rules;                ///< --min-effect, --confidence
  double timeout_s = 60.0;              ///< --timeout
  bool in_process = false;              ///< --in-process
  bool no_ceilings = false;             ///< --no-ceilings
  bool kernels = false;                 ///< --kernels
  bool profile = false;                 ///< --profile, or implied by --profile-workload
  std::string profile_workload;         ///< --profile-workload; "": all that are selected
  bool list = false;
  bool quiet = false;
  bool no_progress = false;
};

struct PlanOptions {
  WorkloadOptions workloads;
  bool json = false;
};

struct CompareOptions {
  std::vector<std::string> baselines;  ///< result files; at least one
  std::string next;                    ///< the result file that is held against them
  ExportPaths exports;                 ///< --markdown, --junit, --csv
  std::string shim_of_base;            ///< --shim-of-base; "": see compare/compare_results.hpp
  std::string shim_of_new;             ///< --shim-of-new
  std::optional<double> min_effect;    ///< --min-effect as a part of 1; else the device's
  double confidence = 0.99;            ///< --confidence as a part of 1
  bool force = false;                  ///< --force
  std::string json;                    ///< --json; "": none; "-": stdout
};

struct DoctorOptions {
  std::vector<std::string> shims;
  std::string device = "auto";
};

struct SelfTestOptions {
  std::string device = "auto";
  std::string json;  ///< --json; "": none; "-": stdout
};

/// The programs of a worker process, of the self-test's second process, and of the one that holds
/// memory for workers; not for people.
struct WorkerOptions {};
struct PeerOptions {};
struct MemoryOptions {};

/// Nothing left to do: help or version, already as text.
struct PrintText {
  std::string text;
};

using Command = std::variant<RunOptions, PlanOptions, CompareOptions, DoctorOptions,
                             SelfTestOptions, WorkerOptions, PeerOptions, MemoryOptions, PrintText>;

/// Throws Error(usage).
Command parse_command_line(int argc, const char* const* argv);

}  // namespace fa2bench
