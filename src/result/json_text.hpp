// SPDX-License-Identifier: MIT
// JSON as text that people can read and diff: like nlohmann's dump, but a list of numbers takes one
// line instead of one line each.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace fa2bench {

/// Two spaces of indentation; newline at the end.
std::string pretty_json(const nlohmann::ordered_json& json);

}  // namespace fa2bench
