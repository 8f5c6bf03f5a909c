// SPDX-License-Identifier: MIT
#include "worker/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "worker/process_support.hpp"

namespace fa2bench {
namespace {

using std::chrono::milliseconds;
using test::kPatience;
using test::Shell;
using test::Watched;
using testing::HasSubstr;

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator listing("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(listing), end(listing)));
}

/// A command in a session and group of its own, which tells its process id once it is there.
std::string escaped(const std::string& command) {
  return R"(setsid sh -c "printf 'fa2m\010\000\000\000%08d' \$\$ >&3; )" + command + "\"";
}

TEST(ChildProcess, EndsWithItsExitCode) {
  EXPECT_EQ(Shell("exit 0").ended(), "ended the process with exit code 0");
  EXPECT_EQ(Shell("exit 7").ended(), "ended the process with exit code 7");
  EXPECT_EQ(Shell("exit 255").ended(), "ended the process with exit code 255");
}

TEST(ChildProcess, EndsByASignalWithItsName) {
  EXPECT_EQ(Shell("kill -SEGV $$").ended(), "was killed by SIGSEGV (Segmentation fault)");
  EXPECT_EQ(Shell("kill -KILL $$").ended(), "was killed by SIGKILL (Killed)");
  EXPECT_EQ(Shell("kill -TERM $$").ended(), "was killed by SIGTERM (Terminated)");
  EXPECT_EQ(Shell("kill -FPE $$").ended(), "was killed by SIGFPE (Floating point exception)");
}

TEST(ChildProcess, NamesASignalWithoutAName) {
  EXPECT_THAT((Ending{true, SIGRTMIN + 1}.text()), HasSubstr("was killed by SIG"));
}

TEST(ChildProcess, KeepsItsEndingOverKills) {
  Shell child("exit 7");
  EXPECT_EQ(child.ended(), "ended the process with exit code 7");
  EXPECT_EQ(child.kill().text(), "ended the process with exit code 7");
  EXPECT_EQ(child.ended(), "ended the process with exit code 7");
}

TEST(ChildProcess, IsNotWaitedForLongerThanAsked) {
  Shell child("cat <&3");
  EXPECT_FALSE(child.wait(milliseconds(0)).has_value());
  EXPECT_FALSE(child.wait(milliseconds(5)).has_value());
  EXPECT_EQ(child.kill().text(), "was killed by SIGKILL (Killed)");
}

TEST(ChildProcess, ThatIgnoresSignalsIsKilled) {
  Shell child("trap '' TERM INT HUP QUIT; tell 1; while :; do :; done");
  EXPECT_EQ(child.told(), "00000001");
  EXPECT_EQ(child.kill().text(), "was killed by SIGKILL (Killed)");
}

TEST(ChildProcess, ThatCannotBeStartedIsAnEnvironmentError) {
  try {
    const ChildProcess child("/no/such/program", {});
    FAIL() << "started";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::environment);
    EXPECT_STREQ(error.what(),
                 "cannot start a worker: /no/such/program: No such file or directory");
  }
}

TEST(ChildProcess, TalksOverItsChannelBothWays) {
  Shell child("head -c 13 <&3 >&3; exit 4");
  ASSERT_TRUE(child.channel().send("ahoy!"));
  EXPECT_EQ(child.told(), "ahoy!");
  EXPECT_EQ(child.ended(), "ended the process with exit code 4");
  EXPECT_EQ(child.told(), "");
}

TEST(ChildProcess, SeesTheEndOfItsChannelThoughOthersWereStartedLater) {
  Shell child("cat <&3 >/dev/null; exit 9");
  const Shell later("cat <&3");
  child.channel() = Channel(Descriptor());
  EXPECT_EQ(child.ended(), "ended the process with exit code 9");
}

TEST(ChildProcess, ReadsNothingFromStdin) {
  EXPECT_EQ(Shell("cat; exit 5").ended(), "ended the process with exit code 5");
}

TEST(ChildProcess, HasTheEnvironment) {
  ::setenv("FA2BENCH_TEST_WORD", "over there", 1);
  EXPECT_EQ(Shell("test \"$FA2BENCH_TEST_WORD\" = 'over there'").ended(),
            "ended the process with exit code 0");
  ::unsetenv("FA2BENCH_TEST_WORD");
}

