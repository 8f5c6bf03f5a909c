// SPDX-License-Identifier: MIT
// Config v1: JSON → workloads, every key checked. The one place that knows the format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/json_document.hpp"
#include "workload/workload.hpp"

namespace fa2bench {

inline constexpr const char* kConfigSchema = "ferrum-fa2-bench/config/v1";

/// Workloads of one document, sweeps expanded, in file order. Throws Error(usage) that names file,
/// line and path. `seed` replaces every seed of the file.
std::vector<Workload> read_config(const JsonDocument& document,
                                  std::optional<std::uint64_t> seed = std::nullopt);

}  // namespace fa2bench
