// SPDX-License-Identifier: MIT
#include "app/interrupt.hpp"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>

namespace fa2bench {

InterruptWatch::InterruptWatch() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  struct sigaction hang_up {};
  sigaction(SIGHUP, nullptr, &hang_up);
  if (hang_up.sa_handler != SIG_IGN) sigaddset(&signals_, SIGHUP);  // nohup means to go on
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  thread_ = std::jthread([this](const std::stop_token& over) { watch(over); });
}

InterruptWatch::~InterruptWatch() {
  thread_.request_stop();
  thread_.join();
  pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
}

void InterruptWatch::watch(const std::stop_token& over) {
  constexpr int kGraceTicks = 20;
  const timespec tick{0, 100'000'000};
  int ticks_since_signal = 0;
  while (!over.stop_requested()) {
    const int received = sigtimedwait(&signals_, nullptr, &tick);
    if (received > 0 && signal_ == 0) {
      signal_ = received;
      stop_.request_stop();
    } else if (signal_ != 0 && (received > 0 || ++ticks_since_signal >= kGraceTicks)) {
      ::_exit(128 + signal_);
    }
  }
}

}  // namespace fa2bench
