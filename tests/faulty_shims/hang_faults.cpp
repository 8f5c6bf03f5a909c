// SPDX-License-Identifier: MIT
// The host's side of a call does not come back, or late. A fault that hangs the device is in cuda/.
#include <pthread.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "fault.hpp"

namespace fa2bench::faulty {
namespace {

using Clock = std::chrono::steady_clock;

void spin_until(Clock::time_point end) {
  while (Clock::now() < end) {
  }
}

void spin() { spin_until(Clock::time_point::max()); }

/// Blocks and uses no CPU, unlike spin. A plain pthread mutex, since std::mutex promises nothing.
void lock_twice() {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  ::pthread_mutex_lock(&mutex);
  ::pthread_mutex_lock(&mutex);
}

void ignore_signals_and_spin() {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGALRM}) {
    std::signal(signal, SIG_IGN);
  }
  spin();
}

void sleep_300_ms() { std::this_thread::sleep_for(std::chrono::milliseconds(300)); }

void spin_200_us() { spin_until(Clock::now() + std::chrono::microseconds(200)); }

}  // namespace

std::vector<Fault> hang_faults() {
  return {
      before_call("spin_on_call_20", 20, spin),
      before_call("host_deadlock", 1, lock_twice),
      before_call("ignore_sigterm_and_spin", 1, ignore_signals_and_spin),
      before_call("slow_first", 1, sleep_300_ms),
      before("slow_host", spin_200_us),
  };
}

}  // namespace fa2bench::faulty
