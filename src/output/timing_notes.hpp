// SPDX-License-Identifier: MIT
// What a person should know of times before they are trusted: what held the device back, what the
// host does to them, and what an interval does not cover.
#pragma once

#include <string>

#include "result/report.hpp"

namespace fa2bench {

/// Whether the interval tells nothing of other places in memory: there were too few to tell.
bool is_of_samples_only(const Timing& timing);

/// One line for each finding, with the workloads and modes that show it, and one for each series of
/// mode sustained; "" if there is none, and of times under a profiler, which are not to be judged.
std::string timing_notes(const Report& report);

}  // namespace fa2bench
