// SPDX-License-Identifier: MIT
// What a person should know of how shims leave rows that see no key: whether they agree, and
// whether one leaves there what the memory held before.
#pragma once

#include <string>

#include "result/report.hpp"

namespace fa2bench {

/// One line for each difference between right shims and one for each warning, with the workloads
/// that show it; "" if there is none. None of it is an error.
std::string empty_row_notes(const Report& report);

}  // namespace fa2bench
