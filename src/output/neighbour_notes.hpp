// SPDX-License-Identifier: MIT
// What a person should know of others on the device, or of what else moves its speed: times may be
// their work too.
#pragma once

#include <string>

#include "result/report.hpp"

namespace fa2bench {

/// One line for each moment at which others were seen, or work that is not ours; of a CPU the load
/// before the run, and who changes its frequency. "" if there was none, or nothing is known.
std::string neighbour_notes(const Report& report);

}  // namespace fa2bench
