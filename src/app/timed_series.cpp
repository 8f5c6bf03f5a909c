// SPDX-License-Identifier: MIT
#include "app/timed_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/layers.hpp"
#include "base/nvtx.hpp"
#include "measure/event_floor.hpp"
#include "measure/record.hpp"
#include "measure/sampling.hpp"

namespace fa2bench {
namespace {

/// Layers between two uses of the same memory hold this many times the cache: nothing is left of
/// it.
constexpr std::uint64_t kRotation = 2;

CacheState cache_of(Mode mode, const WorkloadOnDevice& target, int layers) {
  if (mode == Mode::cold) return CacheState::swept;
  if (!has_layers(mode)) return CacheState::as_left;
  const Bytes between =
      target.plan.cost.bytes_unique * static_cast<std::uint64_t>(std::max(layers - 1, 0));
  return between >= target.device.facts().l2 * kRotation ? CacheState::rotated : CacheState::swept;
}

/// One process is enough for it, so it has the time of all.
Seconds sustained_time(const RunRequest& request) {
  return request.limits.time_limit * request.limits.processes;
}

/// One mode of one workload.
class TimedSeries {
 public:
  TimedSeries(const Shim& shim, const WorkloadOnDevice& target, const RunRequest& request,
              const PhaseListener& listener, const NextTurn& next_turn, CheckedCalls& calls,
              Repeats& all, Mode mode)
      : shim_(shim),
        target_(target),
        request_(request),
        phase_{fmt::format("timing {}", to_text(mode)), mode == Mode::sustained
                                                            ? sustained_time(request).count()
                                                            : request.limits.time_limit.count()},
        listener_(listener),
        next_turn_(next_turn),
        calls_(calls),
        all_(all),
        mode_(mode),
        layers_(
            target, calls,
            has_layers(mode) ? Layers::that_fit(target, target.workload.layers, request.room) : 1) {
    if (is_graph(mode)) phase_.so_far = calls.run;
  }

  /// Throws DeviceError and OutOfMemory. No samples: see run() of the calls, or obstacle().
  Samples take(const std::stop_token& stop) {
    const NvtxRange range(phase_.name);
    announce();
    Samples samples;
    if (prepare()) {
      samples = sampled(stop);
      const bool right = samples.stop != Stop::call_failed && samples.stop != Stop::call_wrong;
      if (right && !request_.profile) {
        const Microseconds floor = measure_event_floor(target_.device, samples.gated);
        samples.event_floor_us = to_nanosecond(floor);
      }
      if (samples.stop == Stop::call_failed) {
        calls_.run = refused(target_.plan, {samples.code, err_buf_text(err_buf_)});
        calls_.run.reason += fmt::format(", in call {} of the {} series", nth_ + 1, to_text(mode_));
      }
      if (right) layers_.restore();
    }
    return samples;
  }

  /// Why there is no graph; "" if there is, or none is needed.
  [[nodiscard]] const std::string& obstacle() const { return graph_.obstacle; }

 private:
  /// The run so far goes along once: the session keeps it.
  void announce() {
    listener_(phase_);
    phase_.so_far.reset();
  }

  Samples sampled(const std::stop_token& stop) {
    if (request_.profile) return take_profiled(target_.device, series(), request_.limits, stop);
    if (request_.in_turns) {
      const NextTurn next_turn = [this](const Took& last) { return pass_turn(last); };
      return take_in_turns(target_.device, series(), request_.limits, next_turn);
    }
    if (mode_ != Mode::sustained) {
      return take_samples(target_.device, series(), request_.limits, stop);
    }
    return take_sustained(target_.device, series(), sustained_time(request_), stop);
  }

  /// Adds what the memory holds.
  std::variant<Turn, TurnsOver> pass_turn(Took last) {
    last.filled = filled_;
    std::variant<Turn, TurnsOver> next = next_turn_(last);
    if (const auto* turn = std::get_if<Turn>(&next)) expected_ = turn->filled;
    return next;
  }

  int call_shim(const PagedVarlenCall& arguments) {
    return shim_.call_timed(arguments, target_.device.stream(), err_buf_);
  }
  [[nodiscard]] int calls_per_sample() const {
    return mode_ == Mode::graph_warm ? target_.workload.layers : layers_.count();
  }
  /// All calls of a sample.
  int call_all() {
    if (mode_ != Mode::graph_warm) {
      return layers_.for_each([this](const PagedVarlenCall& call) { return call_shim(call); });
    }
    int code = 0;
    for (int i = 0; i < calls_per_sample() && code == 0; ++i) {
      code = call_shim(target_.buffers.call());
    }
    return code;
  }

  /// Captures the calls on the memory as it lies now, where the mode replays them.
  bool prepare() {
    if (!is_graph(mode_)) return true;
    graph_ = target_.device.capture([this] { return call_all(); });
    if (graph_.code != 0) {
      const Run told = refused(target_.plan, {graph_.code, err_buf_text(err_buf_)});
      graph_.obstacle = told.reason + ", while it was captured";
    }
    return graph_.obstacle.empty();
  }

