// SPDX-License-Identifier: MIT
// Comma-separated values for spreadsheets and data frames.
#pragma once

#include <string>

#include "result/report.hpp"

namespace fa2bench {

/// By RFC 4180, CRLF included: a header, then a line for each workload, shim and mode. Units are in
/// the names of the columns, which are always the same; what is not known or does not apply is
/// empty.
std::string to_csv(const Report& report);

}  // namespace fa2bench
