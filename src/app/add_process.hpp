// SPDX-License-Identifier: MIT
// What several processes found of one shim on one workload, as one run.
#pragma once

#include "result/report.hpp"

namespace fa2bench {

/// Adds what a further process found, `number` from 1, to that of those before, which were ok. If
/// it is not ok, neither is the whole, and says in which process. Samples of a mode are joined; one
/// that was timed in some processes only is untimed. The derived fields of timings are left to the
/// caller (make_timing).
void add_process(Run& all, Run more, int number, const SamplingLimits& limits);

}  // namespace fa2bench
