// SPDX-License-Identifier: MIT
// What the session, which knows the device's ceilings, makes of a run.
#pragma once

#include <cstddef>

#include "result/report.hpp"

namespace fa2bench {

/// The run of shim `index` of the report on the workload of this result: rates of its times, what
/// cannot be true, and the status of a run none of whose modes has a time. One that is not ok keeps
/// no times. A shim without code for this device is noted in the report as one that cannot be
/// loaded, only that it shows later.
void judge_run(const WorkloadResult& result, std::size_t index, Run& run, Report& report);

}  // namespace fa2bench
