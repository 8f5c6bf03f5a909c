// SPDX-License-Identifier: MIT
// The command line as CLI11 reads it; the options of `compare` are in compare_options.cpp.
#include "cli/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "base/build_info.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/compare_options.hpp"
#include "cli/export_options.hpp"
#include "cli/help.hpp"
#include "cli/option_values.hpp"

namespace fa2bench {
namespace {

std::vector<Mode> parse_modes(const std::vector<std::string>& texts) {
  static const std::vector<std::string> kNames(kModeNames.begin(), kModeNames.end());
  std::set<Mode> modes;
  for (const std::string& text : texts) {
    const auto found = std::find(kNames.begin(), kNames.end(), text);
    if (found == kNames.end()) {
      const std::string close = nearest(text, kNames);
      throw Error(ErrorKind::usage,
                  fmt::format("--mode {}: expected one or more of {}{}", text, join(kNames),
                              close.empty() ? "" : fmt::format(" (did you mean {}?)", close)));
    }
    modes.insert(static_cast<Mode>(found - kNames.begin()));
  }
  return {modes.begin(), modes.end()};
}

/// One placement, or at least so many.
void set_trials(SamplingLimits& limits, const std::string& text) {
  const double trials = parse_number("--trials", text, 1.0, 10000.0, "a number");
  limits.min_trials = static_cast<std::size_t>(trials);
  limits.max_trials = limits.min_trials == 1 ? 1 : std::max(limits.max_trials, limits.min_trials);
}

void add_workload_options(CLI::App& app, WorkloadOptions& options) {
  app.add_option("--config", options.configs, "Workload config; several are run in order")
      ->type_name("FILE")
      ->group("Workloads");
  app.add_option("--filter", options.filter, "Only workloads whose name matches, anywhere")
      ->type_name("REGEX")
      ->group("Workloads");
  app.add_option_function<std::string>(
         "--seed", [&options](const std::string& text) { options.seed = parse_seed(text); },
         "Replaces every seed of data and placement")
      ->type_name("N")
      ->group("Workloads");
}

void add_device_option(CLI::App& app, std::string& device) {
  app.add_option("--device", device, "auto, cpu, cuda or cuda:N")
      ->type_name("DEVICE")
      ->capture_default_str()
      ->group("What is measured");
}

void add_device_options(CLI::App& app, std::vector<std::string>& shims, std::string& device) {
  app.add_option("--shim", shims,
                 "Library to measure; else $FERRUM_FA2_DIRECT_FFI_SHIM, else the bundled one")
      ->type_name("[LABEL=]PATH")
      ->group("What is measured");
  add_device_option(app, device);
}

void add_run_options(CLI::App& app, RunOptions& options) {
  add_workload_options(app, options.workloads);
  app.add_flag("--list", options.list, "Print the names of the workloads and end")
      ->group("Workloads");
  add_device_options(app, options.shims, options.device);
  app.add_option_function<std::vector<std::string>>(
         "--mode",
         [&options](const std::vector<std::string>& texts) { options.modes = parse_modes(texts); },
         "What a sample is: " + join({kModeNames.begin(), kModeNames.end()}) +
             "; several are taken one after the other")
      ->delimiter(',')
      ->type_name("MODE")
      ->default_str("cold")
      ->group("Measurement");
  app.add_option_function<std::string>(
         "--time-limit",
         [&options](const std::string& text) {
           options.limits.time_limit = Seconds(parse_seconds("--time-limit", text, 0.001));
         },
         "Seconds of sampling for each workload, shim and mode")
      ->type_name("SECONDS")
      ->default_str(fmt::format("{}", options.limits.time_limit.count()))
      ->group("Measurement");
  app.add_option_function<std::string>(
         "--precision",
         [&options](const std::string& text) {
           options.limits.precision = parse_percent("--precision", text, 0.01);
         },
         "Width of the 95 % interval, in percent of the time, at which sampling stops")
      ->type_name("PERCENT")
      ->default_str(fmt::format("{}", 100.0 * options.limits.precision))
      ->group("Measurement");
  app.add_option_function<std::string>(
         "--trials", [&options](const std::string& text) { set_trials(options.limits, text); },
         "At least so many placements of the memory in each process, within the time limit; 1: one")
      ->type_name("N")
      ->default_str(fmt::format("{}", options.limits.min_trials))
      ->group("Measurement");
  app.add_option_function<std::string>(
         "--processes",
         [&options](const std::string& text) {
           options.processes =
               static_cast<int>(parse_number("--processes", text, 1.0, 100.0, "a number"));
         },
         "Processes that each shim is run in, within the time limit; 5 on a GPU and 1 on a CPU, "
         "one "
         "after the other; where several shims are compared 4 and 3, in turns")
      ->type_name("N")
      ->group("Measurement");
  app.add_option_function<std::string>(
         "--min-effect",
         [&options](const std::string& text) {
           options.rules.min_effect = parse_percent("--min-effect", text, 0.01);
         },
         "Smallest difference of two shims' times that matters, in percent")
      ->type_name("PERCENT")
      ->default_str(fmt::format("{}", 100.0 * options.rules.min_effect))
      ->group("Comparison");
  app.add_option_function<std::string>(
         "--confidence",
         [&options](const std::string& text) { options.rules.confidence = parse_confidence(text); },
         "How sure all faster and slower verdicts of a comparison together have to be, and each "
         "same by itself, in percent")
      ->type_name("PERCENT")
      ->default_str(fmt::format("{}", 100.0 * options.rules.confidence))
      ->group("Comparison");
  app.add_option_function<std::string>(
         "--duty",
         [&options](const std::string& text) { options.duty = parse_percent("--duty", text, 1.0); },
         "Share of the time that the device may be busy, in percent; 50 on a GPU, 100 on a CPU")
      ->type_name("PERCENT")
      ->group("Measurement");
  app.add_flag("--require-idle", options.requirements.idle,
               "End with exit code 3 unless nobody else is known to use the device")
      ->group("Measurement");
  app.add_option_function<std::string>(
         "--require-clocks",
         [&options](const std::string& text) {
           options.requirements.clocks = parse_clock_range(text);
         },
         "End with exit code 3 unless the SM clock, or the CPU's, is known to be this; ±1% if no "
         "tolerance is given, and +- is as good as ±")
      ->type_name("MHZ[±PERCENT%]")
      ->group("Measurement");
  app.add_flag("--no-ceilings", options.no_ceilings,
               "Do not measure what the device reaches; then no share of the limit is reported")
      ->group("Measurement");
  app.add_flag("--kernels", options.kernels,
               "Also trace which kernels a call launches, after it was timed (needs CUPTI)")
      ->group("Measurement");
  app.add_flag(
         "--profile", options.profile,
         "For a profiler: few plain calls, bracketed by cudaProfilerStart and Stop; their times "
         "are no baseline")
      ->group("Measurement");
  app.add_option("--profile-workload", options.profile_workload,
                 "The same, and only the workload of this name")
      ->type_name("NAME")
      ->group("Measurement");
  app.add_option_function<std::string>(
         "--timeout",
         [&options](const std::string& text) {
           options.timeout_s = parse_seconds("--timeout", text, 0.1);
         },
         "Seconds for each phase of a workload, beyond its sampling, before a shim that does not "
         "answer is killed")
      ->type_name("SECONDS")
      ->default_str(fmt::format("{}", options.timeout_s))
      ->group("Isolation");
  app.add_flag(
         "--in-process", options.in_process,
         "Load shims into this process, for debuggers: a crash then ends the run; --processes is 1")
      ->group("Isolation");
  app.add_option("--output", options.output,
                 "Result file, or - for stdout; else bench_results/<config>-<device>-<time>.json")
      ->type_name("FILE")
      ->group("Output");
  add_export_options(app, options.exports, false);
  app.add_flag("--quiet", options.quiet, "Nothing on stderr but errors")->group("Output");
  app.add_flag("--no-progress", options.no_progress, "No progress on stderr")->group("Output");
}

/// An option before the name of a command is the default command's, and would be passed over.
void require_nothing_before(const CLI::App& command, const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0) continue;
    throw Error(ErrorKind::usage,
                fmt::format("{0} before {1}: write ferrum-fa2-bench {1} {0} …; see "
                            "ferrum-fa2-bench {1} --help",
                            option->get_name(), command.get_name()));
  }
}

