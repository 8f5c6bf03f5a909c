// SPDX-License-Identifier: MIT
// NVTX ranges in the domain "ferrum-fa2-bench"; nothing at all where NVTX is absent.
#pragma once

#include <string>

namespace fa2bench {

inline constexpr const char* kNvtxDomain = "ferrum-fa2-bench";

/// The part of a run whose calls are timed: what profilers are told to select.
inline constexpr const char* kTimedRange = "timed";
/// Round the tool's own work on the device between two calls, which is not the shim's: outputs and
/// cache overwritten, and what a call left looked at.
inline constexpr const char* kFlushRange = "flush";
inline constexpr const char* kCheckRange = "check";

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
