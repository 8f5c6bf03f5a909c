// SPDX-License-Identifier: MIT
#include "device/telemetry.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace fa2bench {

bool is_throttled(const Telemetry& telemetry) {
  constexpr std::array<std::string_view, 5> kPowerOrHeat{
      "sw_power_cap", "hw_slowdown", "sw_thermal", "hw_thermal", "hw_power_brake"};
  if (!telemetry.throttle_reasons) return false;
  return std::any_of(telemetry.throttle_reasons->begin(), telemetry.throttle_reasons->end(),
                     [&](const std::string& reason) {
                       return std::find(kPowerOrHeat.begin(), kPowerOrHeat.end(), reason) !=
                              kPowerOrHeat.end();
                     });
}

}  // namespace fa2bench
