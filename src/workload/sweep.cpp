// SPDX-License-Identifier: MIT
#include "workload/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"

namespace fa2bench {
namespace {

struct Axis {
  std::string name;
  JsonReader place;
  std::vector<JsonReader> values;
};

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

std::string value_text(const JsonValue& value) {
  return value.kind == JsonValue::Kind::string ? value.text : value.quote();
}

bool is_axis_name(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return letter(c) || c == '_' || (c >= '0' && c <= '9');
  });
}

std::vector<Axis> read_axes(const JsonReader& sweep) {
  std::vector<Axis> axes;
  for (const auto& [name, place] : sweep.members()) {
    if (!is_axis_name(name)) {
      place.fail(R"(letters, digits and "_", a letter first)",
                 fmt::format(R"(the axis name "{}")", printable(name.substr(0, 60))));
    }
    Axis axis{name, place, place.elements()};
    if (axis.values.empty()) place.fail("at least one value");
    for (const JsonReader& value : axis.values) {
      const auto kind = value.value().kind;
      if (kind != JsonValue::Kind::integer && kind != JsonValue::Kind::string) {
        value.fail("an integer or a string");
      }
    }
    axes.push_back(std::move(axis));
  }
  if (axes.empty()) sweep.fail(R"(at least one axis: {"name": [values]})", "no axis");
  return axes;
}

std::vector<std::string> names_of(const std::vector<Axis>& axes) {
  std::vector<std::string> names;
  for (const Axis& axis : axes) names.push_back(axis.name);
  return names;
}

/// Adds the axes that strings at or below `place` refer to; throws on an unknown one.
void collect_references(const JsonReader& place, const std::vector<std::string>& names,
                        std::set<std::string, std::less<>>& found) {
  const JsonValue& value = place.value();
  if (value.kind == JsonValue::Kind::array) {
    // A list of numbers, the common case, holds no string: no reader is made for its elements.
    const bool plain = std::all_of(
        value.elements.begin(), value.elements.end(),
        [](const JsonValue& element) { return element.kind == JsonValue::Kind::integer; });
    if (plain) return;
    for (const JsonReader& element : place.elements()) collect_references(element, names, found);
  } else if (value.kind == JsonValue::Kind::object) {
    for (const auto& [key, member] : place.members()) collect_references(member, names, found);
  } else if (value.kind == JsonValue::Kind::string) {
    for (auto at = next_reference(value.text, 0); at; at = next_reference(value.text, at->end)) {
      const std::string name(at->name);
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        place.fail(names.empty() ? "no braces without a sweep"
                                 : fmt::format("an axis of the sweep: {}", join(names)),
                   fmt::format(R"(the unknown axis "{}" in {})", printable(name.substr(0, 60)),
                               value.quote()));
      }
      found.insert(name);
    }
  }
}

/// Which axes occur anywhere, and which the name will show.
struct Mentions {
  std::set<std::string, std::less<>> anywhere;
  std::set<std::string, std::less<>> in_name;
};

Mentions find_mentions(const JsonReader& workload, const std::vector<std::string>& names) {
  Mentions mentions;
  // A workload without a name is named by its batch, which then shows the axes.
  const bool named = workload.find("name").has_value();
  for (const auto& [key, place] : workload.members()) {
    if (key == "sweep") continue;
    collect_references(place, names, mentions.anywhere);
    const bool shown =
        named ? key == "name" : (key == "batch" || key == "q_lens" || key == "kv_lens");
    if (shown) collect_references(place, names, mentions.in_name);
  }
  return mentions;
}

/// The values of one point, by axis.
using Values = std::vector<const JsonValue*>;

const JsonValue& value_of(std::string_view name, const std::vector<Axis>& axes,
                          const Values& values) {
  std::size_t i = 0;
  while (axes[i].name != name) ++i;  // collect_references has seen to it that there is one
  return *values[i];
}

void substitute(JsonValue& value, const std::vector<Axis>& axes, const Values& values) {
  for (JsonValue& element : value.elements) substitute(element, axes, values);
  for (auto& [name, member] : value.members) {
    if (!name.starts_with('_')) substitute(member, axes, values);
  }
  if (value.kind != JsonValue::Kind::string) return;
  auto at = next_reference(value.text, 0);
  if (!at) return;
  if (at->begin == 0 && at->end == value.text.size()) {
    const int line = value.line;
    // The name borrows value.text, which the assignment replaces.
    JsonValue replacement = value_of(at->name, axes, values);
    value = std::move(replacement);
    value.line = line;
    return;
  }
  std::string text;
  std::size_t from = 0;
  for (; at; at = next_reference(value.text, from)) {
    text.append(value.text, from, at->begin - from);
    text += value_text(value_of(at->name, axes, values));
    from = at->end;
  }
  text.append(value.text, from);
  value.text = std::move(text);
}

std::int64_t count_points(const JsonReader& sweep, const std::vector<Axis>& axes,
                          std::int64_t limit) {
  std::int64_t points = 1;
  for (const Axis& axis : axes) {
    const auto size = static_cast<std::int64_t>(axis.values.size());
    if (points > limit / size) {
      sweep.fail(fmt::format("at most {} more workloads in this file", limit),
                 "a product that is larger");
    }
    points *= size;
  }
  return points;
}

/// The workload less its sweep and notes, which its copies do not need.
JsonValue without_sweep(const JsonValue& workload) {
  JsonValue copy = workload;
  std::erase_if(copy.members, [](const JsonMember& member) {
    return member.name == "sweep" || member.name.starts_with('_');
  });
  return copy;
}

void visit_point(const JsonValue& pattern, const std::vector<Axis>& axes, const Values& values,
                 const Mentions& mentions, const std::function<void(const SweepPoint&)>& visit) {
  JsonValue filled = pattern;
  substitute(filled, axes, values);
  SweepPoint point;
  point.workload = &filled;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const std::string pair =
        fmt::format("{}={}", axes[a].name, printable(value_text(*values[a]).substr(0, 60)));
    point.label += (point.label.empty() ? "" : ", ") + pair;
    if (!mentions.in_name.contains(axes[a].name)) point.suffix += " " + pair;
  }
  visit(point);
}

}  // namespace

void for_each_sweep_point(const JsonReader& workload, std::int64_t limit,
                          const std::function<void(const SweepPoint&)>& visit) {
  const auto sweep = workload.find("sweep");
  const std::vector<Axis> axes = sweep ? read_axes(*sweep) : std::vector<Axis>{};
  const Mentions mentions = find_mentions(workload, names_of(axes));
  for (const Axis& axis : axes) {
    if (mentions.anywhere.contains(axis.name)) continue;
    axis.place.fail(fmt::format(R"("{{{}}}" in a string of the workload)", axis.name),
                    fmt::format(R"(the axis "{}", which is never used)", axis.name));
  }
  if (!sweep) {
    visit({&workload.value(), "", ""});
    return;
  }
  const std::int64_t points = count_points(*sweep, axes, limit);
  const JsonValue pattern = without_sweep(workload.value());
  Values values(axes.size());
  for (std::int64_t point = 0; point < points; ++point) {
    // The digits of `point` in a mixed radix, the last axis fastest.
    auto rest = static_cast<std::size_t>(point);
    for (std::size_t a = axes.size(); a-- > 0;) {
      values[a] = &axes[a].values[rest % axes[a].values.size()].value();
      rest /= axes[a].values.size();
    }
    visit_point(pattern, axes, values, mentions, visit);
  }
}

}  // namespace fa2bench
