// SPDX-License-Identifier: MIT
#include "workload/references.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/text.hpp"

namespace fa2bench {
namespace {

/// A "{name}" inside a string.
struct Reference {
  std::size_t begin = 0;  ///< of "{"
  std::size_t end = 0;    ///< past "}"
  std::string_view name;
};

/// The next reference at or after `from`. A "{" that is never closed is one up to the end.
std::optional<Reference> next_reference(std::string_view text, std::size_t from) {
  const std::size_t begin = text.find('{', from);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::size_t close = text.find('}', begin);
  if (close == std::string_view::npos) return Reference{begin, text.size(), text.substr(begin)};
  return Reference{begin, close + 1, text.substr(begin + 1, close - begin - 1)};
}

bool is_note(const JsonMember& member) { return member.name.starts_with('_'); }

/// The number of the axis, or that of all axes if there is none of this name.
std::size_t index_of(std::string_view name, const std::vector<Axis>& axes) {
  const auto found =
      std::find_if(axes.begin(), axes.end(), [&](const Axis& axis) { return axis.name == name; });
  return static_cast<std::size_t>(found - axes.begin());
}

/// A string with a reference to no axis, if there is one at or below `value`. Works without
/// readers: a path for each of a million strings is only worth it for the one that is reported.
struct Search {
  const std::vector<Axis>& axes;
  Names& found;
  std::string_view unknown;  ///< the name, once a string was found

  const JsonValue* find(const JsonValue& value) {
    for (const JsonValue& element : value.elements) {
      if (const JsonValue* bad = find(element)) return bad;
    }
    for (const JsonMember& member : value.members) {
      if (is_note(member)) continue;
      if (const JsonValue* bad = find(member.value)) return bad;
    }
    if (value.kind != JsonValue::Kind::string) return nullptr;
    for (auto at = next_reference(value.text, 0); at; at = next_reference(value.text, at->end)) {
      unknown = at->name;
      if (index_of(at->name, axes) == axes.size()) return &value;
      if (!found.contains(at->name)) found.emplace(at->name);
    }
    return nullptr;
  }
};

bool holds(const JsonValue& value, const JsonValue* target) {
  const auto in_member = [&](const JsonMember& member) { return holds(member.value, target); };
  const auto in_element = [&](const JsonValue& element) { return holds(element, target); };
  return &value == target ||
         std::any_of(value.elements.begin(), value.elements.end(), in_element) ||
         std::any_of(value.members.begin(), value.members.end(), in_member);
}

/// The place of `target`, which is at or below `place`.
JsonReader place_of(const JsonReader& place, const JsonValue* target) {
  const JsonValue& value = place.value();
  if (value.kind == JsonValue::Kind::array) {
    for (std::size_t i = 0; i < value.elements.size(); ++i) {
      if (holds(value.elements[i], target)) return place_of(place.elements()[i], target);
    }
  } else if (value.kind == JsonValue::Kind::object) {
    for (const auto& [name, member] : place.members()) {
      if (holds(member.value(), target)) return place_of(member, target);
    }
  }
  return place;
}

class Filler {
 public:
  Filler(const std::vector<Axis>& axes, const std::vector<const JsonValue*>& values,
         const JsonReader& sweep)
      : axes_(axes), values_(values), sweep_(sweep) {}

  void fill(JsonValue& value) {
    for (JsonValue& element : value.elements) fill(element);
    for (JsonMember& member : value.members) {
      if (!is_note(member)) fill(member.value);
    }
    if (value.kind != JsonValue::Kind::string) return;
    const auto first = next_reference(value.text, 0);
    if (!first) return;
    if (first->begin == 0 && first->end == value.text.size()) {
      fill_whole(value, value_of(first->name));
    } else {
      fill_parts(value.text);
    }
  }

 private:
  /// collect_references has seen to it that there is one.
  [[nodiscard]] const JsonValue& value_of(std::string_view name) const {
    return *values_[index_of(name, axes_)];
  }

  void take_room(std::size_t bytes) {
    if (bytes > room_) {
      sweep_.fail(fmt::format("at most {} bytes in one workload", kMaxFilledBytes),
                  "more text to fill in");
    }
    room_ -= bytes;
  }

  void fill_whole(JsonValue& value, const JsonValue& replacement) {
    take_room(replacement.text.size());
    const int line = value.line;
    value = replacement;
    value.line = line;
  }

  void fill_parts(std::string& text) {
    std::string filled;
    std::size_t from = 0;
    for (auto at = next_reference(text, 0); at; at = next_reference(text, from)) {
      const std::string part = value_text(value_of(at->name));
      take_room(part.size());
      filled.append(text, from, at->begin - from);
      filled += part;
      from = at->end;
    }
    filled.append(text, from);
    text = std::move(filled);
  }

  const std::vector<Axis>& axes_;
  const std::vector<const JsonValue*>& values_;
  const JsonReader& sweep_;
  std::size_t room_ = kMaxFilledBytes;
};

}  // namespace

void collect_references(const JsonReader& place, const std::vector<Axis>& axes, Names& found) {
  Search search{axes, found, {}};
  const JsonValue* bad = search.find(place.value());
  if (bad == nullptr) return;
  std::vector<std::string> names;
  for (const Axis& axis : axes) names.push_back(axis.name);
  place_of(place, bad)
      .fail(names.empty() ? "no braces without a sweep"
                          : fmt::format("an axis of the sweep: {}", join(names)),
            fmt::format(R"(the unknown axis "{}" in {})", printable(search.unknown.substr(0, 60)),
                        bad->quote()));
}

std::string value_text(const JsonValue& value) {
  return value.kind == JsonValue::Kind::string ? value.text : value.quote();
}

void fill_references(JsonValue& value, const std::vector<Axis>& axes,
                     const std::vector<const JsonValue*>& values, const JsonReader& sweep) {
  Filler(axes, values, sweep).fill(value);
}

}  // namespace fa2bench
