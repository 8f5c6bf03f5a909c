// SPDX-License-Identifier: MIT
// The default command: everything that can be refused is refused before the device works.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/contest.hpp"
#include "app/environment.hpp"
#include "app/interrupt.hpp"
#include "app/profiler.hpp"
#include "app/requirements.hpp"
#include "app/shims.hpp"
#include "cli/color.hpp"
#include "cli/commands.hpp"
#include "cli/exports.hpp"
#include "cli/open_shims.hpp"
#include "cli/profile_commands.hpp"
#include "cli/result_sink.hpp"
#include "cli/workloads.hpp"
#include "compare/outcome.hpp"
#include "device/outside_telemetry.hpp"
#include "device/select.hpp"
#include "measure/sampling.hpp"
#include "output/comparison_table.hpp"
#include "output/kernel_table.hpp"
#include "output/progress.hpp"
#include "output/result_table.hpp"
#include "result/gates.hpp"

namespace fa2bench {
namespace {

/// The name that is made when none is given.
std::filesystem::path default_output(const std::vector<std::string>& configs,
                                     const DeviceFacts& device, const std::string& started) {
  std::string name;
  for (const std::string& config : configs) {
    if (!name.empty()) name += '+';
    name += std::filesystem::path(config).stem().string();
  }
  constexpr std::size_t kLongest = 100;
  name.resize(std::min(name.size(), kLongest));
  const std::string word = device.kind == DeviceKind::cuda ? file_word(device.name) : "cpu";
  return std::filesystem::path(kResultFolder) /
         fmt::format("{}-{}-{}.json", name, word, compact_time(started));
}

std::string tables(const Report& report, int descriptor) {
  std::string text = result_table(report, wants_color(descriptor));
  const std::string kernels = kernel_table(report);
  if (!kernels.empty()) text += '\n' + kernels;
  if (report.comparison) {
    text += '\n' + comparison_table(*report.comparison, wants_color(descriptor));
  }
  return text;
}

/// The tables, for people: on stderr where stdout is somebody else's.
void print_table(const Report& report, const ResultSink& sink, bool stdout_is_taken, bool quiet) {
  if (stdout_is_taken && quiet) return;
  std::string text = tables(report, stdout_is_taken ? STDERR_FILENO : STDOUT_FILENO);
  if (!sink.to_stdout()) {
    text +=
        fmt::format("\nresult: {}{}\n", sink.path().empty() ? "not written" : sink.path().string(),
                    report.complete ? "" : " (incomplete)");
  }
  text = log_text(text);
  if (stdout_is_taken) {
    std::fputs(text.c_str(), stderr);
  } else {
    fmt::print("{}", text);
  }
}

/// What depends on the device unless the user says otherwise. A CPU has no power cap that it
/// reaches within one call, and what else it does moves its times more than another process would.
/// Processes whose shims are compared are what the verdict rests on, and are all there at once.
void set_device_limits(const RunOptions& options, bool contest, DeviceKind kind,
                       SamplingLimits& limits) {
  const bool cuda = kind == DeviceKind::cuda;
  constexpr double kLeastShare = 0.6;
  limits.least_time = limits.time_limit * kLeastShare;
  limits.duty = options.duty.value_or(cuda ? 0.5 : 1.0);
  const int usual = contest ? (cuda ? 4 : 3) : (cuda ? 5 : 1);
  limits.processes = options.in_process ? 1 : options.processes.value_or(usual);
}

/// What the result must not be written over.
std::vector<std::string> inputs_of(const RunOptions& options, std::vector<std::string> files) {
  for (const ShimRequest& request : requested_shims(options.shims)) {
    if (!request.path.empty()) files.push_back(request.path.string());
  }
  return files;
}

int list_workloads(const std::vector<Workload>& workloads) {
  for (const Workload& workload : workloads) fmt::print("{}\n", log_text(workload.name));
  return 0;
}

}  // namespace

int run_command(const RunOptions& options, const std::vector<std::string>& command_line) {
  SelectedWorkloads selected = select_workloads(options.workloads);
  if (!options.profile_workload.empty()) {
    select_only(selected, "--profile-workload", options.profile_workload);
  }
  if (options.list) return list_workloads(selected.workloads);
  const bool contest = is_contest(options);
  (void)parse_device(options.device);  // a bad one is refused before anything starts
  ResultSink sink(options.output, inputs_of(options, selected.files));
  const Exports exports(options.exports, "--output", options.output,
                        inputs_of(options, selected.files));
  std::signal(SIGPIPE, SIG_IGN);   // a reader that went away is an error with a text
  const InterruptWatch interrupt;  // before the device and the shims start threads
  const auto note = [&](const std::string& text) {
    if (!options.quiet && !text.empty()) std::fputs(log_text(text + '\n').c_str(), stderr);
  };
  note(selected.note);

  Report report;
  report.started = utc_now();
  report.command = command_line;
  report.tool = build_info();
  report.host = host_environment();
  report.config_files = selected.files;
  report.config_sha256 = selected.sha256;
  report.limits = options.profile ? profiling_limits(options.limits) : options.limits;
  report.profiler = profiler_in_environment();
  if (options.profile && report.profiler.empty()) {
    const bool graphs = std::any_of(options.modes.begin(), options.modes.end(), is_graph);
    const std::size_t ranges =
        selected.workloads.size() * options.modes.size() * requested_shims(options.shims).size();
    note(profile_commands({command_line, ranges, graphs}));
    report.profiler = "--profile";
  }
  const std::shared_ptr<LaunchClass> launches = launch_class(options, !report.profiler.empty());
  OpenedShims shims;
  try {
    shims = open_shims(options, interrupt.token(), note, launches, report);
    const std::string unmet = unmet_before(options.requirements, report.telemetry, report.device);
    if (!unmet.empty()) throw Error(ErrorKind::environment, unmet);
  } catch (const Error& error) {
    // Nothing was finished, so there is nothing to save.
    if (interrupt.signal() != 0) return 128 + interrupt.signal();
    if (error.kind() == ErrorKind::environment) {
      sink.abandon();
      exports.start();
    }
    throw;
  }
  if (launches) report.quick_launch_us = launches->bound_us();
  const std::vector<std::string> equal = equal_builds(report.shims);
  for (const std::string& builds : equal) note(builds);
  if (contest) report.comparison.emplace().notes = equal;
  if (!options.profile) set_device_limits(options, contest, report.device.kind, report.limits);
  sink.name_if_unnamed(default_output(selected.files, report.device, report.started));
  sink.start(report);  // nothing older stays there to be mistaken for this run's result
  exports.start();     // likewise

  Progress progress(
      choose_progress_style(options.quiet, options.no_progress, ::isatty(STDERR_FILENO) != 0));
  // A capture that fails can leave errors behind, which only a worker of its own keeps to itself.
  SessionSettings settings{
      options.modes,   report.limits,   !options.in_process && !options.profile,
      options.kernels, options.profile, options.rules};
  const SessionEvents events{
      [&](std::size_t done, std::size_t total, const std::string& now, const std::string& phase) {
        progress.show(done, total, now, phase);
      },
      [&](const Report& so_far) { note(sink.save(so_far)); }};
  if (contest) {
    open_other_processes(options, report, interrupt.token(), launches, shims);
    settings.free = shims.free;
    MemoryHolder memory(own_executable(), options.device);
    run_contest(selected.workloads, shims.contestants, settings, events, interrupt.token(), &memory,
                report);
  } else {
    run_session(selected.workloads, shims.alone, settings, events, interrupt.token(), report);
  }
  if (launches) report.quick_launch_us = launches->bound_us();  // may be lower by now
  report.telemetry.after = outside_telemetry(report.device);
  report.unmet_requirement = unmet_during(options.requirements, report);
  report.finished = utc_now();
  progress.finish();
  sink.finish(report);
  const std::string unwritten = exports.write(report);
  const bool stdout_is_taken = sink.to_stdout() || exports.to_stdout();
  try {
    print_table(report, sink, stdout_is_taken, options.quiet);
  } catch (const std::system_error&) {
    if (sink.failure().empty()) throw;  // else there is more to say than that stdout is gone
  }
  note(tell_github(report, stdout_is_taken));
  if (!sink.failure().empty()) throw Error(ErrorKind::environment, sink.failure());
  if (!unwritten.empty()) throw Error(ErrorKind::environment, unwritten);
  if (interrupt.signal() != 0) return 128 + interrupt.signal();
  if (!report.unmet_requirement.empty()) {
    throw Error(ErrorKind::environment, report.unmet_requirement);
  }
  return static_cast<int>(worse(exit_code(report), gates_exit_code(report)));
}

}  // namespace fa2bench
