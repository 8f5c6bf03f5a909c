// SPDX-License-Identifier: MIT
// The session's side of a worker: asks, waits no longer than it must, and names how a worker ended.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/shim_runner.hpp"
#include "base/text.hpp"
#include "worker/process.hpp"

namespace fa2bench {
namespace {

using Clock = Channel::Clock;

/// Why there is no reply.
struct Loss {
  Status status = Status::crashed;  ///< crashed, timeout or not_run (stopped)
  std::string text;
};

using Answer = std::variant<Reply, Loss>;

constexpr const char* kClosed = "closed the tool's connection to it";

/// What the shim did that ended its worker so.
std::string deed(const Ending& ending) {
  return !ending.by_signal && ending.code == kSocketLostExit ? kClosed : ending.text();
}

class WorkerRunner final : public TurnRunner {
 public:
  explicit WorkerRunner(WorkerSettings settings) : settings_(std::move(settings)) {}
  ~WorkerRunner() override { dismiss(); }
  WorkerRunner(const WorkerRunner&) = delete;
  WorkerRunner& operator=(const WorkerRunner&) = delete;

  Opened open(const Open& open, const std::stop_token& stop) override {
    open_ = open;
    Answer answer = start(open, stop);
    open_.measure_ceilings = false;  // once a run is enough
    open_.again = true;
    if (auto* loss = std::get_if<Loss>(&answer)) {
      throw Error(ErrorKind::environment, fmt::format("shim {}: {}", name_of_shim(), loss->text));
    }
    Opened opened = std::get<Opened>(std::get<Reply>(std::move(answer)));
    if (before_) opened.telemetry.before = *std::exchange(before_, std::nullopt);
    return opened;
  }

  void renew() override { dismiss(); }

  Run run(const RunRequest& request, const PhaseListener& listener,
          const std::stop_token& stop) override {
    if (std::optional<Run> failed = get_ready(request, stop)) return *std::move(failed);
    return over(ask(to_message(Request{request}), listener, stop)).run;
  }

  Waiting begin(const RunRequest& request, const PhaseListener& listener,
                const std::stop_token& stop) override {
    if (std::optional<Run> failed = get_ready(request, stop)) return Ran{*std::move(failed)};
    return waiting(ask(to_message(Request{request}), listener, stop));
  }

  std::variant<Took, Ran> take(const Turn& turn, const PhaseListener& listener,
                               const std::stop_token& stop) override {
    Answer answer = ask(to_message(Request{turn}), listener, stop, turn.at_most);
    if (Took* took = took_of(answer)) return std::move(*took);
    return over(std::move(answer));
  }

  Waiting end_turns(const TurnsOver& over, const PhaseListener& listener,
                    const std::stop_token& stop) override {
    return waiting(ask(to_message(Request{over}), listener, stop));
  }

 private:
  /// Nothing, or the run if there is no worker to be had.
  std::optional<Run> get_ready(const RunRequest& request, const std::stop_token& stop) {
    so_far_.reset();
    traces_ = request.trace_kernels;
    if (!child_) {
      if (stop.stop_requested()) return lost({Status::not_run, "interrupted"});
      if (std::optional<Run> failed = start_again(stop)) return failed;
    }
    phase_ = "starting the workload";
    return std::nullopt;
  }

  static Took* took_of(Answer& answer) {
    Reply* reply = std::get_if<Reply>(&answer);
    return reply == nullptr ? nullptr : std::get_if<Took>(reply);
  }

  Waiting waiting(Answer answer) {
    if (const Took* ready = took_of(answer)) return ready->mode;
    return over(std::move(answer));
  }

  /// The run that the answer ends.
  Ran over(Answer answer) {
    Ran ran = ended(std::move(answer));
    if (launch_us_) ran.run.launch_us = {*launch_us_};
    return ran;
  }

  Ran ended(Answer answer) {
    if (auto* loss = std::get_if<Loss>(&answer)) return {lost(*loss)};
    auto* ran = std::get_if<Ran>(&std::get<Reply>(answer));
    if (ran == nullptr) return {lost(give_up(Status::crashed, "answered out of turn"))};
    // A process that CUPTI was in keeps its hooks: the next workload is timed in another.
    if (ran->device_lost || traces_) dismiss();
    return std::move(*ran);
  }

