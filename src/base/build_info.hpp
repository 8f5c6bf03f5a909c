// SPDX-License-Identifier: MIT
// What this binary was built from and with.
#pragma once

#include <string>

namespace fa2bench {

struct BuildInfo {
  std::string version;     ///< "0.1.0"
  std::string git;         ///< commit, "-dirty" appended; "unknown" outside a checkout
  std::string compiler;    ///< "GNU 12.2.0"
  std::string build_type;  ///< "Release"
  std::string cuda;        ///< toolkit version, or "none (CPU only)"
  std::string nvtx;        ///< "NVTX 3" or "none"
};

BuildInfo build_info();

}  // namespace fa2bench
