// SPDX-License-Identifier: MIT
// SIGINT and SIGTERM as a stop request.
#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace fa2bench {

/// Waits for the signals in a thread of its own; make it before any other thread, since threads
/// inherit the blocked signals. The first signal asks to stop. If the process is still there two
/// seconds later, or at the second signal, it ends at once with 128 + signal: results are written
/// whole after every workload, so nothing finished is lost.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
  /// The signal that came, or 0.
  [[nodiscard]] int signal() const { return signal_; }

 private:
  void watch(const std::stop_token& over);

  std::stop_source stop_;
  std::atomic<int> signal_{0};
  sigset_t signals_{};
  std::jthread thread_;  // last: it uses the others
};

}  // namespace fa2bench
