// SPDX-License-Identifier: MIT
// Which kernels a call launches, as a table for people.
#pragma once

#include <string>

#include "result/report.hpp"

namespace fa2bench {

/// One row for each launch of each run, and one for the whole call where it has several; then why
/// runs have none. "" if no run was to be traced.
std::string kernel_table(const Report& report);

}  // namespace fa2bench
