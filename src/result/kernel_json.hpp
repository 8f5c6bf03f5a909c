// SPDX-License-Identifier: MIT
// The kernels of a run, as its member "kernels" has them and back.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "base/json_document.hpp"
#include "result/kernel_report.hpp"

namespace fa2bench {

/// null for none.
nlohmann::ordered_json kernel_json(const std::optional<KernelReport>& report);
/// Of the run; none for null, and for a run of a build that did not trace.
std::optional<KernelReport> read_kernels(const JsonReader& run);

}  // namespace fa2bench