/// " (did you mean --output?)" for the first unknown word that is near a known one, or a way to
/// what was meant; else "".
std::string suggestion(const CLI::App& command, const std::vector<std::string>& words) {
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  for (const std::string& word : words) {
    const std::string option = word.substr(0, word.find('='));
    if (option == "--gbench" && command.get_name() == "compare") {
      return " (Google Benchmark's JSON holds the times of one run: give --gbench to the runs, and "
             "their files to its compare.py)";
    }
    if (!word.starts_with("--")) continue;
    const std::string close = nearest(option, known);
    if (!close.empty()) return fmt::format(" (did you mean {}?)", close);
  }
  const std::string& first = words.front();
  const bool takes_config = std::find(known.begin(), known.end(), "--config") != known.end();
  if (!takes_config || !first.ends_with(".json")) return "";
  return fmt::format(" (did you mean --config {}?)", first);
}

/// What is not expected, in the given order, and what may have been meant.
std::string unexpected(const CLI::App& app) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  const CLI::App& command = parsed.empty() ? app : *parsed.front();
  const std::vector<std::string> words = app.remaining(true);
  const std::string help = parsed.empty()
                               ? "ferrum-fa2-bench --help"
                               : fmt::format("ferrum-fa2-bench {} --help", command.get_name());
  const std::string& first = words.front();
  if (parsed.empty() && !first.starts_with("-") && !first.ends_with(".json")) {
    static const std::vector<std::string> kCommands{"run", "plan", "compare", "doctor", "selftest"};
    const std::string close = nearest(first, kCommands);
    return fmt::format("{}: unknown command; expected one of {}{}; see {}", first, join(kCommands),
                       close.empty() ? "" : fmt::format(" (did you mean {}?)", close), help);
  }
  return fmt::format("not expected: {}{}; see {}", join(words, " "), suggestion(command, words),
                     help);
}