TEST(ChildProcess, StartsWithNoSignalBlockedOrIgnored) {
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  sigaddset(&blocked, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const auto old_action = std::signal(SIGPIPE, SIG_IGN);
  Shell child("sed -n 's/Sig[BI][lg][kn]:.*\\(.\\{8\\}\\)$/\\1/p' /proc/self/status");
  std::signal(SIGPIPE, old_action);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(child.ended(), "ended the process with exit code 0");
  child.kill();
  // Two lines of 32 signals; the 32nd, which is the C library's own, is not ours to judge.
  const std::string shown = child.output();
  ASSERT_EQ(shown.size(), 18U) << shown;
  EXPECT_EQ(std::stoul(shown.substr(0, 8), nullptr, 16), 0U) << shown;
  EXPECT_EQ(std::stoul(shown.substr(9), nullptr, 16) & 0x7FFFFFFFU, 0U) << shown;
}

TEST(ChildProcess, LeadsAGroupOfItsOwn) {
  const Shell child("cat <&3");
  EXPECT_EQ(::getpgid(child.pid()), child.pid());
}

TEST(ChildProcess, IsKilledWithWhatItStarted) {
  Shell child("sleep 600 & tell $!; wait");
  const Watched grandchild(child.told_pid());
  child.kill();
  EXPECT_TRUE(grandchild.is_over(kPatience));
}

TEST(ChildProcess, CanBeKilledBeforeItIsWaitedFor) {
  Shell child("sleep 600 & tell $!; wait");
  const Watched grandchild(child.told_pid());
  const Watched leader(child.pid());
  child.begin_kill();
  EXPECT_TRUE(leader.is_over(kPatience));
  EXPECT_TRUE(grandchild.is_over(kPatience));
  EXPECT_EQ(child.kill().text(), "was killed by SIGKILL (Killed)");
}

TEST(ChildProcess, ThatEndedIsFollowedByWhatItStarted) {
  Shell child("sleep 600 & tell $!; exit 3");
  const Watched grandchild(child.told_pid());
  EXPECT_EQ(child.ended(), "ended the process with exit code 3");
  EXPECT_FALSE(grandchild.is_over(milliseconds(0)));
  EXPECT_EQ(child.kill().text(), "ended the process with exit code 3");
  EXPECT_TRUE(grandchild.is_over(kPatience));
}

TEST(ChildProcess, IsDestroyedThoughAGrandchildHoldsItsPipes) {
  std::optional<Watched> grandchild;
  {
    Shell child(escaped("exec sleep 600") + " & exit 3");
    grandchild.emplace(child.told_pid());
    EXPECT_EQ(child.ended(), "ended the process with exit code 3");
  }
  EXPECT_FALSE(grandchild->is_over(milliseconds(0)));  // it has a group of its own
  grandchild->kill();
}

TEST(ChildProcess, IsDestroyedThoughAGrandchildPrintsWithoutEnd) {
  std::optional<Watched> grandchild;
  {
    Shell child(escaped("exec yes") + " & exit 3");
    grandchild.emplace(child.told_pid());
    EXPECT_EQ(child.ended(), "ended the process with exit code 3");
  }
  EXPECT_TRUE(grandchild->is_over(kPatience));  // nobody reads what it prints
}

TEST(ChildProcess, LeavesNoDescriptorOpen) {
  const std::size_t before = open_descriptors();
  for (int i = 0; i < 200; ++i) {
    Shell child(i % 2 == 0 ? "exit 0" : "cat <&3");
    if (i % 4 == 0) child.wait(kPatience);
  }
  for (int i = 0; i < 20; ++i) EXPECT_THROW(ChildProcess("/no/such/program", {}), Error);
  EXPECT_EQ(open_descriptors(), before);
}

// A tool that was started without them has low numbers for its own sockets.
TEST(ChildProcess, StartsThoughLowDescriptorsAreFree) {
  const int stdin_copy = ::dup(STDIN_FILENO);
  ::close(STDIN_FILENO);
  {
    Shell child("tell 1; cat");
    EXPECT_EQ(child.told(), "00000001");
    EXPECT_EQ(child.ended(), "ended the process with exit code 0");
  }
  ::dup2(stdin_copy, STDIN_FILENO);
  ::close(stdin_copy);
}

}  // namespace
}  // namespace fa2bench
