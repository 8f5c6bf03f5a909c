// SPDX-License-Identifier: MIT
// What every call of a workload does on the device, from traces of some of them.
#pragma once

#include <string>
#include <vector>

#include "device/kernel_trace.hpp"

namespace fa2bench {

/// A launch at its place in the call; medians over the calls.
struct CommonLaunch {
  Launch launch;
  double us = 0.0;
  double gap_us = 0.0;  ///< from the end of all work before it; below 0 where it overlaps with that
};

struct KernelReport {
  std::string obstacle;                ///< why there is none; "" if there is
  int calls = 0;                       ///< how many were traced
  bool gated = false;                  ///< the stream was held while they were queued
  double span_us = 0.0;                ///< first start to last end, median
  std::vector<CommonLaunch> launches;  ///< by start; empty with an obstacle
  /// Functions of CUDA that wait, allocate or copy, as the last traced call used them: what a shim
  /// does once, and keeps, is not among them.
  std::vector<ApiCalls> blocking;
};

/// What the calls have in common. An obstacle if they do not all launch the same. Requires at least
/// one trace, and of each that it has no obstacle.
KernelReport make_kernel_report(const std::vector<KernelTrace>& calls, bool gated);

}  // namespace fa2bench
