// SPDX-License-Identifier: MIT
// JUnit XML, the form in which CI systems show tests: a suite for each shim, a test case for each
// workload and mode. Nothing that is not shown to be good is a pass.
#pragma once

#include <string>

#include "result/report.hpp"

namespace fa2bench {

/// wrong, slower and inconclusive are failures of that type; failed, crashed and timeout are
/// errors; unsupported, does_not_fit and not_run are skipped. `time` is in seconds of sampling.
std::string to_junit(const Report& report);

}  // namespace fa2bench
