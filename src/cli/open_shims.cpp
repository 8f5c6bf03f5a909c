// SPDX-License-Identifier: MIT
#include "cli/open_shims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "app/environment.hpp"
#include "app/shim_runner.hpp"
#include "app/shims.hpp"
#include "device/select.hpp"

namespace fa2bench {
namespace {

std::unique_ptr<TurnRunner> make_worker(const RunOptions& options, bool profiled,
                                        const std::shared_ptr<LaunchClass>& launches) {
  // A profiler repeats a kernel as often as it has things to measure, and writes at the end.
  constexpr double kProfiledTimeout = 600.0;
  constexpr std::chrono::seconds kFarewell{30};
  WorkerSettings settings;
  settings.program = own_executable();
  const Seconds timeout(profiled ? std::max(options.timeout_s, kProfiledTimeout)
                                 : options.timeout_s);
  settings.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(timeout);
  if (profiled) settings.farewell = kFarewell;
  settings.launch_class = launches;
  return make_worker_runner(std::move(settings));
}

/// The runner of one more shim's first process.
ShimRunner& add_shim(const RunOptions& options, const std::string& label, bool profiled,
                     const std::shared_ptr<LaunchClass>& launches, OpenedShims& shims) {
  if (is_contest(options)) {
    Contestant& contestant = shims.contestants.emplace_back();
    contestant.label = label;
    return *contestant.processes.emplace_back(make_worker(options, profiled, launches));
  }
  SessionShim& shim = shims.alone.emplace_back();
  shim.label = label;
  if (options.in_process) {
    shim.runner = make_in_process_runner();
  } else {
    shim.runner = make_worker(options, profiled, launches);
  }
  return *shim.runner;
}

void note_free(const Opened& opened, OpenedShims& shims) {
  if (opened.free && (!shims.free || *opened.free < *shims.free)) shims.free = opened.free;
}

}  // namespace

std::shared_ptr<LaunchClass> launch_class(const RunOptions& options, bool profiled) {
  const bool host = parse_device(options.device).kind == DeviceRequest::Kind::host;
  return host || profiled ? nullptr : std::make_shared<LaunchClass>();
}

bool is_contest(const RunOptions& options) {
  const std::size_t shims = requested_shims(options.shims).size();
  if (shims < 2 || options.profile) return false;
  const auto refuse = [](const std::string& text) { throw Error(ErrorKind::usage, text); };
  if (shims > kMostContestants) {
    refuse(fmt::format("{} shims: at most {} can be compared in one run", shims, kMostContestants));
  }
  if (options.in_process) {
    refuse(
        fmt::format("--in-process with {} shims: shims that are compared take turns, each in "
                    "processes of its own, which wait for each other; give one --shim, or leave "
                    "--in-process out",
                    shims));
  }
  if (std::count(options.modes.begin(), options.modes.end(), Mode::sustained) > 0) {
    refuse(
        fmt::format("--mode sustained with {} shims: cannot be taken in turns, since it is what a "
                    "device does without a pause; run each shim alone and compare the files",
                    shims));
  }
  return true;
}

OpenedShims open_shims(const RunOptions& options, const std::stop_token& stop,
                       const std::function<void(const std::string&)>& note,
                       const std::shared_ptr<LaunchClass>& launches, Report& report) {
  OpenedShims shims;
  const bool profiled = !report.profiler.empty();
  std::vector<Error> errors;
  bool opened_one = false;
  const std::vector<ShimRequest> known = requested_shims(options.shims);
  for (std::size_t i = 0; i < known.size(); ++i) {
    ShimRunner& runner = add_shim(options, known[i].label, profiled, launches, shims);
    ShimRecord& record = report.shims.emplace_back();
    try {
      Opened opened = runner.open(
          {options.device, options.shims, i,
           !opened_one && !options.no_ceilings && !options.profile, opened_one, !profiled},
          stop);
      record = std::move(opened.shim);
      note_free(opened, shims);
      if (is_contest(options)) {
        shims.contestants.back().label = record.label;
      } else {
        shims.alone.back().label = record.label;
      }
      if (!opened_one) {
        note(opened.device_note);
        report.device = std::move(opened.device);
        report.ceilings = std::move(opened.ceilings);
        report.telemetry = std::move(opened.telemetry);
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
  if (!opened_one) throw Error(errors.front());
  for (const Error& error : errors) note(error.what());
  return shims;
}

void open_other_processes(const RunOptions& options, const Report& report,
                          const std::stop_token& stop, const std::shared_ptr<LaunchClass>& launches,
                          OpenedShims& shims) {
  const bool profiled = !report.profiler.empty();
  for (int process = 1; process < report.limits.processes; ++process) {
    for (std::size_t i = 0; i < shims.contestants.size(); ++i) {
      ShimRunner& runner =
          *shims.contestants[i].processes.emplace_back(make_worker(options, profiled, launches));
      if (!report.shims[i].error.empty() || stop.stop_requested()) continue;
      try {
        note_free(runner.open({options.device, options.shims, i, false, true, !profiled}, stop),
                  shims);
      } catch (const Error&) {
        continue;  // begin() tries again, and tells of it
      }
    }
  }
}

std::vector<std::string> equal_builds(const std::vector<ShimRecord>& shims) {
  std::vector<std::string> notes;
  for (auto later = shims.begin(); later != shims.end(); ++later) {
    const auto earlier = std::find_if(shims.begin(), later, [&](const ShimRecord& shim) {
      return shim.error.empty() && same_build(shim.fingerprint, later->fingerprint);
    });
    if (earlier == later) continue;
    notes.push_back(
        fmt::format("comparing a build with itself: {} and {} have the same SHA-256, {}…, and the "
                    "same libraries",
                    earlier->label, later->label, later->fingerprint.sha256.substr(0, 12)));
  }
  return notes;
}

}  // namespace fa2bench
