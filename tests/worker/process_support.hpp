// SPDX-License-Identifier: MIT
// Children that are shell scripts, and other processes that are watched without being children.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>

#include "worker/process.hpp"

namespace fa2bench::test {

/// For what happens in any case; a test that waits in vain fails after it.
inline constexpr std::chrono::seconds kPatience{60};

/// A shell that runs `script`; `tell` in it sends a text of 8 bytes to the channel.
class Shell : public ChildProcess {
 public:
  explicit Shell(const std::string& script)
      : ChildProcess(
            "/bin/sh",
            {"-c", R"(tell() { printf 'fa2m\010\000\000\000%08d' "$1" >&3; }; )" + script}) {}

  /// What it told next; "" if it told nothing.
  std::string told() {
    std::string text;
    const auto deadline = Channel::Clock::now() + kPatience;
    return channel().receive(text, deadline) == Received::message ? text : "";
  }
  pid_t told_pid() { return static_cast<pid_t>(std::strtol(told().c_str(), nullptr, 10)); }

  /// How it ended by itself, as text.
  std::string ended() {
    const auto ending = wait(kPatience);
    return ending ? ending->text() : "did not end";
  }
};

/// A process that need not be our child, told from a later one of the same number.
class Watched {
 public:
  explicit Watched(pid_t pid)
      : pid_(pid), fd_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {
    EXPECT_GE(fd_.get(), 0) << "no process " << pid;
  }

  [[nodiscard]] bool is_over(std::chrono::milliseconds patience) const {
    pollfd waiting{fd_.get(), POLLIN, 0};
    return ::poll(&waiting, 1, static_cast<int>(patience.count())) == 1;
  }
  void kill() const { ::kill(pid_, SIGKILL); }

 private:
  pid_t pid_;
  Descriptor fd_;
};

}  // namespace fa2bench::test
