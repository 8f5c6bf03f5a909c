// SPDX-License-Identifier: MIT
// Who of several participants works when, in one mode of one workload: one at a time, in each
// placement of the memory everybody equally often, until how they compare is clear.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "app/shim_runner.hpp"
#include "result/comparison.hpp"

namespace fa2bench {

/// One process of a shim, in one workload. Shim 0 is the baseline.
struct Participant {
  std::size_t shim = 0;
  int process = 0;
  TurnRunner* runner = nullptr;
  std::optional<Mode> waits_in = std::nullopt;  ///< ready for turns in it
  std::optional<Ran> ran = std::nullopt;        ///< over
};

/// What the runner said of it.
void note(Participant& participant, Waiting waiting);
/// Ends the processes of a shim that still wait: it has failed, and they would change nothing.
void retire(std::vector<Participant>& participants, std::size_t shim);
/// No more turns in this mode, if it waits for any.
void leave(Participant& participant, Mode mode, const TurnsOver& over, const std::stop_token& stop);

struct TurnPlan {
  Mode mode = Mode::cold;
  Seconds total{};        ///< for all participants together; a placement that was begun is ended
  bool shared = false;    ///< the memory is the same for all
  SamplingLimits limits;  ///< min_samples, trial_time, trials and max_samples count
  ComparisonRules rules;
  std::size_t rows = 1;    ///< comparisons of the whole run, for is_decided()
  std::uint64_t seed = 0;  ///< of the orders
  std::function<Seconds()> now = [] {
    return Seconds(std::chrono::steady_clock::now().time_since_epoch());
  };
};

struct TurnsEnd {
  Stop stop = Stop::time_limit;
  std::size_t look = 0;  ///< see compare/looks.hpp
};

/// Those that wait in the mode take turns. In each placement a random order of all, and then the
/// same in reverse, so that what drifts meets everybody alike; the block of samples that each takes
/// is as large as anybody's. One who is lost is over, and has its run; the rest of its shim leaves
/// at once, with end_turns, and the others go on in the next placement. `told` is called before
/// each.
TurnsEnd take_turns(const TurnPlan& plan, std::vector<Participant>& participants,
                    const std::function<void(std::size_t placement)>& told,
                    const std::stop_token& stop);

}  // namespace fa2bench
