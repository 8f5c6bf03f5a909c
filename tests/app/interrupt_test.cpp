// SPDX-License-Identifier: MIT
#include "app/interrupt.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <latch>
#include <stop_token>

namespace fa2bench {
namespace {

/// Sends the signal to the process, as a terminal does, and waits until the token says stop.
void signal_and_wait(const InterruptWatch& watch, int signal) {
  std::latch asked(1);
  const std::stop_callback callback(watch.token(), [&asked] { asked.count_down(); });
  ::kill(::getpid(), signal);
  asked.wait();
}

TEST(InterruptWatch, AsksForNothingUntilASignalComes) {
  const InterruptWatch watch;
  EXPECT_FALSE(watch.token().stop_requested());
  EXPECT_EQ(watch.signal(), 0);
}

TEST(InterruptWatch, TurnsSigtermIntoAStopRequest) {
  const InterruptWatch watch;
  signal_and_wait(watch, SIGTERM);
  EXPECT_TRUE(watch.token().stop_requested());
  EXPECT_EQ(watch.signal(), SIGTERM);
}

TEST(InterruptWatch, TurnsSigintIntoAStopRequest) {
  const InterruptWatch watch;
  signal_and_wait(watch, SIGINT);
  EXPECT_EQ(watch.signal(), SIGINT);
}

TEST(InterruptWatch, TurnsSighupIntoAStopRequest) {
  const InterruptWatch watch;
  signal_and_wait(watch, SIGHUP);
  EXPECT_EQ(watch.signal(), SIGHUP);
}

TEST(InterruptWatch, LeavesSighupAloneWhereItIsIgnored) {
  std::signal(SIGHUP, SIG_IGN);
  {
    const InterruptWatch watch;
    sigset_t blocked{};
    ::pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    EXPECT_EQ(sigismember(&blocked, SIGHUP), 0);
    EXPECT_EQ(sigismember(&blocked, SIGTERM), 1);
  }
  std::signal(SIGHUP, SIG_DFL);
}

TEST(InterruptWatch, UnblocksTheSignalsWhenItGoes) {
  { const InterruptWatch watch; }
  sigset_t blocked{};
  ::pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  EXPECT_EQ(sigismember(&blocked, SIGINT), 0);
  EXPECT_EQ(sigismember(&blocked, SIGTERM), 0);
}

[[noreturn]] void wait_forever() {
  while (true) ::pause();
}

TEST(InterruptWatchDeathTest, EndsTheProcessAtTheSecondSignal) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const InterruptWatch watch;
        signal_and_wait(watch, SIGINT);
        ::kill(::getpid(), SIGTERM);
        wait_forever();
      },
      testing::ExitedWithCode(128 + SIGINT), "");
}

TEST(InterruptWatchDeathTest, EndsAProcessThatDoesNotStop) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const InterruptWatch watch;
        signal_and_wait(watch, SIGTERM);
        wait_forever();
      },
      testing::ExitedWithCode(128 + SIGTERM), "");
}

}  // namespace
}  // namespace fa2bench
