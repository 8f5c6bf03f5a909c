// SPDX-License-Identifier: MIT
#include "measure/sampling.hpp"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>
#include <vector>

#include "base/nvtx.hpp"
#include "measure/blocks.hpp"
#include "measure/record.hpp"
#include "measure/sample_taker.hpp"
#include "measure/stop_rule.hpp"
#include "stats/summary.hpp"
#include "stats/trials.hpp"

namespace fa2bench {
namespace {

using Clock = std::chrono::steady_clock;

class Sampler {
 public:
  Sampler(Device& device, const Series& series, const SamplingLimits& limits,
          const std::stop_token& stop)
      : series_(series),
        limits_(limits),
        stop_(stop),
        start_(Clock::now()),
        taker_(device, series, limits.duty) {}

  Samples run() {
    for (std::size_t trial = 0; run_trial(trial) && !is_over(); ++trial) {
    }
    taker_.watch_end();
    samples_.wall_s = since(start_).count();
    return std::move(samples_);
  }

 private:
  [[nodiscard]] bool out_of_time() const { return since(start_) >= limits_.time_limit; }

  /// The first trial's until the times have settled, but no longer than a share of the time; a
  /// later one's goes on from there, on other memory.
  bool warm_up(Trial& trial, bool first_trial) {
    const Seconds most = limits_.time_limit / 5.0;
    SampleTaker::WarmUp how;
    how.until_settled = first_trial;
    how.most = how.longest = most;
    const bool was_gated = samples_.gated;
    const bool good = taker_.warm_up(how, stop_, trial);
    if (was_gated != samples_.gated) forget();
    return good;
  }

  /// False if the series is over: something failed, was wrong or was interrupted.
  bool run_trial(std::size_t number) {
    // A stop request still leaves the samples taken so far.
    if (stop_.stop_requested()) return taker_.over(Stop::interrupted);
    if (number > 0 && !place(number)) return false;
    Trial trial = taker_.begin_trial();
    trial.placement = number;
    if (!warm_up(trial, number == 0)) return false;
    const bool whole = sample(trial);
    if (trial.samples > 0) keep(trial);
    if (!whole || !taker_.watch()) return false;
    left_ = Clock::now();
    return series_.leave() || taker_.wrong();
  }

  bool place(std::size_t number) {
    const bool placed = series_.place(number);
    placement_ = std::max(placement_, since(left_));
    return placed || taker_.wrong();
  }

  void keep(const Trial& trial) {
    const auto& all = samples_.device_us;
    medians_.push_back(median(std::span(all).last(trial.samples)));
    taker_.keep(trial);
  }

  /// Samples have turned out to be of no use, and are gone.
  void forget() {
    medians_.clear();
    look_ = 0;
  }

  bool sample(Trial& trial) {
    const NvtxRange range(kTimedRange);
    const Clock::time_point begin = Clock::now();
    const Seconds share = limits_.time_limit * 0.8 / static_cast<double>(limits_.min_trials);
    CallTime last;
    while (true) {
      if (stop_.stop_requested()) return taker_.over(Stop::interrupted);
      const bool was_gated = samples_.gated;
      const bool good = taker_.time(last);
      if (was_gated != samples_.gated) {
        forget();
        trial.samples = 0;
      }
      if (!good) return false;
      record(last, samples_, trial);
      const Seconds spent = since(begin);
      const bool enough =
          trial.samples >= limits_.min_samples &&
          (limits_.max_trials > 1 ? spent >= std::min<Seconds>(placement_, limits_.trial_time)
                                  : precise_alone(trial.samples));
      if (enough || spent >= share || out_of_time() || all_taken()) return true;
    }
  }

  [[nodiscard]] bool all_taken() const { return samples_.device_us.size() >= limits_.max_samples; }

  /// Whether the samples of the only trial say enough, looked at every tenth more of them: the
  /// interval narrows with the square root of their count.
  bool precise_alone(std::size_t count) {
    if (count < look_) return false;
    look_ = count + std::max<std::size_t>(1, count / 10);
    std::vector<double> sorted = samples_.device_us;
    std::sort(sorted.begin(), sorted.end());
    alone_ = is_narrow(median_interval(sorted, 0.95), quantile(sorted, 0.5), limits_.precision);
    return alone_;
  }

  /// Whether the interval is narrow enough and enough time was spent.
  [[nodiscard]] bool is_precise() const {
    if (alone_) return true;
    if (since(start_) < std::min(limits_.least_time, limits_.time_limit)) return false;
    if (independent_block(samples_.trials) == Block::trials) {
      return decide(medians_, {limits_.precision, limits_.min_trials, limits_.max_trials}) ==
             TrialStop::precise;
    }
    if (medians_.size() < limits_.min_trials) return false;
    const Center center = estimate_center(independent_values(medians_, samples_.trials));
    return is_narrow(center.interval, center.value, limits_.precision);
  }

  /// Whether no further trial is needed, or can be had.
  bool is_over() {
    if (is_precise()) {
      samples_.stop = Stop::precise;
    } else if (since(start_) + placement_ >= limits_.time_limit) {
      samples_.stop = Stop::time_limit;
    } else if (all_taken()) {
      samples_.stop = Stop::max_samples;
    } else if (samples_.trials.size() >= limits_.max_trials) {
      samples_.stop = Stop::max_trials;
    } else {
      return false;
    }
    return true;
  }

  const Series& series_;
  const SamplingLimits& limits_;
  const std::stop_token& stop_;
  Clock::time_point start_;
  Seconds placement_{};          ///< how long the longest took, with the check before it
  std::vector<double> medians_;  ///< of the trials
  Clock::time_point left_;       ///< when the last trial's samples were all taken
  std::size_t look_ = 0;         ///< samples at which precise_alone() looks next
  bool alone_ = false;           ///< what it saw
  SampleTaker taker_;
  Samples& samples_ = taker_.samples();
};

}  // namespace

Samples take_samples(Device& device, const Series& series, const SamplingLimits& limits,
                     const std::stop_token& stop) {
  return Sampler(device, series, limits, stop).run();
}

}  // namespace fa2bench
