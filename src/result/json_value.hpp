// SPDX-License-Identifier: MIT
// Values as a result's JSON has them: null for what is not finite or not known.
#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/text.hpp"

namespace fa2bench {

/// null instead of NaN and infinity, which JSON does not have.
inline nlohmann::ordered_json finite(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}
inline nlohmann::ordered_json finite(std::optional<double> value) {
  return value ? finite(*value) : nlohmann::ordered_json(nullptr);
}
inline nlohmann::ordered_json int_or_null(std::optional<std::int32_t> value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}
inline nlohmann::ordered_json bool_or_null(std::optional<bool> value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}
inline nlohmann::ordered_json text_or_null(const std::string& text) {
  return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(printable(text));
}

}  // namespace fa2bench
