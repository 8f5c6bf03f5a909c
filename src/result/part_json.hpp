// SPDX-License-Identifier: MIT
// The parts of a result's JSON, for the result itself and for a worker's messages.
#pragma once

#include <nlohmann/json.hpp>

#include "result/report.hpp"

namespace fa2bench {

nlohmann::ordered_json device_json(const DeviceFacts& device);
nlohmann::ordered_json ceilings_json(const Ceilings& ceilings);
nlohmann::ordered_json shim_json(const ShimRecord& shim);
nlohmann::ordered_json telemetry_json(const Telemetry& telemetry);
nlohmann::ordered_json run_telemetry_json(const RunTelemetry& telemetry);
/// `kind` decides between the keys gpu_us and cpu_us.
nlohmann::ordered_json run_json(const Run& run, DeviceKind kind);
nlohmann::ordered_json timing_json(const Timing& timing, DeviceKind kind);
nlohmann::ordered_json limits_json(const SamplingLimits& limits);

}  // namespace fa2bench
