// SPDX-License-Identifier: MIT
#include "worker/messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "result/sample_report.hpp"
#include "workload/config.hpp"
#include "workload/config_text.hpp"

namespace fa2bench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// What `read` throws at `text`; "" if it accepts it. Anything but Error(usage) is a failure.
std::string refusal(const std::function<void(const std::string&)>& read, const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage) << text;
    return error.what();
  }
  return "";
}

std::string request_refusal(const std::string& text) {
  return refusal([](const std::string& it) { (void)read_request(it); }, text);
}

std::string reply_refusal(const std::string& text) {
  return refusal([](const std::string& it) { (void)read_reply(it); }, text);
}

RunRequest sample_run_request() {
  RunRequest request;
  request.workload = read_one(R"({"name": "décode", "batch": "2q1s40_q5s20"})");
  request.modes = {Mode::warm, Mode::cold};
  request.limits.time_limit = Seconds(0.125);
  request.limits.precision = 0.25;
  request.limits.min_samples = 3;
  request.limits.max_samples = 18446744073709551615ULL;
  request.limits.min_trials = 7;
  request.limits.max_trials = 9;
  request.limits.trial_time = Seconds(0.5);
  request.limits.duty = 0.75;
  request.check_graph = true;
  request.trace_kernels = true;
  request.profile = true;
  request.reference_budget = 1e6;
  request.room = mib(768);
  request.memory = SharedPool{{"/proc/17/fd/9", "0badcafe"}, mib(4), 18446744073709551615ULL};
  return request;
}

Opened opened_of(const Report& report) {
  return {report.device,    "no GPU: the CPU is used",
          report.ceilings,  report.shims.front(),
          report.telemetry, 1.375,
          mib(640)};
}

std::vector<std::string> sample_requests() {
  return {to_message(Request{Open{"cuda:1", {"a=x.so", "b=y.so"}, 1, true, true, true, 1.4375}}),
          to_message(Request{Open{"auto", {}, 0, false, false}}),
          to_message(Request{sample_run_request()})};
}

std::vector<std::string> sample_replies() {
  std::vector<std::string> texts{
      to_message(Reply{opened_of(test::cpu_report())}),
      to_message(Reply{opened_of(test::cuda_report())}),
      to_message(Reply{Phase{"timing cold", 2.5}}),
      to_message(Reply{Looked{1.5, test::cuda_report().telemetry.before}}),
      to_message(Reply{Looked{}}),
      to_message(Reply{Phase{"filling", 0.0, std::nullopt, MemorySharing{false, "no tag"}}})};
  for (const Report& report : {test::cpu_report(), test::cuda_report()}) {
    for (const WorkloadResult& workload : report.workloads) {
      for (const Run& run : workload.runs) texts.push_back(to_message(Reply{Ran{run, false}}));
    }
  }
  return texts;
}

TEST(Messages, GiveBackAnOpenField) {
  const Open sent{"cuda:1", {"a=x.so", "b=y.so"}, 1, true, true, true, 1.4375};
  const auto got = std::get<Open>(read_request(to_message(Request{sent})));
  EXPECT_EQ(got.device, sent.device);
  EXPECT_EQ(got.shims, sent.shims);
  EXPECT_EQ(got.index, sent.index);
  EXPECT_EQ(got.measure_ceilings, sent.measure_ceilings);
  EXPECT_EQ(got.again, sent.again);
  EXPECT_EQ(got.measure_launch, sent.measure_launch);
  EXPECT_EQ(got.most_launch_us, sent.most_launch_us);
}

TEST(Messages, GiveBackARunRequest) {
  const RunRequest sent = sample_run_request();
  const auto got = std::get<RunRequest>(read_request(to_message(Request{sent})));
  EXPECT_EQ(got.workload.id, sent.workload.id);
  EXPECT_EQ(got.workload.name, sent.workload.name);
  EXPECT_EQ(got.modes, sent.modes);
  EXPECT_EQ(got.limits.time_limit, sent.limits.time_limit);
  EXPECT_EQ(got.limits.precision, sent.limits.precision);
  EXPECT_EQ(got.limits.min_samples, sent.limits.min_samples);
  EXPECT_EQ(got.limits.max_samples, sent.limits.max_samples);
  EXPECT_EQ(got.limits.min_trials, sent.limits.min_trials);
  EXPECT_EQ(got.limits.max_trials, sent.limits.max_trials);
  EXPECT_EQ(got.limits.trial_time, sent.limits.trial_time);
  EXPECT_EQ(got.limits.duty, sent.limits.duty);
  EXPECT_TRUE(got.check_graph);
  EXPECT_TRUE(got.trace_kernels);
  EXPECT_TRUE(got.profile);
  EXPECT_EQ(got.reference_budget, sent.reference_budget);
  EXPECT_EQ(got.room, sent.room);
  ASSERT_TRUE(got.memory);
  EXPECT_EQ(got.memory->handles, sent.memory->handles);
  EXPECT_EQ(got.memory->layer_size, sent.memory->layer_size);
  EXPECT_EQ(got.memory->tag, sent.memory->tag);
}