  Series series() {
    Series series;
    series.mode = mode_;
    series.cache = cache_of(mode_, target_, layers_.count());
    series.calls = calls_per_sample();
    series.call = [this] {
      if (!is_graph(mode_)) return call_all();
      graph_.launch();
      return 0;
    };
    series.place = [this](std::size_t trial) {
      graph_ = {};  // holds the old addresses
      filled_ = layers_.place(trial, std::exchange(expected_, {}));
      announce();
      return prepare();
    };
    series.before = [this] { layers_.poison(); };
    series.passes = [this] {
      ++nth_;
      return layers_.pass(fmt::format("call {} of the {} series", nth_, to_text(mode_)), all_);
    };
    series.leave = [this] {
      const bool whole = layers_.are_whole(fmt::format("after a trial of {}", to_text(mode_)));
      announce();
      return whole;
    };
    return series;
  }

  const Shim& shim_;
  const WorkloadOnDevice& target_;
  const RunRequest& request_;
  Phase phase_;
  const PhaseListener& listener_;
  const NextTurn& next_turn_;
  CheckedCalls& calls_;
  Repeats& all_;
  Mode mode_;
  Layers layers_;
  std::vector<std::uint64_t> expected_;  ///< what place() finds if others have filled the memory
  std::vector<std::uint64_t> filled_;    ///< what it left
  CallGraph graph_;
  std::array<char, kErrBufBytes> err_buf_{};
  std::size_t nth_ = 0;  ///< sample of this series, warm-up included
};

void keep(Samples samples, const WorkloadOnDevice& target, CheckedCalls& calls,
          const Repeats& all) {
  calls.run.verify->constancy.timed_calls = all;
  calls.run.timings.push_back(
      make_timing(std::move(samples), target.plan, target.device.facts(), {}));
}

constexpr const char* kNoGraphs =
    "a CPU has no graphs; --mode cold, warm, step and sustained are there";

bool failed(const Samples& samples) {
  return samples.stop == Stop::call_failed || samples.stop == Stop::call_wrong;
}

}  // namespace

bool take_timings(const Shim& shim, const WorkloadOnDevice& target, const RunRequest& request,
                  const PhaseListener& listener, const std::stop_token& stop,
                  const NextTurn& next_turn, CheckedCalls& calls) {
  Repeats all;
  for (const Mode mode : request.modes) {
    if (is_graph(mode)) continue;
    Samples samples;
    try {
      samples =
          TimedSeries(shim, target, request, listener, next_turn, calls, all, mode).take(stop);
    } catch (const OutOfMemory& error) {
      if (mode != Mode::step) throw;
      calls.place(target.table);
      calls.run.untimed.push_back({mode, Status::does_not_fit, error.what()});
      continue;
    }
    if (failed(samples)) return false;
    if (samples.device_us.empty()) {
      calls.run = Run{};
      calls.run.reason = "interrupted";
      return false;
    }
    keep(std::move(samples), target, calls, all);
  }
  return true;
}

bool take_graph_timings(const Shim& shim, const WorkloadOnDevice& target, const RunRequest& request,
                        const PhaseListener& listener, const std::stop_token& stop,
                        const NextTurn& next_turn, CheckedCalls& calls) {
  bool spent = false;
  Repeats all = calls.run.verify->constancy.timed_calls.value_or(Repeats{});
  for (const Mode mode : request.modes) {
    if (!is_graph(mode)) continue;
    if (!target.device.has_graphs()) {
      calls.run.untimed.push_back({mode, Status::unsupported, kNoGraphs});
      continue;
    }
    Run before = calls.run;
    const auto give_up = [&](Status status, const std::string& reason) {
      calls.run = before;
      calls.run.untimed.push_back({mode, status, reason});
    };
    if (spent) {
      give_up(Status::not_run, "the device may hold errors of another graph");
      continue;
    }
    // Should the worker be lost, this is what became of it.
    calls.run.untimed.push_back({mode, Status::not_run, ""});
    try {
      TimedSeries series(shim, target, request, listener, next_turn, calls, all, mode);
      calls.run.untimed = before.untimed;
      Samples samples = series.take(stop);
      if (!series.obstacle().empty()) {
        give_up(Status::failed, "not capturable: " + series.obstacle());
        spent = true;
      } else if (failed(samples)) {
        give_up(calls.run.status, "replayed: " + calls.run.reason);
        spent = true;
      } else if (samples.device_us.empty()) {
        give_up(Status::not_run, "interrupted");
      } else {
        keep(std::move(samples), target, calls, all);
      }
    } catch (const OutOfMemory& error) {
      give_up(Status::does_not_fit, error.what());
      calls.place(target.table);
    } catch (const DeviceError& error) {
      give_up(Status::failed, error.what());
      spent = true;
    }
  }
  return spent;
}

}  // namespace fa2bench