std::string version_text() {
  const BuildInfo info = build_info();
  return fmt::format(
      "ferrum-fa2-bench {}\ngit      {}\ncompiler {}, {}\nCUDA     {}\nNVTX     {}\n", info.version,
      info.git, info.compiler, info.build_type, info.cuda, info.nvtx);
}

}  // namespace

Command parse_command_line(int argc, const char* const* argv) {
  RunOptions run;
  PlanOptions plan;
  CompareOptions compare;
  std::vector<std::string> compared_files;
  DoctorOptions doctor;
  SelfTestOptions self_test;
  bool version = false;

  CLI::App app("Verifies and times paged varlen attention shims.", "ferrum-fa2-bench");
  app.footer(help_footer(""));
  app.require_subcommand(0, 1);
  app.add_flag("--version", version, "Version of the tool and of what it was built with");
  add_run_options(app, run);
  CLI::App* run_command = app.add_subcommand("run", "Verify and time; the default command");
  add_run_options(*run_command, run);
  CLI::App* plan_command =
      app.add_subcommand("plan", "Sequences, blocks, bytes, FLOPs and memory; needs no device");
  add_workload_options(*plan_command, plan.workloads);
  plan_command->add_flag("--json", plan.json, "JSON instead of a table")->group("Output");
  CLI::App* compare_command =
      app.add_subcommand("compare", "One result against another: faster, slower or the same");
  add_compare_options(*compare_command, compare, compared_files);
  CLI::App* doctor_command =
      app.add_subcommand("doctor", "What is here, what is missing, and how to get it");
  add_device_options(*doctor_command, doctor.shims, doctor.device);
  CLI::App* selftest_command =
      app.add_subcommand("selftest", "Whether this machine's times can be trusted");
  add_device_option(*selftest_command, self_test.device);
  selftest_command->add_option("--json", self_test.json, "JSON too: a file, or - for stdout")
      ->type_name("FILE")
      ->group("Output");
  CLI::App* worker_command = app.add_subcommand("worker", "Serves a session; not for people");
  CLI::App* peer_command = app.add_subcommand("peer", "Answers a self-test; not for people");
  CLI::App* memory_command = app.add_subcommand("memory", "Holds a session's; not for people");
  for (CLI::App* command : {worker_command, peer_command, memory_command}) {
    command->group("");  // not in the help
  }
  for (CLI::App* command :
       {run_command, plan_command, compare_command, doctor_command, selftest_command}) {
    command->footer(help_footer(command->get_name()));
  }
  set_help_layout(app);

  try {
    app.parse(reversed_words(argc, argv));
  } catch (const CLI::CallForHelp&) {
    for (const CLI::App* command :
         {run_command, plan_command, compare_command, doctor_command, selftest_command}) {
      if (command->parsed()) return PrintText{command->help(app.get_name())};
    }
    return PrintText{app.help()};
  } catch (const CLI::ExtrasError&) {
    throw Error(ErrorKind::usage, unexpected(app));
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::usage, fmt::format("{}; see ferrum-fa2-bench --help", error.what()));
  }
  if (version) return PrintText{version_text()};
  for (const CLI::App* command :
       {plan_command, compare_command, doctor_command, selftest_command}) {
    if (command->parsed()) require_nothing_before(*command, app);
  }
  if (plan_command->parsed()) return plan;
  if (compare_command->parsed()) {
    take_files(compared_files, compare);
    return compare;
  }
  if (doctor_command->parsed()) return doctor;
  if (selftest_command->parsed()) return self_test;
  if (peer_command->parsed()) return PeerOptions{};
  if (memory_command->parsed()) return MemoryOptions{};
  if (worker_command->parsed()) return WorkerOptions{};
  run.profile = run.profile || !run.profile_workload.empty();
  if (run.in_process && run.processes.value_or(1) > 1) {
    throw Error(ErrorKind::usage,
                fmt::format("--in-process with --processes {}: this process is the only one then; "
                            "leave out one of the two",
                            *run.processes));
  }
  return run;
}

}  // namespace fa2bench
