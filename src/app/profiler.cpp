// SPDX-License-Identifier: MIT
#include "app/profiler.hpp"

#include <array>
#include <cstdlib>

namespace fa2bench {
namespace {

struct Sign {
  const char* variable;
  const char* profiler;
};

// The sure ones first: both tools also inject into CUDA and NVTX. Variables that people set
// themselves to tune a tool (NSYS_NVTX_PROFILER_REGISTER_ONLY,
// NV_COMPUTE_PROFILER_DISABLE_STOCK_FILE_DEPLOYMENT) are no signs.
constexpr std::array<Sign, 6> kSigns{{
    {"NSYS_PROFILING_SESSION_ID", "nsys"},
    {"NV_COMPUTE_PROFILER_PERFWORKS_DIR", "ncu"},
    {"NV_NSIGHT_INJECTION_TRANSPORT_TYPE", "ncu"},
    {"NV_TPS_LAUNCH_TOKEN", "ncu"},
    {"CUDA_INJECTION64_PATH", "cuda injection"},
    {"NVTX_INJECTION64_PATH", "nvtx injection"},
}};

}  // namespace

std::string profiler_in(const Environment& environment) {
  for (const Sign& sign : kSigns) {
    const char* value = environment(sign.variable);
    if (value != nullptr && *value != '\0') return sign.profiler;
  }
  return "";
}

std::string profiler_in_environment() {
  return profiler_in([](const char* name) {
    return std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  });
}

}  // namespace fa2bench
