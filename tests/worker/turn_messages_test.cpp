// SPDX-License-Identifier: MIT
// What travels between the session and workers that take turns.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "result/sample_report.hpp"
#include "worker/messages.hpp"
#include "workload/config_text.hpp"

namespace fa2bench {
namespace {

template <typename T>
T sent(const T& request) {
  const std::string text = to_message(Request{request});
  const Request read = read_request(text);
  EXPECT_EQ(to_message(read), text);
  return std::get<T>(read);
}

template <typename T>
T replied(const T& reply) {
  const std::string text = to_message(Reply{reply});
  const Reply read = read_reply(text);
  EXPECT_EQ(to_message(read), text);
  return std::get<T>(read);
}

TEST(TurnMessages, GiveBackATurn) {
  const Turn turn = sent(Turn{7, 12, 3, Seconds(0.25), {18446744073709551615ULL, 0}});
  EXPECT_EQ(turn.placement, 7U);
  EXPECT_EQ(turn.samples, 12U);
  EXPECT_EQ(turn.warm_up_calls, 3U);
  EXPECT_EQ(turn.at_most.count(), 0.25);
  EXPECT_EQ(turn.filled, (std::vector<std::uint64_t>{18446744073709551615ULL, 0}));
}

TEST(TurnMessages, GiveBackWhyTurnsAreOver) {
  for (const Stop stop : {Stop::time_limit, Stop::decided, Stop::interrupted, Stop::max_samples}) {
    EXPECT_EQ(sent(TurnsOver{stop}).stop, stop);
  }
}

TEST(TurnMessages, GiveBackWhatATurnTook) {
  Took took;
  took.mode = Mode::graph_warm;
  took.device_us = {1.5, 2.25};
  took.host_us = {0.5, 0.125};
  took.kind = {CacheState::rotated, 32, true};
  took.host_blocking = true;
  took.around = Seconds(0.5);
  took.sampling = Seconds(0.75);
  took.filled = {3};
  const Took got = replied(took);
  EXPECT_EQ(got.mode, Mode::graph_warm);
  EXPECT_EQ(got.device_us, took.device_us);
  EXPECT_EQ(got.host_us, took.host_us);
  EXPECT_EQ(got.kind, took.kind);
  EXPECT_TRUE(got.host_blocking);
  EXPECT_EQ(got.around.count(), 0.5);
  EXPECT_EQ(got.sampling.count(), 0.75);
  EXPECT_EQ(got.filled, took.filled);
}

TEST(TurnMessages, GiveBackARequestInTurnsWithOutputs) {
  RunRequest request;
  request.workload = read_one(R"({"name": "a", "batch": "q1"})");
  EXPECT_FALSE(sent(request).in_turns);
  EXPECT_FALSE(sent(request).outputs);
  request.in_turns = true;
  request.outputs = OutputFile{"/proc/1/fd/5", true};
  const RunRequest got = sent(request);
  EXPECT_TRUE(got.in_turns);
  ASSERT_TRUE(got.outputs);
  EXPECT_EQ(got.outputs->path, "/proc/1/fd/5");
  EXPECT_TRUE(got.outputs->write);
}

TEST(TurnMessages, GiveBackADifference) {
  Ran ran;
  ran.run = test::cpu_report().workloads.front().runs.front();
  EXPECT_FALSE(replied(ran).difference);
  OutputDifference& difference = ran.difference.emplace();
  difference.same_lse = true;
  difference.largest_out = 0.0625;
  difference.same_empty_rows = false;
  difference.obstacle = "could not be read";
  const Ran got = replied(ran);
  ASSERT_TRUE(got.difference);
  EXPECT_FALSE(got.difference->same_out);
  EXPECT_TRUE(got.difference->same_lse);
  EXPECT_EQ(got.difference->largest_out, 0.0625);
  EXPECT_EQ(got.difference->largest_lse, 0.0);
  EXPECT_FALSE(got.difference->same_empty_rows);
  EXPECT_EQ(got.difference->obstacle, "could not be read");
}

}  // namespace
}  // namespace fa2bench
