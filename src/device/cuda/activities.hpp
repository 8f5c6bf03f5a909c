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

/// Does `work`, which must wait for the device, and says which kernels, copies and fills ran in the
/// meantime. With an obstacle it may not have been done. What it throws passes through. CUPTI has
/// one client in a process, so that under a profiler there is no trace; for one thread at a time.
KernelTrace record_activities(const std::vector<std::string>& libraries,
                              const std::function<void()>& work);

}  // namespace fa2bench::cuda
