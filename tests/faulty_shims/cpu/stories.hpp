// SPDX-License-Identifier: MIT
// The stories of the CPU shim's own faults.
#pragma once

#include <vector>

#include "fault.hpp"

namespace fa2bench::faulty {

std::vector<Fault> numeric_faults();  ///< wrong in the same way at every call
std::vector<Fault> history_faults();  ///< right or wrong by what was called before
std::vector<Fault> memory_faults();   ///< writes, or leaves unwritten, what it should not

}  // namespace fa2bench::faulty
