// SPDX-License-Identifier: MIT
// From "ferrum-fa2-bench/result/v1" JSON back to a report, and of its parts. The inverse of
// report_json.hpp; keys that are not known are left alone, as a later version may add some.
#pragma once

#include "base/json_document.hpp"
#include "result/report.hpp"

namespace fa2bench {

/// A workload at default settings has 30,000 samples and as many values: this is enough for five
/// hundred of them. Reading so large a file takes 2 GB.
inline constexpr JsonBounds kResultBounds{std::uint64_t{256} << 20U, std::uint64_t{16} << 20U};

/// Each throws Error(usage) with file, line and path for what is not as report_json writes it.
/// Of workloads come back: name, id, heads, pages, layout and seed, and the plan's sizes and costs;
/// not their lengths, which a result does not have.
Report read_report(const JsonDocument& document);
DeviceFacts read_device(const JsonReader& place);
Ceilings read_ceilings(const JsonReader& place);
ShimRecord read_shim(const JsonReader& place);
Run read_run(const JsonReader& place);
Telemetry read_telemetry(const JsonReader& place);
/// The member "telemetry"; nothing is known where results of older builds lack it.
RunTelemetry read_run_telemetry(const JsonReader& parent);
Timing read_timing(const JsonReader& place);
SamplingLimits read_limits(const JsonReader& place);

}  // namespace fa2bench
