// SPDX-License-Identifier: MIT
// Everything that a run found, as plain values; what it looks like is the business of output/.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/build_info.hpp"
#include "device/ceilings.hpp"
#include "device/device.hpp"
#include "device/telemetry.hpp"
#include "measure/samples.hpp"
#include "result/comparison.hpp"
#include "result/kernel_report.hpp"
#include "result/status.hpp"
#include "shim/fingerprint.hpp"
#include "shim/shim.hpp"
#include "stats/summary.hpp"
#include "stats/trials.hpp"
#include "verify/verifier.hpp"
#include "workload/data.hpp"
#include "workload/plan.hpp"
#include "workload/workload.hpp"

namespace fa2bench {

/// Samples of one mode and what they say. Times are of one call: of a sample, over its calls.
struct Timing {
  Samples samples;
  /// µs; GPU time between events, or wall time on the CPU. Of all samples that count, but for the
  /// median and its interval, which are those of the estimate where the trials give an interval.
  Summary device;
  Summary host;             ///< µs until the call returned; estimated as `device` is
  TrialsEstimate estimate;  ///< µs; from the trials
  /// 10^12 distinct bytes, and 10^12 FLOPs, over the median time; none if that is 0.
  std::optional<double> tb_per_s;
  std::optional<double> tflop_per_s;
  /// The larger of (bytes at the read ceiling, FLOPs at the matrix ceiling) over the median time.
  std::optional<double> speed_of_light;
  std::string limit;  ///< which of them: "read" or "matrix"; "" if no ceiling is known
  /// The working set fits the last-level cache and earlier calls left it there: bytes need not come
  /// from memory.
  bool cache_resident = false;
  /// The call takes longer to return than the device takes for it: back to back, the device waits.
  bool launch_bound = false;
};

/// A mode that was asked for and has no timing.
struct Untimed {
  Mode mode = Mode::cold;
  Status status = Status::failed;  ///< as of a run
  std::string reason;
};

/// The reason of a run that is ok without timings: the batch had no query token.
inline constexpr const char* kNothingToDo = "nothing to do: no query tokens";

/// One shim on one workload.
struct Run {
  std::string shim;  ///< label
  Status status = Status::not_run;
  std::string reason;                  ///< one line; empty if ok, unless it is kNothingToDo
  std::optional<VerifyReport> verify;  ///< the last check made
  std::vector<Timing> timings;         ///< empty unless ok, and with kNothingToDo
  std::vector<Untimed> untimed;        ///< the modes without one; empty unless ok
  /// Wall time of the workload's first call and its work, with whatever is loaded or allocated
  /// then; 0 if it did not end well.
  double first_call_us = 0.0;
  /// µs from one launch to the next in each process, in their order (Device::measure_launch); of
  /// those where it is known.
  std::vector<double> launch_us;
  std::string output;  ///< what a lost worker printed last, at most 64 KiB; else ""
  /// Of calls that are not timed; none unless asked for and ok.
  std::optional<KernelReport> kernels = std::nullopt;
};

/// None if the mode has no time.
const Timing* timing_of(const Run& run, Mode mode);

struct WorkloadResult {
  Workload workload;
  Plan plan;
  std::vector<Run> runs;             ///< in the order of Report::shims
  std::string recipe = kDataRecipe;  ///< of its data (workload/data.hpp)
};

/// A loaded shim.
struct ShimRecord {
  std::string label;
  std::string path;    ///< as given, made absolute
  std::string origin;  ///< "--shim", the environment variable, "bundled"
  ShimDescription description;
  Fingerprint fingerprint;
  /// Why it could not be loaded; then only label, path and origin are known. Or why, once loaded,
  /// it cannot run on this device at all.
  std::string error;
};

struct HostFacts {
  std::string hostname;
  std::string system;  ///< "Debian GNU/Linux 12 (bookworm)"
  std::string kernel;
  std::string cpu;
  int logical_cpus = 0;
  Bytes memory;
  std::string cpu_governor;            ///< who chooses the frequency: "performance"; "" if unknown
  std::optional<double> load_average;  ///< over a minute, at the start of the run
};

/// The device at three moments.
struct RunTelemetry {
  Telemetry before;  ///< this run had no work on it yet
  Telemetry ready;   ///< opened, and the ceilings measured if they are
  Telemetry after;   ///< the last workload was over
};

struct Report {
  bool complete = false;
  std::string started;   ///< UTC, ISO 8601
  std::string finished;  ///< "" while running
  std::vector<std::string> command;
  BuildInfo tool;
  HostFacts host;
  DeviceFacts device;
  Ceilings ceilings;
  RunTelemetry telemetry;
  /// A process whose launches take no longer (µs) is one of the quick ones of this device; nothing
  /// where none was looked for.
  std::optional<double> quick_launch_us;
  /// What was demanded of the device and did not hold all the time; "" if it did.
  std::string unmet_requirement;
  std::vector<std::string> config_files;
  std::string config_sha256;  ///< of the files' contents, in order
  SamplingLimits limits;
  /// What looked on, so that no time here may be a baseline: "nsys", "ncu", "cuda injection",
  /// "nvtx injection" or "--profile"; "" if nothing did.
  std::string profiler;
  std::vector<ShimRecord> shims;
  std::vector<WorkloadResult> workloads;
  std::optional<ComparisonReport> comparison;  ///< of several shims
};

/// What the samples say by themselves. Requires at least one sample that counts.
Timing summarize_samples(Samples samples);
/// Likewise, and all that follows from the workload and its device.
Timing make_timing(Samples samples, const Plan& plan, const DeviceFacts& device,
                   const Ceilings& ceilings);

}  // namespace fa2bench
