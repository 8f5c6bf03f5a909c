// SPDX-License-Identifier: MIT
// Processes that take turns without being there: times as a test says, at no time, and a book of
// who did what when.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/shim_runner.hpp"
#include "app/turns.hpp"

namespace fa2bench::test {

/// One turn, as the session gave it.
struct TurnTaken {
  std::string who;  ///< "0.1": shim 0, process 1
  Turn turn;
};

/// What the fakes of a test have in common.
struct TurnBook {
  std::vector<TurnTaken> turns;
  std::vector<std::string> events;  ///< "begin 0.0", "end 0.0 cold decided", "renew 0.0"
  bool busy = false;                ///< somebody works: nobody else may
  bool clashed = false;
};

class FakeRunner final : public TurnRunner {
 public:
  FakeRunner(std::shared_ptr<TurnBook> book, std::string who)
      : book_(std::move(book)), who_(std::move(who)) {}

  /// µs of the next sample.
  std::function<double()> time = [] { return 100.0; };
  /// What a turn, from 1, is answered with instead of times; nothing: times.
  std::function<std::optional<Run>(std::size_t turn)> loss = [](std::size_t) {
    return std::nullopt;
  };
  SampleKind kind = {};  ///< of all samples
  /// What begin() is answered with instead of readiness.
  std::optional<Run> refusal = std::nullopt;
  /// What follows the last mode instead of the times taken.
  std::optional<Run> end = std::nullopt;
  std::optional<OutputDifference> difference = std::nullopt;
  std::function<void()> on_turn = [] {};
  std::vector<RunRequest> requests;  ///< so far

  Opened open(const Open& /*open*/, const std::stop_token& /*stop*/) override { return {}; }
  void renew() override { book_->events.push_back("renew " + who_); }
  Run run(const RunRequest& /*request*/, const PhaseListener& /*listener*/,
          const std::stop_token& /*stop*/) override {
    return {};
  }

  Waiting begin(const RunRequest& request, const PhaseListener& /*listener*/,
                const std::stop_token& /*stop*/) override {
    const Work work(*book_);
    book_->events.push_back("begin " + who_);
    requests.push_back(request);
    mode_ = 0;
    turn_ = 0;
    timings_.clear();
    samples_ = Samples();
    if (refusal) return Ran{*refusal};
    return request.modes.front();
  }

  std::variant<Took, Ran> take(const Turn& turn, const PhaseListener& /*listener*/,
                               const std::stop_token& /*stop*/) override {
    const Work work(*book_);
    book_->turns.push_back({who_, turn});
    on_turn();
    if (std::optional<Run> lost = loss(++turn_)) return Ran{*std::move(lost)};
    Took took;
    took.mode = mode();
    took.kind = kind;
    Trial trial;
    trial.placement = turn.placement;
    for (std::size_t i = 0; i < turn.samples; ++i) {
      took.device_us.push_back(time());
      samples_.device_us.push_back(took.device_us.back());
      samples_.host_us.push_back(1.0);
      ++trial.samples;
    }
    took.host_us = std::vector<double>(turn.samples, 1.0);
    took.filled = {turn.placement};
    samples_.trials.push_back(trial);
    return took;
  }

  Waiting end_turns(const TurnsOver& over, const PhaseListener& /*listener*/,
                    const std::stop_token& /*stop*/) override {
    const Work work(*book_);
    book_->events.push_back("end " + who_ + " " + to_text(mode()) + " " + to_text(over.stop));
    if (samples_.device_us.empty()) return Ran{};  // as a shim that had no turn
    samples_.mode = mode();
    samples_.stop = over.stop;
    samples_.cache = kind.cache;
    samples_.calls = kind.calls;
    samples_.gated = kind.gated;
    Timing& timing = timings_.emplace_back();
    timing.samples = std::exchange(samples_, Samples());
    if (++mode_ < requests.back().modes.size()) return mode();
    if (end) return Ran{*end, false, difference};
    Run run;
    run.status = Status::ok;
    run.verify.emplace();
    run.timings = timings_;
    return Ran{run, false, difference};
  }

 private:
  /// While it lives, nobody else may work.
  class Work {
   public:
    explicit Work(TurnBook& book) : book_(book) {
      book_.clashed = book_.clashed || std::exchange(book_.busy, true);
    }
    ~Work() { book_.busy = false; }
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

   private:
    TurnBook& book_;
  };

  [[nodiscard]] Mode mode() const { return requests.back().modes[mode_]; }

  std::shared_ptr<TurnBook> book_;
  std::string who_;
  std::size_t mode_ = 0;
  std::size_t turn_ = 0;
  Samples samples_;
  std::vector<Timing> timings_;
};

}  // namespace fa2bench::test
