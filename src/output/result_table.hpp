// SPDX-License-Identifier: MIT
// The report as a table for people.
#pragma once

#include <string>

#include "result/report.hpp"

namespace fa2bench {

/// Device line, one row for each run and mode, then the reasons that runs give and the
/// demands that are not met, then the notes on
/// others on the device, on empty rows, on other bits and on the times. With `color`, statuses
/// other than ok stand out.
std::string result_table(const Report& report, bool color);

/// The notes alone, one a line.
std::string notes_of(const Report& report);

}  // namespace fa2bench
