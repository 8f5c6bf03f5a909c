// SPDX-License-Identifier: MIT
// Telemetry as JSON, and back: null for what is not known.
#include <nlohmann/json.hpp>

#include "result/json_value.hpp"
#include "result/part_json.hpp"
#include "result/read_parts.hpp"
#include "result/read_report.hpp"

namespace fa2bench {

using Json = nlohmann::ordered_json;

Json telemetry_json(const Telemetry& telemetry) {
  Json reasons = nullptr;
  if (telemetry.throttle_reasons) {
    reasons = Json::array();
    for (const std::string& reason : *telemetry.throttle_reasons) reasons.push_back(reason);
  }
  return {{"sm_mhz", finite(telemetry.sm_mhz)},
          {"sm_mhz_in_call", finite(telemetry.sm_mhz_in_call)},
          {"memory_mhz", finite(telemetry.memory_mhz)},
          {"temperature_c", finite(telemetry.temperature_c)},
          {"power_w", finite(telemetry.power_w)},
          {"utilization_percent", finite(telemetry.utilization_percent)},
          {"throttle_reasons", std::move(reasons)},
          {"other_compute_processes", int_or_null(telemetry.other_compute_processes)},
          {"cpu_mhz", finite(telemetry.cpu_mhz)},
          {"load_average", finite(telemetry.load_average)}};
}

Telemetry read_telemetry(const JsonReader& place) {
  Telemetry telemetry;
  telemetry.sm_mhz = read_optional_number(place, "sm_mhz");
  if (place.find("sm_mhz_in_call")) {  // results of before it was measured have none
    telemetry.sm_mhz_in_call = read_optional_number(place, "sm_mhz_in_call");
  }
  telemetry.memory_mhz = read_optional_number(place, "memory_mhz");
  telemetry.temperature_c = read_optional_number(place, "temperature_c");
  telemetry.power_w = read_optional_number(place, "power_w");
  telemetry.utilization_percent = read_optional_number(place, "utilization_percent");
  if (!is_null(place.at("throttle_reasons"))) {
    telemetry.throttle_reasons = read_texts(place, "throttle_reasons");
  }
  telemetry.other_compute_processes = read_optional_int(place, "other_compute_processes");
  telemetry.cpu_mhz = read_optional_number(place, "cpu_mhz");
  telemetry.load_average = read_optional_number(place, "load_average");
  return telemetry;
}

Json run_telemetry_json(const RunTelemetry& telemetry) {
  return {{"before", telemetry_json(telemetry.before)},
          {"ready", telemetry_json(telemetry.ready)},
          {"after", telemetry_json(telemetry.after)}};
}

RunTelemetry read_run_telemetry(const JsonReader& parent) {
  const auto place = parent.find("telemetry");
  if (!place) return {};
  return {read_telemetry(place->at("before")), read_telemetry(place->at("ready")),
          read_telemetry(place->at("after"))};
}

}  // namespace fa2bench
