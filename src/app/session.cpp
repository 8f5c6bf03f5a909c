// SPDX-License-Identifier: MIT
#include "app/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "app/add_process.hpp"

namespace fa2bench {
namespace {

/// Why the median cannot be true, or "": faster than memory or the matrix units were seen to be. A
/// CPU's ceilings move too much with what else it does to be held against anybody.
std::string implausible(const Timing& timing, DeviceKind kind) {
  constexpr double kSlack = 1.15;
  if (kind != DeviceKind::cuda || timing.samples.cache == CacheState::as_left) return "";
  if (timing.speed_of_light.value_or(0.0) <= kSlack) return "";
  return fmt::format(
      "implausible: {} is {:.2f} times as fast as the {} ceiling of this device allows, so the "
      "work was not done between the events",
      to_text(Microseconds(timing.device.median)), *timing.speed_of_light, timing.limit);
}

/// Whether a refusal says that the library holds no code for the device: built for others only, or
/// with a compiler that is newer than the driver.
bool lacks_device_code(const std::string& reason) {
  constexpr std::array<const char*, 4> kTexts{
      "no kernel image is available", "cudaErrorNoKernelImageForDevice",
      "CUDA_ERROR_NO_BINARY_FOR_GPU",
      "the provided PTX was compiled with an unsupported toolchain"};
  return std::any_of(kTexts.begin(), kTexts.end(),
                     [&](const char* text) { return reason.find(text) != std::string::npos; });
}

/// What outweighs what where no mode has a time: a wrong result, a failure, an answer.
int gravity(const Untimed& mode) {
  if (mode.status == Status::wrong) return 0;
  return mode.status == Status::does_not_fit || mode.status == Status::unsupported ? 2 : 1;
}

class Session {
 public:
  Session(const std::vector<SessionShim>& shims, const SessionSettings& settings,
          const SessionEvents& events, const std::stop_token& stop, Report& report)
      : shims_(shims), settings_(settings), events_(events), stop_(stop), report_(report) {}

  void run(const std::vector<Workload>& workloads) {
    const bool one_is_enough =
        settings_.profile || std::all_of(settings_.modes.begin(), settings_.modes.end(),
                                         [](Mode mode) { return mode == Mode::sustained; });
    processes_ = one_is_enough ? 1 : std::max(1, settings_.limits.processes);
    report_.limits.processes = processes_;
    total_ = workloads.size() * shims_.size() * static_cast<std::size_t>(processes_);
    for (const Workload& workload : workloads) {
      const bool stopped = stop_.stop_requested();
      WorkloadResult result{workload, make_plan(workload), {}};
      for (std::size_t i = 0; i < shims_.size(); ++i) {
        result.runs.push_back(run_shim(i, result, 0));
        ++done_;
      }
      report_.workloads.push_back(std::move(result));
      if (!stopped) events_.save(report_);  // what was not run can wait for the caller's last save
    }
    for (int process = 1; process < processes_ && !stop_.stop_requested(); ++process) {
      for (const SessionShim& shim : shims_) shim.runner->renew();
      for (WorkloadResult& result : report_.workloads) {
        run_again(result, process);
        if (!stop_.stop_requested()) events_.save(report_);
      }
    }
    report_.complete = !stop_.stop_requested();
  }

 private:
  /// A shim without code for this device is one that cannot be loaded, only that it shows later.
  void give_up(std::size_t index, Run& run) {
    const bool ran_before =
        std::any_of(report_.workloads.begin(), report_.workloads.end(),
                    [&](const WorkloadResult& result) { return result.runs[index].verify; });
    std::string& error = report_.shims[index].error;
    if (ran_before || !error.empty()) return;
    std::string arch = report_.device.compute_capability;
    std::erase(arch, '.');
    error = fmt::format("no code for sm_{} ({}) in this shim; build it for that architecture: {}",
                        arch, report_.device.name, run.reason);
    run.reason = error;
  }

  /// Each shim that was ok so far, in its next process.
  void run_again(WorkloadResult& result, int process) {
    for (std::size_t i = 0; i < shims_.size(); ++i) {
      Run& run = result.runs[i];
      const bool goes_on =
          run.status == Status::ok && !run.timings.empty() && !stop_.stop_requested();
      if (goes_on) {
        Run more = run_shim(i, result, process);
        // What an interrupted process did not finish is no fault of the others.
        if (!stop_.stop_requested()) add_process(run, std::move(more), process, settings_.limits);
        judge(i, result, run);
      }
      ++done_;
    }
  }

