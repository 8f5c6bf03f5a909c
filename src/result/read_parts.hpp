// SPDX-License-Identifier: MIT
// How a result's members are read: null stands for what is not known.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/json_document.hpp"

namespace fa2bench {

inline bool is_null(const JsonReader& reader) {
  return reader.value().kind == JsonValue::Kind::null;
}

inline double read_number(const JsonReader& parent, std::string_view key) {
  constexpr double kMax = std::numeric_limits<double>::max();
  const JsonReader member = parent.at(key);
  return is_null(member) ? std::nan("") : member.number(-kMax, kMax);
}

inline std::optional<double> read_optional_number(const JsonReader& parent, std::string_view key) {
  const double value = read_number(parent, key);
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

inline std::uint64_t read_count(const JsonReader& parent, std::string_view key) {
  return parent.at(key).unsigned64();
}

inline std::int64_t read_size(const JsonReader& parent, std::string_view key) {
  return parent.at(key).integer(0, INT64_MAX);
}

inline int read_int(const JsonReader& parent, std::string_view key) {
  return static_cast<int>(parent.at(key).integer(INT32_MIN, INT32_MAX));
}

/// Nothing for null, and for a key that results of older builds lack.
inline std::optional<std::int32_t> read_optional_int(const JsonReader& parent,
                                                     std::string_view key) {
  const auto member = parent.find(key);
  return !member || is_null(*member) ? std::nullopt : std::optional(read_int(parent, key));
}

inline std::optional<bool> read_optional_bool(const JsonReader& parent, std::string_view key) {
  const JsonReader member = parent.at(key);
  return is_null(member) ? std::nullopt : std::optional(member.boolean());
}

/// "" for null.
inline std::string read_text(const JsonReader& parent, std::string_view key) {
  const JsonReader member = parent.at(key);
  return is_null(member) ? "" : member.text();
}

/// Not negative. No nulls: samples are sorted, and a NaN has no place in an order.
inline std::vector<double> read_times(const JsonReader& parent, std::string_view key) {
  constexpr double kMax = std::numeric_limits<double>::max();
  std::vector<double> numbers;
  for (const JsonReader& element : parent.at(key).elements()) {
    numbers.push_back(element.number(0.0, kMax));
  }
  return numbers;
}

inline std::vector<std::string> read_texts(const JsonReader& parent, std::string_view key) {
  std::vector<std::string> texts;
  for (const JsonReader& element : parent.at(key).elements()) texts.push_back(element.text());
  return texts;
}

/// The value of an enumeration whose names to_text() gives and whose last value is `last`.
template <typename Enum>
Enum read_enum(const JsonReader& parent, std::string_view key, Enum last) {
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(last); ++i)
    names.emplace_back(to_text(static_cast<Enum>(i)));
  return static_cast<Enum>(parent.at(key).one_of(names));
}

}  // namespace fa2bench
