// SPDX-License-Identifier: MIT
// "{axis}" inside the strings of a workload: where they are, and values in their place.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/json_document.hpp"

namespace fa2bench {

/// A named list of values.
struct Axis {
  std::string name;
  JsonReader place;

  [[nodiscard]] const std::vector<JsonValue>& values() const { return place.value().elements; }
};

using Names = std::set<std::string, std::less<>>;

/// Adds the axes that strings at or below `place` refer to; throws on an unknown one. Notes are
/// left out.
void collect_references(const JsonReader& place, const std::vector<Axis>& axes, Names& found);

/// What stands for an axis inside a longer string.
std::string value_text(const JsonValue& value);

/// Text that one point of a sweep may fill in, in bytes. A short string of references to a long
/// value stands for any amount of it.
inline constexpr std::size_t kMaxFilledBytes = std::size_t{16} << 20U;

/// Replaces the references in `value`; values[a] is that of axes[a]. Throws at `sweep` if too much
/// would be filled in.
void fill_references(JsonValue& value, const std::vector<Axis>& axes,
                     const std::vector<const JsonValue*>& values, const JsonReader& sweep);

}  // namespace fa2bench
