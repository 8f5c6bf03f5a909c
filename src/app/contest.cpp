// SPDX-License-Identifier: MIT
#include "app/contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "app/add_process.hpp"
#include "app/output_board.hpp"
#include "app/run_judgement.hpp"
#include "app/turns.hpp"
#include "compare/looks.hpp"
#include "compare/turn_blocks.hpp"
#include "compare/verdict.hpp"

namespace fa2bench {
namespace {

class Contest {
 public:
  Contest(const std::vector<Contestant>& shims, const SessionSettings& settings,
          const SessionEvents& events, const std::stop_token& stop, MemoryHolder* memory,
          Report& report)
      : shims_(shims),
        processes_(static_cast<int>(shims.front().processes.size())),
        settings_(settings),
        events_(events),
        stop_(stop),
        memory_(memory),
        report_(report) {}

  void run(const std::vector<Workload>& workloads) {
    report_.limits.processes = processes_;
    if (!report_.comparison) report_.comparison.emplace();
    ComparisonReport& comparison = *report_.comparison;
    comparison.rules = settings_.rules;
    comparison.baseline = shims_.front().label;
    for (std::size_t i = 1; i < shims_.size(); ++i) {
      comparison.candidates.push_back(shims_[i].label);
    }
    if (processes_ == 1) {
      comparison.notes.emplace_back(
          "one process of each shim: intervals and verdicts say nothing of another process of the "
          "same shim; more --processes do");
    }
    total_ = workloads.size() * shims_.size() * static_cast<std::size_t>(processes_);
    rows_ = workloads.size() * settings_.modes.size() * (shims_.size() - 1);
    for (const Workload& workload : workloads) {
      const bool stopped = stop_.stop_requested();
      run_workload(workload);
      if (!stopped) events_.save(report_);  // what was not run can wait for the caller's last save
    }
    report_.complete = !stop_.stop_requested();
  }

 private:
  void run_workload(const Workload& workload) {
    WorkloadResult result{workload, make_plan(workload), {}};
    const std::optional<SharedPool> pool = share(result);
    std::vector<Participant> participants = begin(result, pool);
    std::map<Mode, std::size_t> looks;
    for (const Mode mode : settings_.modes) {
      const TurnsEnd end = take_mode(workload, mode, pool.has_value(), participants);
      looks[mode] = end.look;
      // One after the other: what follows the turns may use the device.
      for (Participant& participant : participants) leave(participant, mode, {end.stop}, stop_);
    }
    for (std::size_t shim = 0; shim < shims_.size(); ++shim) {
      Run run = join(result, shim, participants);
      run.shim = shims_[shim].label;
      result.runs.push_back(std::move(run));
    }
    add_differences(result, participants);
    done_ += shims_.size() * static_cast<std::size_t>(processes_);
    add_rows(result, looks);
    report_.workloads.push_back(std::move(result));
  }

  /// Each process in turn verifies the shim and gets ready; after a failure no further one of that
  /// shim.
  std::vector<Participant> begin(const WorkloadResult& result,
                                 const std::optional<SharedPool>& pool) {
    std::vector<Participant> participants;
    for (std::size_t shim = 0; shim < shims_.size(); ++shim) {
      bool goes_on = report_.shims[shim].error.empty();
      for (int process = 0; process < processes_ && goes_on && !stop_.stop_requested(); ++process) {
        const std::size_t number = participants.size();
        Participant& participant = participants.emplace_back();
        participant.shim = shim;
        participant.process = process;
        participant.runner = shims_[shim].processes[static_cast<std::size_t>(process)].get();
        const PhaseListener listener = [&](const Phase& phase) {
          events_.progress(done_ + number, total_,
                           fmt::format("{} · {}", result.workload.name, shims_[shim].label),
                           phase.name);
          if (phase.memory) note_memory(*phase.memory);
        };
        RunRequest request = this->request(result.workload, process);
        request.memory = pool;
        // The baseline's comes first; if it has failed there is nothing to compare with.
        const Participant& base = participants.front();
        const bool has_base = shim == 0 || (base.shim == 0 && base.waits_in);
        if (process == 0 && has_base) request.outputs = OutputFile{board_.path(), shim == 0};
        note(participant, participant.runner->begin(request, listener, stop_));
        goes_on = participant.waits_in.has_value();
      }
    }
    return participants;
  }

  /// Memory that all are timed on; what becomes of it is told in the report.
  std::optional<SharedPool> share(const WorkloadResult& result) {
    if (memory_ == nullptr || nothing_to_do(result.plan) || stop_.stop_requested()) return {};
    const int processes = static_cast<int>(shims_.size()) * processes_;
    PoolAnswer answer = memory_->share(
        pool_for(result.workload, result.plan, settings_.modes, report_.device.l2, processes),
        [this] { return stop_.stop_requested(); });
    if (!answer.pool) note_memory({false, answer.obstacle});
    return std::move(answer.pool);
  }

  /// The first obstacle that anybody met in any workload stands.
  void note_memory(const MemorySharing& told) {
    std::optional<MemorySharing>& memory = report_.comparison->memory;
    if (!memory || memory->shared) memory = told;
  }

