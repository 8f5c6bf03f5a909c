// SPDX-License-Identifier: MIT
#include "result/kernel_json.hpp"

#include <cstdint>
#include <utility>

#include "result/json_value.hpp"
#include "result/read_parts.hpp"

namespace fa2bench {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const CommonLaunch& common) {
  const Launch& launch = common.launch;
  return {{"kind", to_text(launch.kind)},  {"name", printable(launch.name)},
          {"grid", launch.grid},           {"block", launch.block},
          {"registers", launch.registers}, {"shared_bytes", launch.shared.count},
          {"us", finite(common.us)},       {"gap_us", finite(common.gap_us)}};
}

Json to_json(const ApiCalls& calls) {
  return {{"name", printable(calls.name)}, {"count", calls.count}};
}

Extent read_extent(const JsonReader& parent, std::string_view key) {
  const JsonElements sizes = parent.at(key).elements();
  Extent extent{};
  if (sizes.size() != extent.size()) parent.at(key).fail("three sizes");
  for (std::size_t i = 0; i < extent.size(); ++i) {
    extent.at(i) = static_cast<std::uint32_t>(sizes[i].integer(0, UINT32_MAX));
  }
  return extent;
}

CommonLaunch read_launch(const JsonReader& place) {
  CommonLaunch common;
  Launch& launch = common.launch;
  launch.kind = read_enum(place, "kind", LaunchKind::fill);
  launch.name = place.at("name").text();
  launch.grid = read_extent(place, "grid");
  launch.block = read_extent(place, "block");
  launch.registers = static_cast<std::uint32_t>(place.at("registers").integer(0, UINT32_MAX));
  launch.shared = {read_count(place, "shared_bytes")};
  common.us = read_number(place, "us");
  common.gap_us = read_number(place, "gap_us");
  return common;
}

}  // namespace

Json kernel_json(const std::optional<KernelReport>& report) {
  if (!report) return nullptr;
  Json launches = Json::array();
  for (const CommonLaunch& launch : report->launches) launches.push_back(to_json(launch));
  Json blocking = Json::array();
  for (const ApiCalls& calls : report->blocking) blocking.push_back(to_json(calls));
  return {{"obstacle", text_or_null(report->obstacle)},
          {"calls", report->calls},
          {"gated", report->gated},
          {"span_us", finite(report->span_us)},
          {"launches", std::move(launches)},
          {"blocking", std::move(blocking)}};
}

std::optional<KernelReport> read_kernels(const JsonReader& run) {
  const auto place = run.find("kernels");
  if (!place || is_null(*place)) return std::nullopt;
  KernelReport report;
  report.obstacle = read_text(*place, "obstacle");
  report.calls = read_int(*place, "calls");
  report.gated = place->at("gated").boolean();
  report.span_us = read_number(*place, "span_us");
  for (const JsonReader& launch : place->at("launches").elements()) {
    report.launches.push_back(read_launch(launch));
  }
  if (const auto blocking = place->find("blocking")) {  // results of older builds lack it
    for (const JsonReader& calls : blocking->elements()) {
      report.blocking.push_back({calls.at("name").text(), read_int(calls, "count")});
    }
  }
  return report;
}

}  // namespace fa2bench
