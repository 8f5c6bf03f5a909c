// SPDX-License-Identifier: MIT
#include "result/gates_json.hpp"

#include <limits>

#include "result/gates.hpp"
#include "result/json_value.hpp"
#include "result/read_parts.hpp"

namespace fa2bench {

nlohmann::ordered_json gates_json(const std::vector<Gate>& gates) {
  nlohmann::ordered_json json = nullptr;
  for (const Gate& gate : gates) json[gate.key] = finite(gate.bound);
  return json;
}

nlohmann::ordered_json missed_json(const Report& report, const WorkloadResult& result) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Run& run : result.runs) {
    for (const GateMiss& miss : gate_misses(report, result.workload, run)) {
      json.push_back({{"shim", printable(run.shim)},
                      {"key", miss.gate.key},
                      {"actual", finite(miss.actual)},
                      {"reason", printable(miss.reason)}});
    }
  }
  return json;
}

std::vector<Gate> read_gates(const JsonReader& workload) {
  static const std::vector<std::string> kKeys(kGateKeys.begin(), kGateKeys.end());
  std::vector<Gate> gates;
  const auto require = workload.find("require");
  if (!require || is_null(*require)) return gates;
  require->require_keys(kKeys);
  for (const auto& [key, bound] : require->members()) {
    gates.push_back({key, bound.number(0.0, std::numeric_limits<double>::max())});
  }
  return gates;
}

}  // namespace fa2bench
