// SPDX-License-Identifier: MIT
// The file without a name in which the baseline leaves its outputs of a workload for the others.
#pragma once

#include <string>

#include "worker/channel.hpp"

namespace fa2bench {

/// Memory of this process, gone with it, which its children open by a path. Without any, the path
/// opens nothing, which is told by who tries.
class OutputBoard {
 public:
  OutputBoard();
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  Descriptor file_;
  std::string path_;
};

}  // namespace fa2bench
