// SPDX-License-Identifier: MIT
// A worker never outlives the session, however the session ends.
#include <gtest/gtest.h>

#include <csignal>
#include <sstream>
#include <string>

#include "worker/process_support.hpp"

namespace fa2bench {
namespace {

using test::kPatience;
using test::Watched;

struct Told {
  pid_t child = -1;
  pid_t grandchild = -1;
};

Told told_by(ChildProcess& process) {
  std::string text;
  EXPECT_EQ(process.channel().receive(text, Channel::Clock::now() + kPatience), Received::message);
  Told told;
  std::istringstream(text) >> told.child >> told.grandchild;
  return told;
}

/// A process, its child which asked to die with it, and what that child started.
class Family {
 public:
  Family()
      : parent_(FA2BENCH_WORKER_HELPER, {"parent"}),
        told_(told_by(parent_)),
        child_(told_.child),
        grandchild_(told_.grandchild) {}

  void end_parent(int signal) {
    ::kill(parent_.pid(), signal);  // it alone, not its group
    EXPECT_TRUE(parent_.wait(kPatience).has_value());
  }
  [[nodiscard]] bool is_over(std::chrono::milliseconds patience) const {
    return child_.is_over(patience) && grandchild_.is_over(patience);
  }

 private:
  ChildProcess parent_;
  Told told_;
  Watched child_;
  Watched grandchild_;
};

TEST(DieWithParent, EndsTheChildOfAParentThatDiesAndWhatTheChildStarted) {
  for (const int signal : {SIGKILL, SIGTERM, SIGSEGV}) {
    Family family;
    EXPECT_FALSE(family.is_over(std::chrono::milliseconds(0)));
    family.end_parent(signal);
    EXPECT_TRUE(family.is_over(kPatience)) << signal;
  }
}

TEST(DieWithParent, LeavesTheChildOfALivingParentAlone) {
  ChildProcess child(FA2BENCH_WORKER_HELPER, {"child"});
  const Told told = told_by(child);
  EXPECT_EQ(told.child, child.pid());
  EXPECT_FALSE(child.wait(std::chrono::milliseconds(0)).has_value());
  EXPECT_FALSE(Watched(told.grandchild).is_over(std::chrono::milliseconds(0)));
}

// The parent must learn of the child's end though a second process stands by.
TEST(DieWithParent, KeepsNoEndOfTheChannelOpen) {
  ChildProcess child(FA2BENCH_WORKER_HELPER, {"child"});
  const Told told = told_by(child);
  ::kill(told.grandchild, SIGKILL);
  ::kill(told.child, SIGKILL);
  std::string text;
  EXPECT_EQ(child.channel().receive(text, Channel::Clock::now() + kPatience), Received::closed);
  EXPECT_EQ(child.output(), "");
}

}  // namespace
}  // namespace fa2bench
