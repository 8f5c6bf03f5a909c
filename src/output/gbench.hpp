// SPDX-License-Identifier: MIT
// Google Benchmark's JSON, which its tools/compare.py and the usual CI actions read.
//
// A timing becomes one entry for each independent value of its (measure/blocks.hpp: the centre of a
// process where there were three or more), all under one name as repetitions are, so that
// compare.py's U test counts what is independent; and one aggregate, NAME_median, with the
// published median, for readers that want one figure. What has no time is an entry with
// error_occurred, or skipped, under a name of its own, "NAME/wrong": under NAME its time of 0 would
// read as 100 % faster.
//
// Format: google/benchmark, docs/user_guide.md and src/json_reporter.cc; schema version 1.
#pragma once

#include <string>

#include "result/report.hpp"

namespace fa2bench {

/// Names are "workload/mode", with the shim before them, "shim/workload/mode", if there are
/// several. real_time is the device's time of one call in µs, cpu_time the host's until the call
/// returned.
std::string to_gbench(const Report& report);

}  // namespace fa2bench
