// SPDX-License-Identifier: MIT
// The default command: everything that can be refused is refused before the device works.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "app/environment.hpp"
#include "app/interrupt.hpp"
#include "app/session.hpp"
#include "base/atomic_file.hpp"
#include "cli/commands.hpp"
#include "cli/shims.hpp"
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

int list_workloads(const std::vector<Workload>& workloads) {
  for (const Workload& workload : workloads) fmt::print("{}\n", workload.name);
  return 0;
}

}  // namespace

int run_command(const RunOptions& options, const std::vector<std::string>& command_line) {
  SelectedWorkloads selected = select_workloads(options.workloads);
  if (options.list) return list_workloads(selected.workloads);
  const DeviceRequest request = parse_device(options.device);
  ResultSink sink(options.output, selected.files);
  const InterruptWatch interrupt;  // before the device and the shims start threads
  const auto note = [&](const std::string& text) {
    if (!options.quiet && !text.empty()) std::fputs((text + '\n').c_str(), stderr);
  };

  const OpenedDevice opened = open_device(request);
  Device& device = *opened.device;
  Report report;
  report.started = utc_now();
  report.command = command_line;
  report.tool = build_info();
  report.host = host_environment();
  report.device = device.facts();
  report.config_files = selected.files;
  report.config_sha256 = selected.sha256;
  report.limits.time_limit = Seconds(options.time_limit_s);
  std::vector<LabelledShim> shims;
  std::string notes = opened.note;
  for (LoadedShim& loaded : load_shims(options.shims, device.facts().kind)) {
    if (loaded.record.origin != "--shim") {
      notes += fmt::format("{}shim: {} ({})", notes.empty() ? "" : "\n", loaded.record.path,
                           loaded.record.origin);
    }
    report.shims.push_back(std::move(loaded.record));
    shims.push_back({report.shims.back().label, std::move(loaded.shim)});
  }
  note(notes);  // not before: an error is one line
  sink.name_if_unnamed(default_output(selected.files, report.device, report.started));
  sink.save(report);  // nothing older stays there to be mistaken for this run's result

  Progress progress(
      choose_progress_style(options.quiet, options.no_progress, ::isatty(STDERR_FILENO) != 0));
  progress.show(0, selected.workloads.size() * shims.size(), "measuring the device's ceilings");
  report.ceilings = device.measure_ceilings();
  const SessionSettings settings{modes_of(options.l2), report.limits};
  const SessionEvents events{[&](std::size_t done, std::size_t total, const std::string& now) {
                               progress.show(done, total, now);
                             },
                             [&](const Report& so_far) { sink.save(so_far); }};
  run_session(device, selected.workloads, shims, settings, events, interrupt.token(), report);
  report.finished = utc_now();
  sink.save_last(report);
  progress.finish();
  print_result(report, sink, options.quiet);
  if (interrupt.signal() != 0) return 128 + interrupt.signal();
  return static_cast<int>(exit_code(report));
}

}  // namespace fa2bench
