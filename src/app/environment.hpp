// SPDX-License-Identifier: MIT
// The machine and the time, for the report.
#pragma once

#include <string>

#include "result/report.hpp"

namespace fa2bench {

HostFacts host_environment();

/// Now in UTC: "2026-11-30T11:02:04Z".
std::string utc_now();
/// A time as it stands in a file name: "20261130T110204Z".
std::string compact_time(const std::string& utc);
/// "NVIDIA H200" → "nvidia-h200"; for file names.
std::string file_word(const std::string& text);

}  // namespace fa2bench
