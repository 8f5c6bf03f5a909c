// SPDX-License-Identifier: MIT
// The report as JSON, "ferrum-fa2-bench/result/v1" (result.schema.json).
#pragma once

#include <string>

#include "result/report.hpp"

namespace fa2bench {

inline constexpr const char* kResultSchema = "ferrum-fa2-bench/result/v1";

/// Strict JSON, newline at the end: null for what is not finite or not known, units in the key
/// names, text that is not UTF-8 escaped, the same in every locale.
std::string report_json(const Report& report);

}  // namespace fa2bench