  /// Ends a worker that is not needed any more.
  void dismiss() {
    if (child_ && settings_.farewell.count() > 0) {
      child_->hang_up();
      (void)child_->wait(settings_.farewell);
    }
    child_.reset();
  }

  /// What the user gave, for messages before the shim has told its own path.
  [[nodiscard]] std::string name_of_shim() const {
    return open_.index < open_.shims.size() ? printable(open_.shims[open_.index]) : "to be loaded";
  }

  /// A fresh worker, quick if one can be had, and its answer to `open`, which is Opened or a loss;
  /// a refusal is thrown.
  Answer start(const Open& open, const std::stop_token& stop) {
    if (!settings_.launch_class) return start_one(open, stop);
    Answer answer;
    start_quick(*settings_.launch_class, [&](std::optional<double> most_launch_us) {
      const bool only_look = most_launch_us && *most_launch_us <= 0.0;
      if (!only_look && take_waiting(most_launch_us)) {
        Open again = open;
        again.again = true;
        answer = answer_of_child(again, stop);
        return StartedProcess{launch_us_, true};
      }
      Open one = open;
      one.again = open.again || before_.has_value();
      one.most_launch_us = most_launch_us;
      answer = start_one(one, stop);
      const auto* reply = std::get_if<Reply>(&answer);
      const auto* looked = reply != nullptr ? std::get_if<Looked>(reply) : nullptr;
      if (looked == nullptr) return StartedProcess{launch_us_, true};
      if (!one.again) before_ = looked->before;
      const StartedProcess started{looked->launch_us, false};
      if (only_look && started.launch_us) {
        settings_.launch_class->waiting.push_back({*started.launch_us, std::move(child_)});
      }
      dismiss();
      return started;
    });
    return answer;
  }

  /// Whether one of those that wait is quick; it is the child then. Slow ones end: quicker ones
  /// are known.
  bool take_waiting(std::optional<double> most_launch_us) {
    std::vector<LaunchClass::Waiting>& waiting = settings_.launch_class->waiting;
    if (most_launch_us) {
      std::erase_if(waiting, [&](const auto& one) { return one.launch_us > *most_launch_us; });
    }
    if (waiting.empty()) return false;
    child_ = std::move(waiting.back().process);
    waiting.pop_back();
    return true;
  }

  /// Like start, as it comes; also Looked where `open` has a bound.
  Answer start_one(const Open& open, const std::stop_token& stop) {
    child_ = std::make_shared<ChildProcess>(settings_.program, std::vector<std::string>{"worker"});
    return answer_of_child(open, stop);
  }

  Answer answer_of_child(const Open& open, const std::stop_token& stop) {
    launch_us_.reset();
    output_.clear();
    phase_ = "loading";
    Answer answer = ask(to_message(Request{open}), {}, stop);
    if (std::holds_alternative<Loss>(answer)) return answer;
    const Reply& reply = std::get<Reply>(answer);
    if (const auto* refused = std::get_if<Refused>(&reply)) {
      child_.reset();
      throw Error(refused->kind, refused->text);
    }
    if (const auto* opened = std::get_if<Opened>(&reply)) {
      launch_us_ = opened->launch_us;
    } else if (!open.most_launch_us || !std::holds_alternative<Looked>(reply)) {
      return give_up(Status::crashed, "answered out of turn");
    }
    return answer;
  }

  /// After a loss; the run to report if there is no new worker to be had.
  std::optional<Run> start_again(const std::stop_token& stop) {
    try {
      Answer answer = start(open_, stop);
      if (auto* loss = std::get_if<Loss>(&answer)) return lost(*loss);
      return std::nullopt;
    } catch (const Error& error) {
      return lost({Status::failed, error.what()});
    }
  }