  /// What a process is asked for: its share of the time, and what one process is enough for.
  [[nodiscard]] RunRequest request(const Workload& workload, int process) const {
    RunRequest request{workload,
                       settings_.modes,
                       settings_.limits,
                       settings_.check_graph,
                       settings_.trace_kernels,
                       settings_.profile};
    request.limits.time_limit /= processes_;
    request.limits.least_time /= processes_;
    request.limits.processes = processes_;
    const bool first = process == 0;
    request.check_graph = request.check_graph && first;
    request.trace_kernels = request.trace_kernels && process == processes_ - 1;
    if (!first) std::erase(request.modes, Mode::sustained);
    return request;
  }

  Run run_shim(std::size_t index, const WorkloadResult& result, int process) {
    const SessionShim& shim = shims_[index];
    Run run;
    if (!report_.shims[index].error.empty()) {
      run.status = Status::failed;
      run.reason = report_.shims[index].error;
    } else if (stop_.stop_requested()) {
      run.reason = "interrupted";
    } else {
      const std::string name = shims_.size() == 1
                                   ? result.workload.name
                                   : fmt::format("{} · {}", result.workload.name, shim.label);
      const PhaseListener listener = [&](const Phase& phase) {
        events_.progress(done_, total_, name, phase.name);
      };
      run = shim.runner->run(request(result.workload, process), listener, stop_);
    }
    run.shim = shim.label;
    if (process == 0) judge(index, result, run);
    return run;
  }

  /// Rates of the times, what cannot be true, and the status of a run none of whose modes has any.
  void judge(std::size_t index, const WorkloadResult& result, Run& run) {
    for (Timing& timing : run.timings) {
      timing =
          make_timing(std::move(timing.samples), result.plan, report_.device, report_.ceilings);
      const std::string doubt = implausible(timing, report_.device.kind);
      if (!doubt.empty() && run.status == Status::ok) {
        run.status = Status::wrong;
        run.reason = doubt;
      }
    }
    if (run.status == Status::ok && run.timings.empty() && !run.untimed.empty()) {
      const Untimed& worst = *std::min_element(
          run.untimed.begin(), run.untimed.end(),
          [](const Untimed& a, const Untimed& b) { return gravity(a) < gravity(b); });
      run.status = worst.status;
      run.reason = worst.reason;
    }
    if (run.status != Status::ok) {
      run.timings.clear();
      run.untimed.clear();
      run.kernels.reset();
    }
    if (run.status == Status::failed && lacks_device_code(run.reason)) give_up(index, run);
  }

  const std::vector<SessionShim>& shims_;
  const SessionSettings& settings_;
  const SessionEvents& events_;
  const std::stop_token& stop_;
  Report& report_;
  int processes_ = 1;
  std::size_t done_ = 0;
  std::size_t total_ = 0;
};

}  // namespace

void run_session(const std::vector<Workload>& workloads, const std::vector<SessionShim>& shims,
                 const SessionSettings& settings, const SessionEvents& events,
                 const std::stop_token& stop, Report& report) {
  Session(shims, settings, events, stop, report).run(workloads);
}

ExitCode exit_code(const Report& report) {
  const auto any_run = [&](auto&& holds) {
    return std::any_of(report.workloads.begin(), report.workloads.end(), [&](const auto& result) {
      return std::any_of(result.runs.begin(), result.runs.end(), holds);
    });
  };
  const bool unloaded = std::any_of(report.shims.begin(), report.shims.end(),
                                    [](const ShimRecord& shim) { return !shim.error.empty(); });
  if (unloaded || !report.unmet_requirement.empty()) return ExitCode::environment;
  const auto any_status = [&](auto&& holds) {
    return any_run([&](const Run& run) {
      return holds(run.status) ||
             std::any_of(run.untimed.begin(), run.untimed.end(),
                         [&](const Untimed& mode) { return holds(mode.status); });
    });
  };
  if (any_status([](Status status) { return status == Status::wrong; })) return ExitCode::wrong;
  const bool failed = any_status([](Status status) {
    return status == Status::failed || status == Status::crashed || status == Status::timeout ||
           status == Status::not_run;
  });
  return failed ? ExitCode::failed : ExitCode::ok;
}

}  // namespace fa2bench
