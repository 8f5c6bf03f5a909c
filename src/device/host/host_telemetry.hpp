// SPDX-License-Identifier: MIT
// What Linux says of a CPU at one moment: how fast it runs and what else there is to do.
#pragma once

#include <filesystem>
#include <string>

#include "device/telemetry.hpp"

namespace fa2bench {

/// The CPU that this thread is on: the one that has just worked. `root` is where /proc and /sys
/// are.
Telemetry host_telemetry(const std::filesystem::path& root = "/");
/// The same of the CPU with this number.
Telemetry host_telemetry(const std::filesystem::path& root, int cpu);

/// Who chooses the frequency: "performance", "powersave", …; "" if not known.
std::string cpu_governor(const std::filesystem::path& root = "/");

}  // namespace fa2bench