  /// Sends and waits for the next reply that is not a Phase; for as long as the work asked for may
  /// well take beyond the patience.
  Answer ask(const std::string& message, const PhaseListener& listener, const std::stop_token& stop,
             Seconds work = {}) {
    // What a worker would do about it nobody will hear.
    if (stop.stop_requested()) return give_up(Status::not_run, "");
    if (!child_->channel().send(message)) return give_up(Status::crashed, "");
    const auto from_now = [&](Seconds expected) {
      return Clock::now() + settings_.timeout +
             std::chrono::duration_cast<Clock::duration>(expected);
    };
    Clock::time_point deadline = from_now(work);
    while (true) {
      std::string text;
      // The end of the process is watched too: a child that the shim left behind may hold the
      // socket open.
      const auto over = [&] {
        return stop.stop_requested() || child_->wait(std::chrono::milliseconds(0)).has_value();
      };
      switch (child_->channel().receive(text, deadline, over)) {
        case Received::message:
          break;
        case Received::timeout:
          return give_up(Status::timeout, "");
        case Received::garbage:
          return give_up(Status::crashed, "sent garbage to the session");
        case Received::closed:
          return give_up(Status::crashed, "");
        case Received::stopped:
          return give_up(stop.stop_requested() ? Status::not_run : Status::crashed, "");
      }
      try {
        Reply reply = read_reply(text);
        const auto* phase = std::get_if<Phase>(&reply);
        if (phase == nullptr) return reply;
        phase_ = phase->name;
        if (phase->so_far) so_far_ = phase->so_far;
        deadline = from_now(Seconds(phase->expected_s));
        if (listener) listener(*phase);
      } catch (const Error& error) {
        return give_up(Status::crashed, fmt::format("sent garbage: {}", error.what()));
      }
    }
  }

  /// Ends the worker and says how it went. `what` is said of one that did not end by itself.
  Loss give_up(Status status, const std::string& what) {
    constexpr std::chrono::milliseconds kGrace{1000};
    if (status == Status::not_run) {
      // A driver may take long to take a process down, and there are others to be ended in time.
      child_->begin_kill();
      output_ = child_->output();
      killed_ = std::move(child_);
      return {status, "interrupted"};
    }
    std::string text;
    const std::optional<Ending> ending =
        status == Status::crashed ? child_->wait(kGrace) : std::nullopt;
    if (status == Status::timeout) {
      text = fmt::format("{}: no answer for {:.3g} s; its process was killed", phase_,
                         Seconds(settings_.timeout).count());
    } else if (ending) {
      text = fmt::format("{}: the shim {}", phase_, deed(*ending));
    } else {
      text = fmt::format("{}: the shim {}", phase_, what.empty() ? kClosed : what);
    }
    child_->kill();
    output_ = child_->output();
    child_.reset();
    return {status, std::move(text)};
  }

  Run lost(const Loss& loss) {
    if (so_far_ && so_far_->verify) {
      Run run = lost_afterwards(*std::move(so_far_), loss.status, loss.text);
      run.output = std::move(output_);
      return run;
    }
    Run run;
    run.status = loss.status;
    run.reason = loss.text;
    run.output = std::move(output_);
    return run;
  }

  WorkerSettings settings_;
  Open open_;
  std::shared_ptr<ChildProcess> child_;
  std::shared_ptr<ChildProcess> killed_;  ///< on a stop request; waited for at the end
  std::optional<double> launch_us_;       ///< of the child
  std::optional<Telemetry> before_;       ///< this run used the device, until it is told
  std::optional<Run> so_far_;             ///< stands if the worker is lost now
  bool traces_ = false;                   ///< the request asks for kernels
  std::string phase_;                     ///< what the worker was doing when it was last heard of
  std::string output_;                    ///< of the last worker that was lost
};

}  // namespace

Run lost_afterwards(Run run, Status status, const std::string& why) {
  const auto series = std::find_if(run.untimed.begin(), run.untimed.end(),
                                   [](const Untimed& mode) { return mode.reason.empty(); });
  if (series != run.untimed.end()) {
    *series = {series->mode, status, why};
  } else if (run.kernels) {
    run.kernels->obstacle = why;
  } else {
    run.verify->constancy.graph = GraphReplay{why, 0, false};
  }
  return run;
}

std::unique_ptr<TurnRunner> make_worker_runner(WorkerSettings settings) {
  return std::make_unique<WorkerRunner>(std::move(settings));
}

}  // namespace fa2bench
