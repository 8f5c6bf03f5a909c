// SPDX-License-Identifier: MIT
// Real worker processes that take turns on the CPU: what is said, and what becomes of those that
// are lost in a turn.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "app/memory_holder.hpp"
#include "app/output_board.hpp"
#include "app/shim_runner.hpp"
#include "workload/config_text.hpp"

namespace fa2bench {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// More than all calls before timing.
constexpr int kLater = 400;

class TurnWorker : public testing::Test {
 protected:
  ~TurnWorker() override {
    for (const char* name : {"MOCK_NEXT", "MOCK_FAULT", "MOCK_CALL"}) ::unsetenv(name);
  }

  /// A worker with the right shim, or with one that fails from that call on.
  std::unique_ptr<TurnRunner> worker(const std::string& fault = "", int call = kLater) {
    ::setenv("MOCK_NEXT", FA2BENCH_GOOD_SHIM, 1);
    ::setenv("MOCK_FAULT", fault.c_str(), 1);
    ::setenv("MOCK_CALL", std::to_string(call).c_str(), 1);
    WorkerSettings settings;
    settings.program = FA2BENCH_TOOL;
    settings.timeout = std::chrono::seconds(fault == "hang" ? 2 : 60);
    std::unique_ptr<TurnRunner> runner = make_worker_runner(settings);
    (void)runner->open({"cpu", {fault.empty() ? FA2BENCH_GOOD_SHIM : FA2BENCH_MOCK_LATER}, 0}, {});
    return runner;
  }

  static RunRequest request(const std::vector<Mode>& modes = {Mode::warm}) {
    RunRequest request;
    request.workload = read_one(
        R"({"name": "tiny", "batch": "2q3s20", "num_heads": 2, "num_kv_heads": 1, "layers": 2})");
    request.modes = modes;
    request.limits.time_limit = Seconds(0.05);
    request.limits.duty = 1.0;
    request.in_turns = true;
    return request;
  }

  static Turn turn(std::size_t placement, std::size_t samples) {
    Turn turn;
    turn.placement = placement;
    turn.samples = samples;
    turn.at_most = Seconds(100.0);
    return turn;
  }

  Waiting begin(TurnRunner& runner, const RunRequest& request) {
    return runner.begin(request, listener_, {});
  }

  /// Takes that turn and expects times.
  static Took take(TurnRunner& runner, const Turn& turn) {
    std::variant<Took, Ran> answer = runner.take(turn, {}, {});
    if (const auto* ran = std::get_if<Ran>(&answer)) {
      ADD_FAILURE() << to_text(ran->run.status) << ": " << ran->run.reason;
      return {};
    }
    return std::get<Took>(answer);
  }

  /// What it is lost with in a turn of more calls than it makes well.
  fa2bench::Run loss(const std::string& fault) {
    const auto runner = worker(fault);
    EXPECT_EQ(std::get<Mode>(begin(*runner, request())), Mode::warm);
    std::variant<Took, Ran> answer = runner->take(turn(1, 2 * kLater), {}, {});
    EXPECT_TRUE(std::holds_alternative<Ran>(answer)) << fault;
    if (std::holds_alternative<Took>(answer)) return {};
    // The next workload has a fresh worker, unless this one is still there.
    const bool fresh = std::holds_alternative<Mode>(begin(*runner, request()));
    EXPECT_EQ(fresh, fault != "wrong");
    return std::get<Ran>(answer).run;
  }

