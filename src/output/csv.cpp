// SPDX-License-Identifier: MIT
#include "output/csv.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "base/text.hpp"
#include "output/cases.hpp"

namespace fa2bench {
namespace {

std::string quoted(const std::string& text) {
  // A line that starts with "::" would be a command to GitHub Actions where it is printed.
  const std::size_t first = text.find_first_not_of(' ');
  const bool command = first != std::string::npos && text.compare(first, 2, "::") == 0;
  const bool plain = !command && text.find_first_of(",\"\r\n") == std::string::npos;
  if (plain) return text;
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

/// Every digit that there is: reading it gives the same double.
std::string number(std::optional<double> value) {
  return value && std::isfinite(*value) ? fmt::format("{}", *value) : "";
}

const char* yes_no(bool value) { return value ? "true" : "false"; }

struct Column {
  const char* title;
  std::string (*cell)(const Case& of);
};

/// Of what may not be there.
template <typename Of>
std::string if_any(const Of* of, std::string (*cell)(const Of& of)) {
  return of == nullptr ? "" : cell(*of);
}
std::string time(const Case& of, std::string (*cell)(const Timing&)) {
  return if_any(of.timing, cell);
}
std::string row(const Case& of, std::string (*cell)(const Comparison&)) {
  return if_any(of.comparison, cell);
}
std::string cost(const Case& of, std::string (*cell)(const Cost&)) {
  return of.result == nullptr ? "" : cell(of.result->plan.cost);
}

std::string missed(const Case& of) {
  std::vector<std::string> keys;
  for (const GateMiss& miss : of.misses) keys.push_back(miss.gate.key);
  return join(keys, " ");
}

constexpr auto kIntervalLow = [](const std::optional<Interval>& interval) {
  return interval ? number(interval->low) : std::string();
};
constexpr auto kIntervalHigh = [](const std::optional<Interval>& interval) {
  return interval ? number(interval->high) : std::string();
};

// clang-format off: one column a line
constexpr std::array kCsvColumns{
    Column{"workload", [](const Case& c) { return c.workload; }},
    Column{"workload_id", [](const Case& c) { return c.workload_id; }},
    Column{"shim", [](const Case& c) { return c.shim; }},
    Column{"mode", [](const Case& c) { return std::string(c.mode ? to_text(*c.mode) : ""); }},
    Column{"status",
           [](const Case& c) {
             const bool known = c.result != nullptr || c.comparison != nullptr;
             return std::string(known ? to_text(c.status) : "");
           }},
    Column{"outcome", [](const Case& c) { return std::string(to_text(c.outcome)); }},
    Column{"message", [](const Case& c) { return c.message; }},
    Column{"median_us",
           [](const Case& c) {
             return time(c, [](const Timing& t) { return number(t.device.median); });
           }},
    Column{"ci95_low_us",
           [](const Case& c) {
             return time(c, [](const Timing& t) { return kIntervalLow(t.device.median_interval); });
           }},
    Column{"ci95_high_us",
           [](const Case& c) {
             return time(c,
                         [](const Timing& t) { return kIntervalHigh(t.device.median_interval); });
           }},
    Column{"min_us",
           [](const Case& c) {
             return time(c, [](const Timing& t) { return number(t.device.min); });
           }},
    Column{"max_us",
           [](const Case& c) {
             return time(c, [](const Timing& t) { return number(t.device.max); });
           }},
    Column{"mean_us",
           [](const Case& c) {
             return time(c, [](const Timing& t) { return number(t.device.mean); });
           }},
    Column{"p95_us",
           [](const Case& c) {
             return time(c, [](const Timing& t) { return number(t.device.p95); });
           }},
    Column{"p99_us",
           [](const Case& c) {
             return time(c, [](const Timing& t) { return number(t.device.p99); });
           }},
    Column{"host_median_us",
           [](const Case& c) {
             return time(c, [](const Timing& t) { return number(t.host.median); });
           }},
    Column{"event_floor_us",
           [](const Case& c) {
             return time(c, [](const Timing& t) { return number(t.samples.event_floor_us); });
           }},
    Column{"first_call_us",
           [](const Case& c) {
             return c.run == nullptr || c.timing == nullptr ? std::string()
                                                            : number(c.run->first_call_us);
           }},
    Column{"calls_per_sample",
           [](const Case& c) {
             return time(c, [](const Timing& t) { return std::to_string(t.samples.calls); });
           }},
    Column{"samples",
           [](const Case& c) {
             return time(
                 c, [](const Timing& t) { return std::to_string(t.samples.device_us.size()); });
           }},
    Column{"trials",
           [](const Case& c) {
             return time(c,
                         [](const Timing& t) { return std::to_string(t.samples.trials.size()); });
           }},
    Column{
        "tb_per_s",
        [](const Case& c) { return time(c, [](const Timing& t) { return number(t.tb_per_s); }); }},
    Column{"tflop_per_s",
           [](const Case& c) {
             return time(c, [](const Timing& t) { return number(t.tflop_per_s); });
           }},
    Column{"speed_of_light",
           [](const Case& c) {
             return time(c, [](const Timing& t) { return number(t.speed_of_light); });
           }},
    Column{"limit", [](const Case& c) { return time(c, [](const Timing& t) { return t.limit; }); }},
    Column{"cache_resident",
           [](const Case& c) {
             return time(c, [](const Timing& t) { return std::string(yes_no(t.cache_resident)); });
           }},
    Column{"launch_bound",
           [](const Case& c) {
             return time(c, [](const Timing& t) { return std::string(yes_no(t.launch_bound)); });
           }},
    Column{"cost_flop",
           [](const Case& c) { return cost(c, [](const Cost& o) { return number(o.flops); }); }},
    Column{"cost_bytes",
           [](const Case& c) {
             return cost(c, [](const Cost& o) { return std::to_string(o.bytes_unique.count); });
           }},
    Column{"missed", missed},
    Column{"baseline",
           [](const Case& c) {
             return row(c, [](const Comparison& r) { return printable(r.baseline); });
           }},
    Column{"verdict",
           [](const Case& c) {
             return row(c, [](const Comparison& r) { return std::string(to_text(r.verdict)); });
           }},
    Column{"baseline_us",
           [](const Case& c) {
             return row(c, [](const Comparison& r) { return number(r.baseline_us); });
           }},
    Column{"candidate_us",
           [](const Case& c) {
             return row(c, [](const Comparison& r) { return number(r.candidate_us); });
           }},
    Column{
        "ratio",
        [](const Case& c) { return row(c, [](const Comparison& r) { return number(r.ratio); }); }},
    Column{"ratio_low",
           [](const Case& c) {
             return row(c, [](const Comparison& r) { return kIntervalLow(r.interval); });
           }},
    Column{"ratio_high",
           [](const Case& c) {
             return row(c, [](const Comparison& r) { return kIntervalHigh(r.interval); });
           }},
    Column{"p_value",
           [](const Case& c) {
             return row(c, [](const Comparison& r) { return number(r.p_value); });
           }},
    Column{
        "floor",
        [](const Case& c) { return row(c, [](const Comparison& r) { return number(r.floor); }); }},
    Column{"processes",
           [](const Case& c) {
             return row(c, [](const Comparison& r) { return std::to_string(r.processes); });
           }},
    Column{"placements",
           [](const Case& c) {
             return row(c, [](const Comparison& r) { return std::to_string(r.placements); });
           }},
    Column{"baseline_status",
           [](const Case& c) {
             return row(
                 c, [](const Comparison& r) { return std::string(to_text(r.baseline_status)); });
           }},
};
// clang-format on

}  // namespace

std::string to_csv(const Report& report) {
  std::string text;
  const auto add_line = [&](auto&& field) {
    for (const Column& column : kCsvColumns) {
      if (&column != &kCsvColumns.front()) text += ',';
      text += quoted(field(column));
    }
    text += "\r\n";
  };
  add_line([](const Column& column) { return std::string(column.title); });
  for (const Case& of : cases_of(report)) {
    add_line([&](const Column& column) { return column.cell(of); });
  }
  return text;
}

}  // namespace fa2bench
