// SPDX-License-Identifier: MIT
#include "app/launch_class.hpp"

#include <algorithm>
#include <utility>

namespace fa2bench {

void LaunchClass::saw(std::optional<double> launch_us) {
  if (launch_us) quickest_us_ = std::min(*launch_us, quickest_us_.value_or(*launch_us));
}

std::optional<double> LaunchClass::bound_us() const {
  return quickest_us_ ? std::optional(*quickest_us_ + kLaunchMarginUs) : std::nullopt;
}

bool LaunchClass::first_use() { return !std::exchange(used_, true); }

void start_quick(LaunchClass& known,
                 const std::function<StartedProcess(std::optional<double> most_launch_us)>& start) {
  const auto is_over = [&](std::optional<double> most_launch_us) {
    const StartedProcess started = start(most_launch_us);
    known.saw(started.launch_us);
    return started.over;
  };
  constexpr double kOnlyLook = 0.0;
  if (known.first_use()) {
    for (int i = 0; i < kLaunchLooks; ++i) {
      if (is_over(kOnlyLook)) return;
      if (!known.bound_us()) break;  // nothing to be known here
    }
  }
  for (int i = 1; i < kLaunchTries && known.bound_us(); ++i) {
    if (is_over(known.bound_us())) return;
  }
  (void)is_over(std::nullopt);
}

}  // namespace fa2bench
