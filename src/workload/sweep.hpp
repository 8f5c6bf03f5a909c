// SPDX-License-Identifier: MIT
// Sweeps: one workload of a config with named axes stands for the product of their values.
// "{axis}" inside any string of the workload is replaced; a string that is exactly "{axis}" takes
// the value with its type, so that numbers stay numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/json_document.hpp"

namespace fa2bench {

/// One point of the product. Borrows for the time of the call.
struct SweepPoint {
  const JsonValue* workload = nullptr;  ///< with the axes filled in
  std::string label;                    ///< "b=8, kv=512"; empty without a sweep
  std::string suffix;                   ///< " kv=512": the axes that the name does not mention
};

/// Calls `visit` for every point, in file order, the first axis slowest; once for a workload
/// without a sweep. Throws at the fault's place: an axis that is unknown or never used, a value
/// that is neither integer nor string, more than `limit` points.
void for_each_sweep_point(const JsonReader& workload, std::int64_t limit,
                          const std::function<void(const SweepPoint&)>& visit);

}  // namespace fa2bench
