// SPDX-License-Identifier: MIT
// CUPTI's records of kernels, copies and fills as plain values.
#pragma once

#include <cupti.h>

#include <cstdint>
#include <optional>

#include "device/kernel_trace.hpp"

namespace fa2bench::cuda {

struct Activity {
  Launch launch;
  std::uint64_t start_ns = 0;  ///< 0 where CUPTI has no time
  std::uint64_t end_ns = 0;
};

/// Nothing for a record of another kind.
std::optional<Activity> read_record(const CUpti_Activity& record);

}  // namespace fa2bench::cuda