TEST(Messages, GiveBackARunRequestWithoutMemory) {
  RunRequest sent = sample_run_request();
  sent.memory.reset();
  EXPECT_FALSE(std::get<RunRequest>(read_request(to_message(Request{sent}))).memory);
}

TEST(Messages, MayLeaveOutWhatTheyHaveNothingToSayOf) {
  const auto without = [](std::string text, const std::string& member) {
    const std::size_t at = text.find(member);
    EXPECT_NE(at, std::string::npos) << text;
    return at == std::string::npos ? text : text.erase(at, member.size());
  };
  const std::string open = to_message(Request{Open{"auto", {}, 0, false, false}});
  const Request opening = read_request(without(open, R"(,"most_launch_us":null)"));
  EXPECT_FALSE(std::get<Open>(opening).most_launch_us);
  RunRequest plain = sample_run_request();
  plain.memory.reset();
  const std::string run =
      without(without(to_message(Request{plain}), R"(,"memory":null)"), R"(,"outputs":null)");
  EXPECT_FALSE(std::get<RunRequest>(read_request(run)).memory);
  EXPECT_FALSE(std::get<RunRequest>(read_request(run)).outputs);
  const std::string phase = to_message(Reply{Phase{"timing cold", 2.5}});
  const Reply told = read_reply(without(without(phase, R"(,"memory":null)"), R"(,"so_far":null)"));
  EXPECT_FALSE(std::get<Phase>(told).memory);
  EXPECT_FALSE(std::get<Phase>(told).so_far);
}

TEST(Messages, GiveBackWhoseMemoryAWorkerUses) {
  for (const MemorySharing& sent : {MemorySharing{true, ""}, MemorySharing{false, "no tag"}}) {
    const std::string message = to_message(Reply{Phase{"filling", 0.0, std::nullopt, sent}});
    const auto got = std::get<Phase>(read_reply(message));
    ASSERT_TRUE(got.memory);
    EXPECT_EQ(got.memory->shared, sent.shared);
    EXPECT_EQ(got.memory->obstacle, sent.obstacle);
  }
  const std::string silent = to_message(Reply{Phase{"timing cold", 2.5}});
  EXPECT_FALSE(std::get<Phase>(read_reply(silent)).memory);
}

TEST(Messages, GiveBackEveryRefusal) {
  for (const ErrorKind kind : {ErrorKind::internal, ErrorKind::usage, ErrorKind::environment}) {
    const std::string message = to_message(Reply{Refused{kind, "no \"such\" file"}});
    const auto got = std::get<Refused>(read_reply(message));
    EXPECT_EQ(got.kind, kind);
    EXPECT_EQ(got.text, "no \"such\" file");
  }
}

TEST(Messages, GiveBackAPhase) {
  const auto got = std::get<Phase>(read_reply(to_message(Reply{Phase{"timing cold", 2.5}})));
  EXPECT_EQ(got.name, "timing cold");
  EXPECT_EQ(got.expected_s, 2.5);
  EXPECT_FALSE(got.so_far);
}

TEST(Messages, GiveBackWhatAPhaseHasSoFar) {
  const fa2bench::Run run = test::cpu_report().workloads.front().runs.front();
  const std::string message = to_message(Reply{Phase{"replaying", 0.0, run}});
  const auto got = std::get<Phase>(read_reply(message));
  ASSERT_TRUE(got.so_far);
  EXPECT_EQ(to_message(Reply{Ran{*got.so_far, false}}), to_message(Reply{Ran{run, false}}));
}

TEST(Messages, GiveBackALostDevice) {
  fa2bench::Run run;
  run.status = Status::failed;
  run.reason = "an illegal address";
  const auto got = std::get<Ran>(read_reply(to_message(Reply{Ran{run, true}})));
  EXPECT_TRUE(got.device_lost);
  EXPECT_EQ(got.run.status, Status::failed);
  EXPECT_EQ(got.run.reason, "an illegal address");
}

TEST(Messages, ReadAndWrittenAgainAreTheSameBytes) {
  for (const std::string& text : sample_requests()) {
    EXPECT_EQ(to_message(read_request(text)), text);
  }
  for (const std::string& text : sample_replies()) {
    EXPECT_EQ(to_message(read_reply(text)), text);
  }
}

