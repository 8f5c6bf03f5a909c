// SPDX-License-Identifier: MIT
// CUPTI's activity records, opened at run time where present. Nothing here needs a device.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "device/kernel_trace.hpp"

namespace fa2bench::cuda {

/// Names that dlopen() may find CUPTI by, the build's own version first.
std::vector<std::string> cupti_libraries();

/// A call, and what is done around it.
struct TracedWork {
  std::function<void()> before;
  std::function<void()> call;
  std::function<void()> after;  ///< waits for the device
};

/// Does the work and says which kernels, copies and fills ran in the meantime, and which functions
/// of CUDA the call itself used. With an obstacle it may not have been done. What it throws passes
/// through. CUPTI has one client in a process, so that under a profiler there is no trace; for one
/// thread at a time.
KernelTrace record_activities(const std::vector<std::string>& libraries, const TracedWork& work);

}  // namespace fa2bench::cuda
