// SPDX-License-Identifier: MIT
// Which of CUDA's functions a call of a shim makes that cost the host or the device time there: why
// it waits, or why it cannot be captured.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fa2bench {

enum class ApiUse {
  synchronizes,  ///< waits for a stream, an event or the device
  allocates,     ///< or frees: may wait for the device, and is a node of a graph at best
  copies,        ///< and waits for it
  other,         ///< launches, asynchronous copies, questions
};
inline constexpr std::array<const char*, 4> kApiUseNames{"synchronizes", "allocates", "copies",
                                                         "other"};
inline const char* to_text(ApiUse use) { return kApiUseNames[static_cast<std::size_t>(use)]; }

/// Of a function of the runtime or of the driver, with or without a version in its name.
ApiUse api_use(std::string_view name);

/// A function, and how often it was called.
struct ApiCalls {
  std::string name;  ///< without a version: "cudaStreamSynchronize"
  int count = 0;
  bool operator==(const ApiCalls&) const = default;
};

/// Counts a call of this function, unless its use is another.
void count_call(std::string_view name, std::vector<ApiCalls>& calls);

}  // namespace fa2bench