  [[nodiscard]] RunRequest request(const Workload& workload, int process) const {
    RunRequest request = request_of(settings_, workload, process, processes_);
    request.in_turns = true;
    if (settings_.free) {
      request.room =
          Bytes{settings_.free->count / (shims_.size() * shims_.front().processes.size())};
    }
    return request;
  }

  TurnsEnd take_mode(const Workload& workload, Mode mode, bool shared,
                     std::vector<Participant>& participants) {
    retire_failed(participants);
    TurnPlan plan;
    plan.mode = mode;
    plan.total = settings_.limits.time_limit * static_cast<double>(shims_.size());
    plan.limits = settings_.limits;
    plan.rules = settings_.rules;
    plan.rows = rows_;
    plan.shared = shared;
    plan.seed = workload.seed;
    const auto told = [&](std::size_t placement) {
      events_.progress(done_, total_, workload.name,
                       fmt::format("timing {} in turns, placement {}", to_text(mode), placement));
    };
    return take_turns(plan, participants, told, stop_);
  }

  /// Once a shim has failed in one process, its others need not go on.
  void retire_failed(std::vector<Participant>& participants) const {
    for (std::size_t shim = 0; shim < shims_.size(); ++shim) {
      const bool failed =
          std::any_of(participants.begin(), participants.end(), [&](const Participant& p) {
            return p.shim == shim && p.ran && p.ran->run.status != Status::ok;
          });
      if (failed) retire(participants, shim);
    }
  }

  /// What all processes of a shim found; the first failure, if any, is that of all.
  Run join(const WorkloadResult& result, std::size_t shim, std::vector<Participant>& participants) {
    Run all;
    if (!report_.shims[shim].error.empty()) {
      all.status = Status::failed;
      all.reason = report_.shims[shim].error;
      return all;
    }
    all.reason = "interrupted";
    for (const bool failures : {true, false}) {
      for (Participant& participant : participants) {
        if (participant.shim != shim || !participant.ran) continue;
        if (failures != (participant.ran->run.status != Status::ok)) continue;
        Run run = std::move(participant.ran->run);
        if (participant.process > 0) {
          add_process(all, std::move(run), participant.process, settings_.limits);
        } else {
          all = std::move(run);
        }
        judge_run(result, shim, all, report_);
        if (all.status != Status::ok) return all;
      }
    }
    return all;
  }

  /// What the first process of each candidate found.
  void add_differences(const WorkloadResult& result, const std::vector<Participant>& participants) {
    for (std::size_t shim = 1; shim < shims_.size(); ++shim) {
      if (same_answer(result.runs.front(), result.runs[shim])) continue;
      std::optional<OutputDifference> found;
      for (const Participant& participant : participants) {
        if (participant.shim != shim || participant.process != 0 || !participant.ran) continue;
        found = participant.ran->difference;
      }
      const std::string obstacle = no_outputs(result, shim);
      if (!obstacle.empty()) found.emplace().obstacle = obstacle;
      if (!found) found.emplace().obstacle = "it was not told";
      found->workload = result.workload.name;
      found->workload_id = result.workload.id;
      found->candidate = shims_[shim].label;
      report_.comparison->outputs.push_back(*std::move(found));
    }
  }

  /// Why it is not known what the outputs differ in; "" if both sides are right.
  [[nodiscard]] std::string no_outputs(const WorkloadResult& result, std::size_t shim) const {
    std::string obstacle;
    for (const std::size_t side : {std::size_t{0}, shim}) {
      const Run& run = result.runs[side];
      if (run.status == Status::ok) continue;
      obstacle += fmt::format("{}{}: {}", obstacle.empty() ? "" : "; ", shims_[side].label,
                              to_text(run.status));
    }
    return obstacle;
  }

  void add_rows(const WorkloadResult& result, const std::map<Mode, std::size_t>& looks) {
    ComparisonReport& comparison = *report_.comparison;
    for (const auto& [mode, look] : looks) {
      for (std::size_t candidate = 1; candidate < shims_.size(); ++candidate) {
        std::optional<Comparison> row =
            compare_turns(result, mode, candidate, look, settings_.rules);
        if (row) comparison.rows.push_back(*std::move(row));
      }
    }
    judge(comparison.rows, comparison.rules);
  }

  const std::vector<Contestant>& shims_;
  int processes_;
  const SessionSettings& settings_;
  const SessionEvents& events_;
  const std::stop_token& stop_;
  MemoryHolder* memory_;
  Report& report_;
  OutputBoard board_;
  std::size_t done_ = 0;   ///< (workload, shim, process) triples
  std::size_t total_ = 0;  ///< of them
  std::size_t rows_ = 0;   ///< comparisons of the whole run
};

}  // namespace

void run_contest(const std::vector<Workload>& workloads, const std::vector<Contestant>& shims,
                 const SessionSettings& settings, const SessionEvents& events,
                 const std::stop_token& stop, MemoryHolder* memory, Report& report) {
  Contest(shims, settings, events, stop, memory, report).run(workloads);
}

}  // namespace fa2bench
