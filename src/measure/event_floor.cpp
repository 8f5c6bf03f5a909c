// SPDX-License-Identifier: MIT
#include "measure/event_floor.hpp"

#include <algorithm>

#include "stats/summary.hpp"

namespace fa2bench {

std::vector<double> times_of(Device& device, const std::function<void()>& enqueue, bool gated,
                             std::size_t count) {
  const auto call = [&enqueue] {
    enqueue();
    return 0;
  };
  (void)device.time_call(call);
  std::vector<double> times;
  times.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const CallTime time = gated ? device.time_gated_call(call) : device.time_call(call);
    if (time.blocked) return times_of(device, enqueue, false, count);
    times.push_back(time.device.count());
  }
  return times;
}

Microseconds measure_event_floor(Device& device, bool gated) {
  constexpr std::size_t kCalls = 30;
  std::vector<double> times = times_of(
      device, [&device] { device.enqueue_nothing(); }, gated, kCalls);
  std::sort(times.begin(), times.end());
  return Microseconds(quantile(times, 0.5));
}

}  // namespace fa2bench
