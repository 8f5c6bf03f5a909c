// SPDX-License-Identifier: MIT
#include "workload/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "workload/references.hpp"

namespace fa2bench {
namespace {

// Bounds on what each point carries along.
constexpr std::size_t kMaxAxes = 16;
constexpr std::size_t kMaxAxisName = 64;

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
    if (name.size() > kMaxAxisName) {
      place.fail(fmt::format("at most {} characters", kMaxAxisName),
                 fmt::format(R"(the axis name "{}…")", name.substr(0, 60)));
    }
    if (axes.size() == kMaxAxes) sweep.fail(fmt::format("at most {} axes", kMaxAxes), "more axes");
    const JsonElements values = place.elements();
    if (values.empty()) place.fail("at least one value");
    for (std::size_t i = 0; i < values.size(); ++i) {
      const JsonValue& value = place.value().elements[i];
      if (value.kind != JsonValue::Kind::integer && value.kind != JsonValue::Kind::string) {
        values[i].fail("an integer or a string");
      }
      // It would stay, and the workload's name could not stand in a config of its own.
      if (value.text.find('{') != std::string::npos) values[i].fail("a value without \"{\"");
    }
    axes.push_back({name, place});
  }
  if (axes.empty()) sweep.fail(R"(at least one axis: {"name": [values]})", "no axis");
  return axes;
}

/// Which axes occur anywhere, and which the name will show.
struct Mentions {
  Names anywhere;
  Names in_name;
};

Mentions find_mentions(const JsonReader& workload, const std::vector<Axis>& axes) {
  Mentions mentions;
  // A workload without a name is named by its batch, which then shows the axes.
  const bool named = workload.find("name").has_value();
  for (const auto& [key, place] : workload.members()) {
    if (key == "sweep") continue;
    collect_references(place, axes, mentions.anywhere);
    const bool shown =
        named ? key == "name" : (key == "batch" || key == "q_lens" || key == "kv_lens");
    if (shown) collect_references(place, axes, mentions.in_name);
  }
  return mentions;
}

std::int64_t count_points(const JsonReader& sweep, const std::vector<Axis>& axes,
                          std::int64_t limit) {
  std::int64_t points = 1;
  for (const Axis& axis : axes) {
    const auto size = static_cast<std::int64_t>(axis.values().size());
    if (points > limit / size) {
      sweep.fail(fmt::format("at most {} more workloads in this file", limit),
                 "a product that is larger");
    }
    points *= size;
  }
  return points;
}

void erase_notes(JsonValue& value) {
  std::erase_if(value.members,
                [](const JsonMember& member) { return member.name.starts_with('_'); });
  for (JsonMember& member : value.members) erase_notes(member.value);
  for (JsonValue& element : value.elements) erase_notes(element);
}

/// The workload less its sweep and notes, which its copies do not need.
JsonValue without_sweep(const JsonValue& workload) {
  JsonValue copy = workload;
  std::erase_if(copy.members, [](const JsonMember& member) { return member.name == "sweep"; });
  erase_notes(copy);
  return copy;
}

/// The values of one point, by axis.
using Values = std::vector<const JsonValue*>;

SweepPoint describe_point(const std::vector<Axis>& axes, const Values& values,
                          const Mentions& mentions) {
  SweepPoint point;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const std::string pair =
        fmt::format("{}={}", axes[a].name, printable(value_text(*values[a]).substr(0, 60)));
    point.label += (point.label.empty() ? "" : ", ") + pair;
    if (!mentions.in_name.contains(axes[a].name)) point.suffix += " " + pair;
  }
  return point;
}

}  // namespace

void for_each_sweep_point(const JsonReader& workload, std::int64_t limit,
                          const std::function<void(const SweepPoint&)>& visit) {
  const auto sweep = workload.find("sweep");
  const std::vector<Axis> axes = sweep ? read_axes(*sweep) : std::vector<Axis>{};
  const Mentions mentions = find_mentions(workload, axes);
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
      const std::vector<JsonValue>& all = axes[a].values();
      values[a] = &all[rest % all.size()];
      rest /= all.size();
    }
    JsonValue filled = pattern;
    fill_references(filled, axes, values, *sweep);
    SweepPoint visited = describe_point(axes, values, mentions);
    visited.workload = &filled;
    visit(visited);
  }
}

}  // namespace fa2bench
