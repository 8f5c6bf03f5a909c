// SPDX-License-Identifier: MIT
// The demands on a workload and what misses them, as a result's JSON has them.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "base/json_document.hpp"
#include "result/report.hpp"

namespace fa2bench {

/// {"cold_us_max": 120.0}; null without demands.
nlohmann::ordered_json gates_json(const std::vector<Gate>& gates);
/// One for each shim and demand that is not met.
nlohmann::ordered_json missed_json(const Report& report, const WorkloadResult& result);
/// The demands of a result's workload; none where an older build wrote it. What misses them is
/// found again, not read.
std::vector<Gate> read_gates(const JsonReader& workload);

}  // namespace fa2bench
