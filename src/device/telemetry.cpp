// SPDX-License-Identifier: MIT
#include "device/telemetry.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace fa2bench {

double busy_load(int logical_cpus) { return std::max(0.5, logical_cpus / 20.0); }

bool is_power_or_heat(const std::string& reason) {
  constexpr std::array<std::string_view, 5> kPowerOrHeat{
      "sw_power_cap", "hw_slowdown", "sw_thermal", "hw_thermal", "hw_power_brake"};
  return std::find(kPowerOrHeat.begin(), kPowerOrHeat.end(), reason) != kPowerOrHeat.end();
}

bool is_throttled(const Telemetry& telemetry) {
  return telemetry.throttle_reasons &&
         std::any_of(telemetry.throttle_reasons->begin(), telemetry.throttle_reasons->end(),
                     is_power_or_heat);
}

}  // namespace fa2bench
