// SPDX-License-Identifier: MIT
// The default command: everything that can be refused is refused before the device works.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>

#include "app/environment.hpp"
#include "app/interrupt.hpp"
#include "app/session.hpp"
#include "app/shim_runner.hpp"
#include "app/shims.hpp"
#include "base/atomic_file.hpp"
#include "cli/commands.hpp"
#include "cli/workloads.hpp"
#include "device/select.hpp"
#include "output/progress.hpp"
#include "output/result_table.hpp"
#include "result/report_json.hpp"

namespace fa2bench {
namespace {

constexpr const char* kResultFolder = "bench_results";

std::vector<CacheMode> modes_of(const std::string& l2) {
  if (l2 == "both") return {CacheMode::cold, CacheMode::warm};
  return {l2 == "warm" ? CacheMode::warm : CacheMode::cold};
}

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

/// Where the result goes. "" stands for stdout.
class ResultSink {
 public:
  /// Before any device work: throws if the output could not be written.
  ResultSink(const std::string& output, const std::vector<std::string>& configs)
      : to_stdout_(output == "-"), path_(output) {
    if (to_stdout_) return;
    for (const std::string& config : configs) {
      std::error_code code;
      if (std::filesystem::equivalent(path_, config, code)) {
        throw Error(ErrorKind::usage,
                    fmt::format("--output {}: is a config of this run; name another file", output));
      }
    }
    std::filesystem::path probe = path_;
    if (output.empty()) {
      std::error_code code;  // check_writable says what is wrong with the folder
      std::filesystem::create_directories(kResultFolder, code);
      probe = std::filesystem::path(kResultFolder) / "result.json";
    }
    check_writable(probe);
  }
  void name_if_unnamed(const std::filesystem::path& path) {
    if (!to_stdout_ && path_.empty()) path_ = path;
  }
  /// After every workload. A stream takes one text only: the last.
  void save(const Report& report) const {
    if (!to_stdout_ && !is_stream(path_)) write_atomically(path_, report_json(report));
  }
  void save_last(const Report& report) const {
    if (!to_stdout_) write_atomically(path_, report_json(report));
  }
  [[nodiscard]] bool to_stdout() const { return to_stdout_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  bool to_stdout_;
  std::filesystem::path path_;
};

bool wants_color(int descriptor) {
  const char* no_color = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe)
  return ::isatty(descriptor) != 0 && (no_color == nullptr || *no_color == '\0');
}

void print_result(const Report& report, const ResultSink& sink, bool quiet) {
  if (sink.to_stdout()) {
    if (!quiet) std::fputs(result_table(report, wants_color(STDERR_FILENO)).c_str(), stderr);
    fmt::print("{}", report_json(report));
    return;
  }
  fmt::print("{}\nresult: {}{}\n", result_table(report, wants_color(STDOUT_FILENO)),
             sink.path().string(), report.complete ? "" : " (incomplete)");
}

using Note = std::function<void(const std::string&)>;

std::unique_ptr<ShimRunner> make_runner(const RunOptions& options) {
  if (options.in_process) return make_in_process_runner();
  return make_worker_runner(
      {own_executable(),
       std::chrono::duration_cast<std::chrono::milliseconds>(Seconds(options.timeout_s))});
}

/// Loads every shim; device and ceilings come from the first that loads. One that does not is noted
/// in its record; if none does, the first one's Error is thrown.
std::vector<SessionShim> open_shims(const RunOptions& options, const std::stop_token& stop,
                                    const Note& note, Report& report) {
  std::vector<SessionShim> shims;
  std::vector<Error> errors;
  bool opened_one = false;
  const std::vector<ShimRequest> known = requested_shims(options.shims);
  for (std::size_t i = 0; i < known.size(); ++i) {
    SessionShim& shim = shims.emplace_back(SessionShim{known[i].label, make_runner(options)});
    ShimRecord& record = report.shims.emplace_back();
    try {
      Opened opened = shim.runner->open({options.device, options.shims, i, !opened_one}, stop);
      record = std::move(opened.shim);
      shim.label = record.label;
      if (!opened_one) {
        note(opened.device_note);
        report.device = std::move(opened.device);
        report.ceilings = std::move(opened.ceilings);
        opened_one = true;
      }
      if (record.origin != "--shim") {
        note(fmt::format("shim: {} ({})", record.path, record.origin));
      }
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::usage) throw;
      errors.push_back(error);
      record.label = known[i].label;
      record.path = known[i].path.string();
      record.origin = known[i].origin;
      record.error = error.what();
    }
  }
  if (!opened_one) throw errors.front();
  for (const Error& error : errors) note(error.what());
  return shims;
}

int list_workloads(const std::vector<Workload>& workloads) {
  for (const Workload& workload : workloads) fmt::print("{}\n", workload.name);
  return 0;
}

}  // namespace

int run_command(const RunOptions& options, const std::vector<std::string>& command_line) {
  SelectedWorkloads selected = select_workloads(options.workloads);
  if (options.list) return list_workloads(selected.workloads);
  (void)parse_device(options.device);  // a bad one is refused before anything starts
  ResultSink sink(options.output, selected.files);
  const InterruptWatch interrupt;  // before the device and the shims start threads
  const auto note = [&](const std::string& text) {
    if (!options.quiet && !text.empty()) std::fputs((text + '\n').c_str(), stderr);
  };

  Report report;
  report.started = utc_now();
  report.command = command_line;
  report.tool = build_info();
  report.host = host_environment();
  report.config_files = selected.files;
  report.config_sha256 = selected.sha256;
  report.limits.time_limit = Seconds(options.time_limit_s);
  const std::vector<SessionShim> shims = open_shims(options, interrupt.token(), note, report);
  sink.name_if_unnamed(default_output(selected.files, report.device, report.started));
  sink.save(report);  // nothing older stays there to be mistaken for this run's result

  Progress progress(
      choose_progress_style(options.quiet, options.no_progress, ::isatty(STDERR_FILENO) != 0));
  const SessionSettings settings{modes_of(options.l2), report.limits};
  const SessionEvents events{
      [&](std::size_t done, std::size_t total, const std::string& now, const std::string& phase) {
        progress.show(done, total, now, phase);
      },
      [&](const Report& so_far) { sink.save(so_far); }};
  run_session(selected.workloads, shims, settings, events, interrupt.token(), report);
  report.finished = utc_now();
  sink.save_last(report);
  progress.finish();
  print_result(report, sink, options.quiet);
  if (interrupt.signal() != 0) return 128 + interrupt.signal();
  return static_cast<int>(exit_code(report));
}

}  // namespace fa2bench
