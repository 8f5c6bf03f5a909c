// SPDX-License-Identifier: MIT
#include "app/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "app/add_process.hpp"
#include "app/run_judgement.hpp"
#include "compare/outcome.hpp"

namespace fa2bench {
namespace {

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
        judge_run(result, i, run, report_);
      }
      ++done_;
    }
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
      run = shim.runner->run(request_of(settings_, result.workload, process, processes_), listener,
                             stop_);
    }
    run.shim = shim.label;
    if (process == 0) judge_run(result, index, run, report_);
    return run;
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

RunRequest request_of(const SessionSettings& settings, const Workload& workload, int process,
                      int processes) {
  RunRequest request{workload,
                     settings.modes,
                     settings.limits,
                     settings.check_graph,
                     settings.trace_kernels,
                     settings.profile};
  request.limits.time_limit /= processes;
  request.limits.least_time /= processes;
  request.limits.processes = processes;
  const bool first = process == 0;
  request.check_graph = request.check_graph && first;
  request.trace_kernels = request.trace_kernels && process == processes - 1;
  // Of a prefill the reference takes longer than all else before timing. The first process of a
  // shim has checked as many rows as there is time for; the others check the most telling ones.
  constexpr double kPartOfOthers = 1.0 / 16.0;
  if (!first) request.reference_budget *= kPartOfOthers;
  if (!first) std::erase(request.modes, Mode::sustained);
  return request;
}

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
  if (any_status(is_failure)) return ExitCode::failed;
  return report.comparison ? exit_code(*report.comparison) : ExitCode::ok;
}

}  // namespace fa2bench
