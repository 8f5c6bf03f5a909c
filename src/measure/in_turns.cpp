// SPDX-License-Identifier: MIT
#include "measure/in_turns.hpp"

#include <chrono>
#include <utility>

#include "base/nvtx.hpp"
#include "measure/record.hpp"
#include "measure/sample_taker.hpp"

namespace fa2bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

class TurnTaker {
 public:
  TurnTaker(Device& device, const Series& series, const SamplingLimits& limits,
            const NextTurn& next_turn)
      : series_(series),
        limits_(limits),
        next_turn_(next_turn),
        taker_(device, series, limits.duty) {}

  Samples run() {
    while (true) {
      const std::variant<Turn, TurnsOver> next = next_turn_(told());
      if (const auto* over = std::get_if<TurnsOver>(&next)) {
        samples_.stop = over->stop;
        break;
      }
      took_ = Took{};
      const SteadyClock::time_point begin = SteadyClock::now();
      const bool good = take(std::get<Turn>(next));
      samples_.wall_s += since(begin).count();
      if (!good) break;
    }
    taker_.watch_end();
    return std::move(samples_);
  }

 private:
  Took told() {
    took_.mode = samples_.mode;
    took_.kind = kind_of(samples_);
    took_.host_blocking = samples_.host_blocking;
    return std::move(took_);
  }

  /// False if a call failed or something was wrong.
  bool take(const Turn& turn) {
    const SteadyClock::time_point begin = SteadyClock::now();
    if (turn.placement != placement_ && !series_.place(turn.placement)) return taker_.wrong();
    placement_ = turn.placement;
    Trial trial = taker_.begin_trial();
    trial.placement = turn.placement;
    if (!warm_up(turn, trial)) return false;
    took_.around = since(begin);
    const bool good = sample(turn, trial);
    if (trial.samples > 0) taker_.keep(trial);
    if (!good || !taker_.watch()) return false;
    // What is spoilt is its doing: at the next look others had their turns.
    return series_.leave() || taker_.wrong();
  }

  bool warm_up(const Turn& turn, Trial& trial) {
    const Seconds most = limits_.time_limit / 5.0;
    SampleTaker::WarmUp how;
    how.calls = turn.warm_up_calls;
    how.until_settled = std::exchange(first_, false);
    how.most = how.longest = most;
    return taker_.warm_up(how, {}, trial);
  }

  bool sample(const Turn& turn, Trial& trial) {
    const NvtxRange range(kTimedRange);
    const SteadyClock::time_point begin = SteadyClock::now();
    CallTime last;
    while (trial.samples < turn.samples && (trial.samples == 0 || since(begin) < turn.at_most)) {
      const bool was_gated = samples_.gated;
      const bool good = taker_.time(last);
      if (was_gated != samples_.gated) {  // the samples so far are gone
        trial.samples = 0;
        took_.device_us.clear();
        took_.host_us.clear();
      }
      if (!good) return false;
      record(last, samples_, trial);
      took_.device_us.push_back(samples_.device_us.back());
      took_.host_us.push_back(samples_.host_us.back());
    }
    took_.sampling = since(begin);
    return true;
  }

  const Series& series_;
  const SamplingLimits& limits_;
  const NextTurn& next_turn_;
  std::size_t placement_ = 0;
  bool first_ = true;
  Took took_;
  SampleTaker taker_;
  Samples& samples_ = taker_.samples();
};

}  // namespace

Samples take_in_turns(Device& device, const Series& series, const SamplingLimits& limits,
                      const NextTurn& next_turn) {
  return TurnTaker(device, series, limits, next_turn).run();
}

}  // namespace fa2bench
