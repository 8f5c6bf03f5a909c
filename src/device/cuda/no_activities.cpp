// SPDX-License-Identifier: MIT
// In place of activities.cpp where the toolkit has no cupti.h.
#include "device/cuda/activities.hpp"

namespace fa2bench::cuda {

std::vector<std::string> cupti_libraries() { return {}; }

KernelTrace record_activities(const std::vector<std::string>& /*libraries*/,
                              const TracedWork& /*work*/) {
  KernelTrace trace;
  trace.obstacle =
      "this build has no kernel trace: the CUDA toolkit it was built with lacks cupti.h";
  return trace;
}

}  // namespace fa2bench::cuda
