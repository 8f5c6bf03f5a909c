// SPDX-License-Identifier: MIT
#include "app/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/shim_run.hpp"
#include "base/nvtx.hpp"
#include "device/workload_buffers.hpp"

namespace fa2bench {
namespace {

/// Left free for what a shim allocates itself.
constexpr Bytes kReserve = mib(256);

/// Why the workload cannot be run here, or "".
std::string memory_obstacle(const Device& device, const Workload& workload, const Plan& plan) {
  const bool on_host = device.facts().kind == DeviceKind::host;
  Bytes needed = device_memory_needed(plan, workload.shape, device.facts().l2) + kReserve;
  if (on_host) needed += plan.memory.host;
  const Bytes free = device.free_memory();
  if (needed <= free) return "";
  return fmt::format(
      "needs {} of {} memory (k and v pools {} each, q and out {} each, lse {}, tables {}, cache "
      "sweep {}, reserve {}, {} {}), {} is free",
      to_text(needed), on_host ? "host" : "device", to_text(plan.memory.k_pool),
      to_text(plan.memory.q), to_text(plan.memory.lse), to_text(plan.memory.tables),
      to_text(device.facts().l2 * 2), to_text(kReserve),
      on_host ? "the tool's own tables" : "and of host memory", to_text(plan.memory.host),
      to_text(free));
}

class Session {
 public:
  Session(Device& device, const std::vector<LabelledShim>& shims, const SessionSettings& settings,
          const SessionEvents& events, const std::stop_token& stop, Report& report)
      : device_(device),
        shims_(shims),
        settings_(settings),
        events_(events),
        stop_(stop),
        report_(report) {}

  void run(const std::vector<Workload>& workloads) {
    total_ = workloads.size() * shims_.size();
    for (const Workload& workload : workloads) {
      const NvtxRange range("workload " + workload.name);
      const bool stopped = stop_.stop_requested();
      WorkloadResult result{workload, make_plan(workload), {}};
      run_workload(result);
      report_.workloads.push_back(std::move(result));
      if (!stopped) events_.save(report_);  // what was not run can wait for the caller's last save
    }
    report_.complete = !stop_.stop_requested();
  }

 private:
  void run_workload(WorkloadResult& result) {
    const std::string obstacle = why_not(result);
    if (!obstacle.empty()) return;
    try {
      events_.progress(done_, total_, result.workload.name + ": filling and reference");
      const BlockTable table = build_block_table(result.workload);
      const WorkloadBuffers buffers(device_, result.workload, result.plan, table);
      const Verifier verifier(result.workload, result.plan, table);
      const WorkloadOnDevice target{device_, result.workload, result.plan,
                                    buffers, verifier,        buffers.input_checksum()};
      for (const LabelledShim& shim : shims_) run_shim(shim, target, result);
    } catch (const OutOfMemory& error) {
      give_all(result, Status::does_not_fit, error.what());
    } catch (const std::bad_alloc&) {
      give_all(result, Status::does_not_fit, "the host ran out of memory");
    } catch (const DeviceError& error) {
      note_loss(error);
      give_all(result, Status::failed, error.what());
    }
  }

  void run_shim(const LabelledShim& shim, const WorkloadOnDevice& target, WorkloadResult& result) {
    events_.progress(done_, total_,
                     shims_.size() == 1 ? target.workload.name
                                        : fmt::format("{} · {}", target.workload.name, shim.label));
    Run run;
    if (!lost_.empty()) {
      run = Run{"", Status::not_run, lost_, {}, {}};
    } else if (stop_.stop_requested()) {
      run = Run{"", Status::not_run, "interrupted", {}, {}};
    } else {
      try {
        run = run_shim_on(shim.shim, target, settings_, report_.ceilings, stop_);
      } catch (const DeviceError& error) {
        note_loss(error);
        run = Run{"", Status::failed, error.what(), {}, {}};
      }
    }
    run.shim = shim.label;
    result.runs.push_back(std::move(run));
    ++done_;
  }

  /// Gives every shim its status where the workload cannot start; says why.
  std::string why_not(WorkloadResult& result) {
    if (!lost_.empty()) {
      give_all(result, Status::not_run, lost_);
      return lost_;
    }
    if (stop_.stop_requested()) {
      give_all(result, Status::not_run, "interrupted");
      return "interrupted";
    }
    try {
      const std::string obstacle = memory_obstacle(device_, result.workload, result.plan);
      if (!obstacle.empty()) give_all(result, Status::does_not_fit, obstacle);
      return obstacle;
    } catch (const DeviceError& error) {
      note_loss(error);
      give_all(result, Status::failed, error.what());
      return error.what();
    }
  }

  /// For the shims that have no run yet.
  void give_all(WorkloadResult& result, Status status, const std::string& reason) {
    for (std::size_t i = result.runs.size(); i < shims_.size(); ++i) {
      result.runs.push_back({shims_[i].label, status, reason, {}, {}});
      ++done_;
    }
  }

  void note_loss(const DeviceError& error) {
    if (error.lost()) lost_ = fmt::format("the device was lost before: {}", error.what());
  }

  Device& device_;
  const std::vector<LabelledShim>& shims_;
  const SessionSettings& settings_;
  const SessionEvents& events_;
  const std::stop_token& stop_;
  Report& report_;
  std::size_t done_ = 0;
  std::size_t total_ = 0;
  std::string lost_;
};

}  // namespace

void run_session(Device& device, const std::vector<Workload>& workloads,
                 const std::vector<LabelledShim>& shims, const SessionSettings& settings,
                 const SessionEvents& events, const std::stop_token& stop, Report& report) {
  Session(device, shims, settings, events, stop, report).run(workloads);
}

Bytes device_memory_needed(const Plan& plan, const HeadShape& shape, Bytes l2) {
  return WorkloadBuffers::footprint(plan, shape) + l2 * 2;
}

ExitCode exit_code(const Report& report) {
  bool wrong = false;
  bool failed = false;
  for (const WorkloadResult& result : report.workloads) {
    for (const Run& run : result.runs) {
      wrong = wrong || run.status == Status::wrong;
      failed = failed || run.status == Status::failed || run.status == Status::crashed ||
               run.status == Status::timeout || run.status == Status::not_run;
    }
  }
  if (wrong) return ExitCode::wrong;
  return failed ? ExitCode::failed : ExitCode::ok;
}

}  // namespace fa2bench
