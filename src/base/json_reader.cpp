// SPDX-License-Identifier: MIT
// The reader: typed access to a JsonValue, and one form for every complaint.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.hpp"
#include "base/json_document.hpp"
#include "base/text.hpp"

namespace fa2bench {
namespace {

constexpr std::size_t kMaxQuote = 60;

std::string cut(std::string text) {
  if (text.size() <= kMaxQuote) return printable(text);
  std::size_t end = kMaxQuote;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // whole UTF-8
  text.resize(end);
  return printable(text) + "…";
}

}  // namespace

std::string JsonValue::quote() const {
  switch (kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return boolean ? "true" : "false";
    case Kind::integer:
      return fmt::format("{}{}", negative ? "-" : "", magnitude);
    case Kind::number:
      return cut(text);
    case Kind::string:
      return fmt::format("\"{}\"", cut(text));
    case Kind::array:
      return elements.empty() ? "an empty array" : "an array";
    case Kind::object:
      return "an object";
  }
  return "a value";
}

void JsonReader::fail(std::string_view expected, std::string_view found) const {
  throw Error(ErrorKind::usage,
              fmt::format("{}:{}: {}: found {}; expected {}", *name_, value_->line,
                          path_.empty() ? "the file" : path_,
                          found.empty() ? value_->quote() : std::string(found), expected));
}

void JsonReader::require_keys(const std::vector<std::string>& known) const {
  for (const auto& [key, reader] : members()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string close = nearest(key, known);
    reader.fail(fmt::format("one of {}{}", join(known),
                            close.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", close)),
                fmt::format("the unknown key \"{}\"", cut(key)));
  }
}

std::optional<JsonReader> JsonReader::find(std::string_view key) const {
  if (value_->kind != JsonValue::Kind::object) fail("an object");
  for (const auto& [name, value] : value_->members) {
    if (name == key) return child(value, path_.empty() ? name : path_ + "." + name);
  }
  return std::nullopt;
}

JsonReader JsonReader::at(std::string_view key) const {
  auto member = find(key);
  if (!member) fail(fmt::format("the key \"{}\"", key), "an object without it");
  return *member;
}

JsonElements JsonReader::elements() const {
  if (value_->kind != JsonValue::Kind::array) fail("an array");
  return JsonElements(*this);
}

JsonMembers JsonReader::members() const {
  if (value_->kind != JsonValue::Kind::object) fail("an object");
  return JsonMembers(*this);
}

JsonReader JsonElements::operator[](std::size_t index) const {
  return array_.child(array_.value().elements[index], fmt::format("{}[{}]", array_.path(), index));
}

std::pair<const std::string&, JsonReader> JsonMembers::Iterator::operator*() const {
  const auto& [name, value] = list_->object_.value().members[index_];
  const std::string& path = list_->object_.path();
  const std::string key = cut(name);
  return {name, list_->object_.child(value, path.empty() ? key : path + "." + key)};
}

void JsonMembers::Iterator::skip_notes() {
  const std::vector<JsonMember>& members = list_->object_.value().members;
  while (index_ < members.size() && members[index_].name.starts_with('_')) ++index_;
}

std::int64_t JsonReader::integer(std::int64_t lowest, std::int64_t highest) const {
  const auto refuse = [&] { fail(fmt::format("an integer, {} … {}", lowest, highest)); };
  if (value_->kind != JsonValue::Kind::integer) refuse();
  constexpr std::uint64_t kMax = INT64_MAX;
  if (value_->magnitude > kMax) refuse();
  const auto magnitude = static_cast<std::int64_t>(value_->magnitude);
  const std::int64_t value = value_->negative ? -magnitude : magnitude;
  if (value < lowest || value > highest) refuse();
  return value;
}

std::uint64_t JsonReader::unsigned64() const {
  if (value_->kind == JsonValue::Kind::integer && !value_->negative) return value_->magnitude;
  if (value_->kind == JsonValue::Kind::string) {
    const std::string& digits = value_->text;
    std::uint64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, code] = std::from_chars(digits.data(), end, value);
    const bool short_enough = digits.size() <= 20;  // else zeros, read again for every sweep point
    if (code == std::errc{} && stop == end && !digits.empty() && short_enough) return value;
  }
  fail("an integer, 0 … 18446744073709551615, as a number or a string of digits");
}

double JsonReader::number(double lowest, double highest) const {
  double value = 0.0;
  if (value_->kind == JsonValue::Kind::integer) {
    value = static_cast<double>(value_->magnitude) * (value_->negative ? -1.0 : 1.0);
  } else if (value_->kind == JsonValue::Kind::number) {
    value = value_->number;
  } else {
    fail(fmt::format("a number, {} … {}", lowest, highest));
  }
  if (!(value >= lowest && value <= highest))
    fail(fmt::format("a number, {} … {}", lowest, highest));
  return value;
}

bool JsonReader::boolean() const {
  if (value_->kind != JsonValue::Kind::boolean) fail("true or false");
  return value_->boolean;
}

const std::string& JsonReader::text() const {
  if (value_->kind != JsonValue::Kind::string) fail("a string");
  return value_->text;
}

std::size_t JsonReader::one_of(const std::vector<std::string>& choices) const {
  const std::string& word = text();
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i] == word) return i;
  }
  if (choices.size() == 1) fail(fmt::format("\"{}\"", choices.front()));
  const std::string close = nearest(word, choices);
  fail(fmt::format("one of {}{}", join(choices),
                   close.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", close)));
}

}  // namespace fa2bench
