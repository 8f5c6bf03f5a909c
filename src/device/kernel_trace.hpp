// SPDX-License-Identifier: MIT
// What one call did on the device, as plain values: the answer to "why does it take so long".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "device/api_calls.hpp"

namespace fa2bench {

enum class LaunchKind {
  kernel,
  copy,  ///< of memory to memory
  fill,  ///< of memory with a value
};
inline constexpr std::array<const char*, 3> kLaunchKindNames{"kernel", "copy", "fill"};
inline const char* to_text(LaunchKind kind) {
  return kLaunchKindNames[static_cast<std::size_t>(kind)];
}

/// Three sizes, x first.
using Extent = std::array<std::uint32_t, 3>;

/// A kernel, copy or fill as the device was asked for it, whatever time it took.
struct Launch {
  LaunchKind kind = LaunchKind::kernel;
  std::string name;             ///< demangled; of a copy or fill its number of bytes
  Extent grid{};                ///< blocks; all 0 unless a kernel, and so are those below
  Extent block{};               ///< threads
  std::uint32_t registers = 0;  ///< of a thread
  Bytes shared;                 ///< of a block, static and dynamic
  bool operator==(const Launch&) const = default;
};

struct TimedLaunch {
  Launch launch;
  double start_us = 0.0;  ///< after the start of the call's first launch
  double end_us = 0.0;
};

/// One call.
struct KernelTrace {
  std::string obstacle;               ///< why there is none; "" if there is
  std::vector<TimedLaunch> launches;  ///< by start
  double span_us = 0.0;               ///< from the first start to the last end
  int code = 0;                       ///< the call's own result; an obstacle unless 0
  std::vector<ApiCalls> api_calls;    ///< of its thread, those that wait, allocate or copy
  bool blocked = false;  ///< it waited for the device while the stream was held: gaps mean nothing
};

}  // namespace fa2bench
