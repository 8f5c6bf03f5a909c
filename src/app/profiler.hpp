// SPDX-License-Identifier: MIT
// Whether somebody looks on: times taken under a profiler are not those of a plain run.
#pragma once

#include <functional>
#include <string>

namespace fa2bench {

/// Looks up an environment variable; null if it is not set.
using Environment = std::function<const char*(const char*)>;

/// "nsys", "ncu", "cuda injection" or "nvtx injection", by the variables that they set for the
/// programs they start; "" if there is none.
std::string profiler_in(const Environment& environment);
/// In this process's environment, which workers inherit.
std::string profiler_in_environment();

}  // namespace fa2bench
