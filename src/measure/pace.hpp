// SPDX-License-Identifier: MIT
// Idling between samples. At full duty a long kernel runs into the device's power cap and its
// medians wander by 10 %; idling as long as it works keeps it below, and they repeat.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/units.hpp"

namespace fa2bench {

/// What is left to wait, `elapsed` after a stretch began in which the device was busy for `busy`,
/// until it was busy for no more than `duty` of the time.
inline Microseconds pause_left(Microseconds busy, Microseconds elapsed, double duty) {
  return std::max(Microseconds{}, busy / duty - elapsed);
}

/// Sleeps where a sleep can be that short, else keeps the core.
inline void pause_for(Microseconds time) {
  using Clock = std::chrono::steady_clock;
  constexpr Microseconds kShortestSleep{200.0};
  if (time >= kShortestSleep) {
    std::this_thread::sleep_for(time);
    return;
  }
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
  while (Clock::now() < end) {
  }
}

}  // namespace fa2bench
