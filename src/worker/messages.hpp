// SPDX-License-Identifier: MIT
// What the session and a worker say to each other, as values, and as the JSON texts that travel.
//
//   session → worker: Open, then any number of RunRequest
//   worker → session: Opened, Looked or Refused; after Opened, for each RunRequest any number of
//   Phase and one Ran
//
// Of a RunRequest in turns, for each mode that can be timed: a Took without times, which says that
// the worker is ready and waits; then for each Turn a Took; and at last, after TurnsOver, the first
// Took of the next mode, or Ran. Ran may take the place of any Took.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "device/shared_pool.hpp"
#include "measure/in_turns.hpp"
#include "result/comparison.hpp"
#include "result/report.hpp"
#include "verify/rows.hpp"

namespace fa2bench {

/// Open the device, find and load one shim.
struct Open {
  std::string device;              ///< the text of --device
  std::vector<std::string> shims;  ///< the values of --shim; may be empty
  std::size_t index = 0;           ///< which of the shims that are then found
  bool measure_ceilings = false;
  bool again = false;  ///< a worker of this run opened the device before
  bool measure_launch = false;
  /// The shim is loaded only if a launch is known to take no longer in this process (µs); 0: never.
  std::optional<double> most_launch_us = std::nullopt;
};

/// Where one shim leaves its first right outputs and others compare theirs with them.
struct OutputFile {
  std::string path;    ///< of a file that is there
  bool write = false;  ///< else compare
};

/// Verify and time one workload.
struct RunRequest {
  Workload workload;
  std::vector<Mode> modes;
  SamplingLimits limits;
  bool check_graph = false;  ///< also replay the call from a CUDA graph, where the device has them
  bool trace_kernels = false;  ///< also say which kernels a call launches
  bool profile = false;        ///< few plain calls in brackets that profilers wait for
  /// Memory for the workload's data; else, and where it cannot be opened, the worker's own.
  std::optional<SharedPool> memory = std::nullopt;
  std::optional<OutputFile> outputs = std::nullopt;
  /// Of the device's memory for this process, where others of the run hold theirs at the same time.
  std::optional<Bytes> room = std::nullopt;
  bool in_turns = false;  ///< who works when is said by Turn; not with sustained or profile
  double reference_budget = kReferenceBudget;  ///< see choose_rows()
};

using Request = std::variant<Open, RunRequest, Turn, TurnsOver>;

struct Opened {
  DeviceFacts device;
  std::string device_note;  ///< why `auto` chose the CPU
  Ceilings ceilings;        ///< empty unless asked for
  ShimRecord shim;
  RunTelemetry telemetry;                          ///< before and ready
  std::optional<double> launch_us = std::nullopt;  ///< Device::measure_launch, if asked for
  std::optional<Bytes> free = std::nullopt;        ///< memory of the device, with the shim loaded
};

/// The device was opened, Open::most_launch_us did not hold, and the worker ends without a shim.
struct Looked {
  std::optional<double> launch_us;
  Telemetry before;
};

/// An Error that ended the opening.
struct Refused {
  ErrorKind kind = ErrorKind::environment;
  std::string text;
};

/// What the worker does from now on, and how long it may well take beyond the session's patience.
struct Phase {
  std::string name;
  double expected_s = 0.0;
  std::optional<Run> so_far = std::nullopt;  ///< stands, should the worker be lost in this phase
  /// Told once, by a worker that was given memory: whether its data lie there.
  std::optional<MemorySharing> memory = std::nullopt;
};

struct Ran {
  Run run;
  bool device_lost = false;  ///< or the shim may hold errors: the worker is of no more use
  /// Of a request with outputs to compare; without workload and label.
  std::optional<OutputDifference> difference = std::nullopt;
};

using Reply = std::variant<Opened, Refused, Phase, Ran, Looked, Took>;

std::string to_message(const Request& request);
std::string to_message(const Reply& reply);

/// Each throws Error(usage) for a text that is no such message.
Request read_request(const std::string& text);
Reply read_reply(const std::string& text);

}  // namespace fa2bench
