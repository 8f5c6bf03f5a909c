// SPDX-License-Identifier: MIT
// NVTX ranges in the domain "ferrum-fa2-bench"; nothing at all where NVTX is absent.
#pragma once

#include <string>

namespace fa2bench {

/// A range of this thread's time line from construction to destruction. The text is registered with
/// the domain, so that profilers can select it by name (`-p "timed@ferrum-fa2-bench"`). Start/end
/// ranges, not push/pop: an unbalanced push in a shim cannot shift their nesting.
class NvtxRange {
 public:
  explicit NvtxRange(const std::string& text);
  ~NvtxRange();
  NvtxRange(const NvtxRange&) = delete;
  NvtxRange& operator=(const NvtxRange&) = delete;

 private:
  [[maybe_unused]] unsigned long long id_ = 0;
};

/// "NVTX 3" or "none".
const char* nvtx_version();

}  // namespace fa2bench
