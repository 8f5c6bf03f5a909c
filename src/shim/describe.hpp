// SPDX-License-Identifier: MIT
// The JSON text of ferrum_fa2_shim_describe as a value.
#pragma once

#include <filesystem>

#include "shim/shim.hpp"

namespace fa2bench {

/// Longest description that is read, in bytes.
inline constexpr std::size_t kMaxDescriptionBytes = std::size_t{64} << 10U;

/// Parses what `describe` returned; null is a fault. Every key is optional, unknown keys are
/// faults, keys that start with "_" are notes. Throws Error(environment) that names `shim` and the
/// JSON path.
[[nodiscard]] ShimDescription parse_description(const std::filesystem::path& shim,
                                                const char* described);

}  // namespace fa2bench
