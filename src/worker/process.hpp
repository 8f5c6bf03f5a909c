// SPDX-License-Identifier: MIT
// A child process of our own program: started by exec, heard on stderr, ended with all its
// children.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "worker/channel.hpp"

namespace fa2bench {

/// How a child ended.
struct Ending {
  bool by_signal = false;
  int code = 0;  ///< exit code, or the signal
  /// "ended the process with exit code 1", "was killed by SIGSEGV (Segmentation fault)".
  [[nodiscard]] std::string text() const;
};

/// What a child printed last is kept; the rest is dropped.
inline constexpr std::size_t kKeptOutputBytes = 64U << 10U;
/// The child's end of the socket pair.
inline constexpr int kWorkerSocket = 3;
/// Exit code of a worker that finds its socket gone while the session lives: its shim has closed
/// it. None of ExitCode, and none that shells and sanitizers give.
inline constexpr int kSocketLostExit = 113;

/// Started with fork and exec, in a process group of its own: no state of this process but the
/// environment goes over. stdin is /dev/null; stdout and stderr are both kept as its output, so
/// that a library that prints cannot spoil ours. The child is killed when this process dies (its
/// own die_with_parent()).
class ChildProcess {
 public:
  /// Throws Error(environment) if the program cannot be started.
  ChildProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments);
  /// Kills the whole group and waits.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] Channel& channel() { return *channel_; }

  /// Closes the channel, which tells a worker that nobody asks any more.
  void hang_up() { channel_.reset(); }
  /// Waits up to `patience` for the child to end by itself.
  std::optional<Ending> wait(std::chrono::milliseconds patience);
  /// SIGKILL to the child and everything in its group, without a wait: of many, none must wait for
  /// what the others' ends take.
  void begin_kill() const;
  /// The same, and waits. output() is then whole.
  Ending kill();
  /// The last kKeptOutputBytes that it printed and that were read so far.
  [[nodiscard]] std::string output() const;

 private:
  void read_output();

  pid_t pid_ = -1;
  std::optional<Channel> channel_;
  std::optional<Ending> ending_;
  Descriptor output_pipe_;
  Descriptor output_stop_;  ///< closing it ends the reader
  Descriptor output_wake_;
  mutable std::mutex mutex_;
  std::string output_;
  std::thread reader_;
};

}  // namespace fa2bench
