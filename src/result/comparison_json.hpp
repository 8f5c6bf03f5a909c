// SPDX-License-Identifier: MIT
// A comparison as the member "comparison" of a result has it, as a file of its own, and back.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/json_document.hpp"
#include "result/comparison.hpp"

namespace fa2bench {

inline constexpr const char* kComparisonSchema = "ferrum-fa2-bench/comparison/v1";

/// null for none.
nlohmann::ordered_json comparison_json(const std::optional<ComparisonReport>& report);
/// Of two result files: the same with its schema's name, as text.
std::string comparison_file(const ComparisonReport& report);

/// The member "comparison" of `parent`; none for null, and in a result of a build that did not
/// compare. Throws Error(usage) with file, line and path.
std::optional<ComparisonReport> read_comparison(const JsonReader& parent);
/// What comparison_file() wrote.
ComparisonReport read_comparison_file(const JsonDocument& document);

}  // namespace fa2bench
