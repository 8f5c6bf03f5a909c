// SPDX-License-Identifier: MIT
#include "app/add_process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fa2bench {
namespace {

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void join(std::optional<Repeats>& all, const std::optional<Repeats>& more) {
  if (!all || !more) {
    if (!all) all = more;
    return;
  }
  all->calls += more->calls;
  all->same_out = all->same_out && more->same_out;
  all->same_lse = all->same_lse && more->same_lse;
  all->largest_difference = std::max(all->largest_difference, more->largest_difference);
}

void join(Constancy& all, const Constancy& more) {
  join(all.repeats, more.repeats);
  join(all.other_pages, more.other_pages);
  join(all.timed_calls, more.timed_calls);
  const bool right = all.graph && all.graph->obstacle.empty();
  if (!all.graph || (right && more.graph)) all.graph = more.graph;
}

/// Samples of the same kind.
void join(Samples& all, const Samples& more, int number) {
  const std::size_t trials = all.trials.size();
  append(all.device_us, more.device_us);
  append(all.host_us, more.host_us);
  for (Trial trial : more.trials) {
    trial.process = number;
    all.trials.push_back(trial);
  }
  for (const TrialTelemetry& after : more.telemetry) {
    all.telemetry.push_back({after.trial + trials, after.telemetry});
  }
  all.settled = all.settled && more.settled;
  all.event_floor_us = (all.event_floor_us * number + more.event_floor_us) / (number + 1);
  all.wall_s += more.wall_s;
  all.stop = more.stop;
}

/// Why the samples cannot be joined, or "".
std::string unlike(const Samples& all, const Samples& more) {
  if (all.gated != more.gated) {
    return "it could be gated in one process and not in another: it waits for the device now and "
           "then";
  }
  if (all.calls != more.calls || all.cache != more.cache) {
    return fmt::format("{} calls a sample in one process and {} in another: memory ran short",
                       all.calls, more.calls);
  }
  return "";
}

}  // namespace

void add_process(Run& all, Run more, int number, const SamplingLimits& limits) {
  if (more.status != Status::ok) {
    more.reason = fmt::format("in process {} of this shim: {}", number + 1, more.reason);
    all = std::move(more);
    return;
  }
  join(all.verify->constancy, more.verify->constancy);
  for (Timing& timing : more.timings) {
    const auto same = std::find_if(all.timings.begin(), all.timings.end(), [&](const Timing& t) {
      return t.samples.mode == timing.samples.mode;
    });
    if (same == all.timings.end()) continue;  // untimed in a process before
    const std::string obstacle = unlike(same->samples, timing.samples);
    if (!obstacle.empty()) {
      all.untimed.push_back({timing.samples.mode, Status::failed, obstacle});
      all.timings.erase(same);
      continue;
    }
    join(same->samples, timing.samples, number);
    *same = summarize_samples(std::move(same->samples));
    if (same->samples.stop == Stop::decided) continue;  // by what all who took turns found
    if (is_narrow(same->estimate.interval, same->estimate.center, limits.precision)) {
      same->samples.stop = Stop::precise;
    } else if (same->samples.stop == Stop::precise) {
      same->samples.stop = Stop::max_processes;
    }
  }
  for (const Untimed& mode : more.untimed) {
    std::erase_if(all.timings, [&](const Timing& t) { return t.samples.mode == mode.mode; });
    const auto known = std::find_if(all.untimed.begin(), all.untimed.end(),
                                    [&](const Untimed& u) { return u.mode == mode.mode; });
    if (known == all.untimed.end()) {
      all.untimed.push_back(mode);
    } else if (known->status == Status::not_run) {
      *known = mode;  // it was given up because of what happened here
    }
  }
  append(all.launch_us, more.launch_us);
  if (more.kernels) all.kernels = std::move(more.kernels);
  if (!more.output.empty()) all.output = std::move(more.output);
}

}  // namespace fa2bench