  std::optional<MemorySharing> told_;
  PhaseListener listener_ = [this](const Phase& phase) {
    if (phase.memory) told_ = phase.memory;
  };
};

TEST_F(TurnWorker, IsReadyInEachModeTakesItsTurnsAndEndsWithARunOfThem) {
  const auto runner = worker();
  ASSERT_EQ(std::get<Mode>(begin(*runner, request({Mode::cold, Mode::step}))), Mode::cold);
  EXPECT_EQ(take(*runner, turn(1, 3)).device_us.size(), 3U);
  EXPECT_EQ(take(*runner, turn(1, 2)).device_us.size(), 2U);
  EXPECT_EQ(take(*runner, turn(5, 1)).device_us.size(), 1U);
  ASSERT_EQ(std::get<Mode>(runner->end_turns({Stop::decided}, {}, {})), Mode::step);
  EXPECT_EQ(take(*runner, turn(1, 1)).mode, Mode::step);
  const Waiting over = runner->end_turns({Stop::time_limit}, {}, {});
  ASSERT_TRUE(std::holds_alternative<Ran>(over));
  const auto& run = std::get<Ran>(over).run;
  ASSERT_EQ(run.status, Status::ok) << run.reason;
  ASSERT_EQ(run.timings.size(), 2U);
  const Samples& cold = run.timings[0].samples;
  EXPECT_EQ(cold.stop, Stop::decided);
  EXPECT_EQ(cold.device_us.size(), 6U);
  ASSERT_EQ(cold.trials.size(), 3U);
  EXPECT_EQ(cold.trials[1].placement, 1U);
  EXPECT_EQ(cold.trials[2].placement, 5U);
  EXPECT_EQ(run.timings[1].samples.calls, 2);
  EXPECT_TRUE(run.verify && run.verify->ok);
}

TEST_F(TurnWorker, TakesTurnsWithAnotherOnTheSameMemory) {
  const auto first = worker();
  const auto second = worker();
  RunRequest both = request({Mode::cold, Mode::step});
  MemoryHolder holder(FA2BENCH_TOOL, "cpu");
  both.memory =
      holder.share(pool_for(both.workload, make_plan(both.workload), both.modes, mib(1), 2)).pool;
  ASSERT_TRUE(both.memory);
  for (TurnRunner* runner : {first.get(), second.get()}) {
    ASSERT_EQ(std::get<Mode>(begin(*runner, both)), Mode::cold);
    ASSERT_TRUE(told_);
    EXPECT_TRUE(told_->shared) << told_->obstacle;
  }
  for (const Mode mode : both.modes) {
    for (std::size_t placement = 1; placement <= 3; ++placement) {
      const Took took = take(*first, turn(placement, 2));
      EXPECT_EQ(took.mode, mode);
      Turn next = turn(placement, 2);
      next.filled = took.filled;
      EXPECT_FALSE(next.filled.empty());
      EXPECT_EQ(take(*second, next).filled, took.filled);
      EXPECT_EQ(take(*second, next).filled, took.filled);
      EXPECT_EQ(take(*first, next).filled, took.filled);
    }
    // The one that ends first must not spoil what the other still works on, nor be taken for one
    // that wrote past its own.
    take(*second, turn(4, 1));
    const Waiting one = first->end_turns({}, {}, {});
    const Waiting other = second->end_turns({}, {}, {});
    EXPECT_EQ(one.index(), other.index());
    if (mode == Mode::cold) continue;
    EXPECT_EQ(std::get<Ran>(one).run.status, Status::ok) << std::get<Ran>(one).run.reason;
    EXPECT_EQ(std::get<Ran>(other).run.status, Status::ok) << std::get<Ran>(other).run.reason;
  }
}

TEST_F(TurnWorker, IsAskedNothingAfterAStopRequest) {
  const auto runner = worker();
  ASSERT_EQ(std::get<Mode>(begin(*runner, request())), Mode::warm);
  take(*runner, turn(1, 1));
  std::stop_source stop;
  stop.request_stop();
  const Waiting over = runner->end_turns({Stop::interrupted}, {}, stop.get_token());
  ASSERT_TRUE(std::holds_alternative<Ran>(over));
  EXPECT_EQ(std::get<Ran>(over).run.status, Status::not_run);
  EXPECT_EQ(std::get<Ran>(over).run.reason, "interrupted");
  // Nor is another started.
  const Waiting again = runner->begin(request(), {}, stop.get_token());
  ASSERT_TRUE(std::holds_alternative<Ran>(again));
  EXPECT_EQ(std::get<Ran>(again).run.status, Status::not_run);
}

TEST_F(TurnWorker, ThatCrashesInATurnHasCrashed) {
  const auto run = loss("abort");
  EXPECT_EQ(run.status, Status::crashed);
  EXPECT_THAT(run.reason, StartsWith("timing warm: the shim was killed by SIGABRT"));
}

TEST_F(TurnWorker, ThatEndsItsProcessInATurnHasCrashed) {
  const auto run = loss("exit");
  EXPECT_EQ(run.status, Status::crashed);
  EXPECT_EQ(run.reason, "timing warm: the shim ended the process with exit code 7");
}

TEST_F(TurnWorker, ThatIsWrongInATurnIsWrong) {
  const auto run = loss("wrong");
  EXPECT_EQ(run.status, Status::wrong);
  EXPECT_THAT(run.reason, HasSubstr("of the warm series"));
  EXPECT_TRUE(run.timings.empty());
}

TEST_F(TurnWorker, ThatWaitsForEverWhileItGetsReadyIsKilled) {
  const auto runner = worker("hang", 5);
  RunRequest short_one = request();
  short_one.limits.time_limit = Seconds(0.001);
  const Waiting over = begin(*runner, short_one);
  ASSERT_TRUE(std::holds_alternative<Ran>(over));
  EXPECT_EQ(std::get<Ran>(over).run.status, Status::timeout);
}

TEST_F(TurnWorker, ThatWaitsForEverInATurnIsKilled) {
  const auto runner = worker("hang");
  RunRequest short_one = request();
  short_one.limits.time_limit = Seconds(0.001);
  ASSERT_TRUE(std::holds_alternative<Mode>(begin(*runner, short_one)));
  Turn many = turn(1, 2 * kLater);
  many.at_most = Seconds(1.0);  // far more than so many calls take, and all that it waits for
  std::variant<Took, Ran> answer = runner->take(many, {}, {});
  ASSERT_TRUE(std::holds_alternative<Ran>(answer));
  EXPECT_EQ(std::get<Ran>(answer).run.status, Status::timeout);
  EXPECT_THAT(std::get<Ran>(answer).run.reason, StartsWith("timing warm: no answer for 2 s"));
}

/// Kills the one child that this process has.
void kill_the_child() {
  pid_t child = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "stat");
    const std::string stat{std::istreambuf_iterator<char>(file), {}};
    const std::size_t after_name = stat.rfind(')');
    if (after_name == std::string::npos) continue;  // it has ended
    std::istringstream rest(stat.substr(after_name + 1));
    std::string state;
    pid_t parent = 0;
    rest >> state >> parent;
    if (parent != ::getpid()) continue;
    ASSERT_EQ(child, 0) << "more than one";
    child = std::stoi(name);
  }
  ASSERT_GT(child, 0);
  ::kill(child, SIGKILL);
  siginfo_t ended{};  // looks at it, and leaves it to be waited for
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
}

