// SPDX-License-Identifier: MIT
// What a person should know of right shims whose results are not always the same bits, or that
// cannot be replayed from a graph.
#pragma once

#include <string>

#include "result/report.hpp"

namespace fa2bench {

/// One line for each finding and shim, with the workloads that show it; "" if there is none. None
/// of it is an error.
std::string constancy_notes(const Report& report);

}  // namespace fa2bench