// Else the whole message could not be read.
TEST(Messages, CarryAPathThatIsNotUtf8Replaced) {
  const Open sent{"cpu", {"caf\xE9.so"}, 0, false};
  const auto got = std::get<Open>(read_request(to_message(Request{sent})));
  EXPECT_EQ(got.shims, std::vector<std::string>{"caf\xEF\xBF\xBD.so"});
}

TEST(Messages, CarryTheTextOfAShimEscaped) {
  const auto got = std::get<Refused>(
      read_reply(to_message(Reply{Refused{ErrorKind::environment, "\x1B[31m\xFF\n"}})));
  EXPECT_EQ(got.text, "\\x1b[31m\\xff\\n");
}

TEST(Messages, ThatAreGarbageAreAUsageError) {
  const std::vector<std::string> garbage{"",
                                         " ",
                                         "{",
                                         "{}",
                                         "[]",
                                         "null",
                                         "7",
                                         "\"open\"",
                                         std::string("\0\0\0\0", 4),
                                         "\xFF\xFE{\0",
                                         "{\"type\": null}",
                                         "{\"type\": \"open\"}",
                                         "{\"type\": \"run\"}",
                                         "{\"type\": \"ran\"}",
                                         "{\"type\": \"opened\"}",
                                         "{\"type\": \"open\", \"type\": \"open\"}",
                                         std::string(100'000, '['),
                                         std::string(100'000, '{'),
                                         "{\"type\": \"" + std::string(1U << 20U, 'x') + "\"}"};
  for (const std::string& text : garbage) {
    EXPECT_NE(request_refusal(text), "") << text.substr(0, 40);
    EXPECT_NE(reply_refusal(text), "") << text.substr(0, 40);
  }
}

TEST(Messages, OfTheOtherSideAreRefused) {
  for (const std::string& text : sample_requests()) EXPECT_NE(reply_refusal(text), "");
  for (const std::string& text : sample_replies()) EXPECT_NE(request_refusal(text), "");
}

TEST(Messages, NameTheTypeThatIsWrong) {
  EXPECT_THAT(
      request_refusal(R"({"type": "opne"})"),
      AllOf(StartsWith("a worker's message:1: type: "), HasSubstr(R"(did you mean "open"?)")));
  EXPECT_THAT(reply_refusal(R"({"type": "phases"})"), HasSubstr(R"(did you mean "phase"?)"));
}

TEST(Messages, NameTheValueThatIsWrong) {
  EXPECT_THAT(
      request_refusal(
          R"({"type": "open", "device": 3, "shims": [], "index": 0, "measure_ceilings": false})"),
      HasSubstr("device: found 3; expected"));
  EXPECT_THAT(reply_refusal(R"({"type": "refused", "kind": 3, "text": ""})"),
              HasSubstr("kind: found 3; expected"));
  EXPECT_THAT(reply_refusal(R"({"type": "phase", "name": "", "expected_s": -1})"),
              HasSubstr("expected_s: found -1; expected"));
  EXPECT_THAT(reply_refusal(R"({"type": "ran", "run": {"shim": true}, "device_lost": false})"),
              HasSubstr("run.shim: found true; expected"));
}

TEST(Messages, RefuseARequestOfTwoWorkloads) {
  const std::string two =
      config_of(R"({"name": "a", "batch": "q1"}, {"name": "b", "batch": "q1"})");
  std::string quoted;
  for (const char c : two) {
    if (c == '"') quoted += '\\';
    if (c != '\n') quoted += c;
  }
  EXPECT_THAT(request_refusal(R"({"type": "run", "config": ")" + quoted + "\"}"),
              HasSubstr("a config of one workload"));
}

TEST(Messages, CutShortAnywhereAreAUsageError) {
  for (const std::string& text : sample_requests()) {
    for (std::size_t length = 0; length < text.size(); ++length) {
      EXPECT_NE(request_refusal(text.substr(0, length)), "") << length;
    }
  }
  const std::string ran = sample_replies().back();
  for (std::size_t length = 0; length < ran.size(); ++length) {
    EXPECT_NE(reply_refusal(ran.substr(0, length)), "") << length;
  }
}

// Whatever a byte becomes, the message is read or refused; refusal() fails on anything else.
TEST(Messages, WithOneOtherByteAreReadOrAUsageError) {
  const std::string others("\0\"9-\xFF]", 6);
  const auto with_other_bytes = [&](std::string text, auto&& read) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char right = text[i];
      text[i] = others[i % others.size()];
      (void)read(text);
      text[i] = right;
    }
  };
  for (const std::string& text : sample_requests()) with_other_bytes(text, request_refusal);
  for (const std::string& text : sample_replies()) with_other_bytes(text, reply_refusal);
}

}  // namespace
}  // namespace fa2bench