TEST_F(TurnWorker, ThatIsLostWhileItWaitsHasCrashedAndTheNextIsAnother) {
  const auto runner = worker();
  ASSERT_TRUE(std::holds_alternative<Mode>(begin(*runner, request())));
  take(*runner, turn(1, 1));
  kill_the_child();
  std::variant<Took, Ran> answer = runner->take(turn(1, 1), {}, {});
  ASSERT_TRUE(std::holds_alternative<Ran>(answer));
  EXPECT_EQ(std::get<Ran>(answer).run.status, Status::crashed);
  EXPECT_EQ(std::get<Ran>(answer).run.reason,
            "timing warm: the shim was killed by SIGKILL (Killed)");
  EXPECT_TRUE(std::holds_alternative<Mode>(begin(*runner, request())));
}

TEST_F(TurnWorker, ThatIsLostWhileItWaitsAndHasNoMoreTurnsHasCrashed) {
  const auto runner = worker();
  ASSERT_TRUE(std::holds_alternative<Mode>(begin(*runner, request())));
  kill_the_child();
  const Waiting over = runner->end_turns({Stop::decided}, {}, {});
  ASSERT_TRUE(std::holds_alternative<Ran>(over));
  EXPECT_EQ(std::get<Ran>(over).run.status, Status::crashed);
}

TEST_F(TurnWorker, IsAnotherAfterItWasSentHome) {
  const auto runner = worker();
  ASSERT_TRUE(std::holds_alternative<Mode>(begin(*runner, request())));
  runner->renew();
  EXPECT_TRUE(std::holds_alternative<Mode>(begin(*runner, request())));
}

TEST_F(TurnWorker, HoldsItsOutputsAgainstThoseOfTheBaseline) {
  const OutputBoard board;
  RunRequest first = request();
  first.outputs = OutputFile{board.path(), true};
  RunRequest second = request();
  second.outputs = OutputFile{board.path(), false};
  std::vector<OutputDifference> found;
  for (const RunRequest& one : {first, second}) {
    const auto runner = worker();
    ASSERT_TRUE(std::holds_alternative<Mode>(begin(*runner, one)));
    take(*runner, turn(1, 1));
    const Waiting over = runner->end_turns({}, {}, {});
    ASSERT_TRUE(std::get<Ran>(over).difference);
    found.push_back(*std::get<Ran>(over).difference);
    EXPECT_EQ(found.back().obstacle, "");
  }
  EXPECT_TRUE(found[1].same_out);
  EXPECT_TRUE(found[1].same_lse);
  EXPECT_TRUE(found[1].same_empty_rows);
}

TEST_F(TurnWorker, SaysThatTheBaselineLeftNoOutputs) {
  const OutputBoard board;
  RunRequest one = request();
  one.outputs = OutputFile{board.path(), false};
  const auto runner = worker();
  ASSERT_TRUE(std::holds_alternative<Mode>(begin(*runner, one)));
  take(*runner, turn(1, 1));
  const Waiting over = runner->end_turns({}, {}, {});
  EXPECT_EQ(std::get<Ran>(over).difference->obstacle, "the baseline's outputs could not be read");
}

}  // namespace
}  // namespace fa2bench
