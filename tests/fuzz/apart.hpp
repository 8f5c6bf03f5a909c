// SPDX-License-Identifier: MIT
// Runs something in a process of its own and says what it cost: only the peak of a whole process
// can be asked for.
#pragma once

#include <functional>
#include <string>

namespace fa2bench::test {

struct Outcome {
  std::string said;       ///< the text of the Error that was thrown, or what was returned
  bool refused = false;   ///< an Error was thrown
  std::string fault;      ///< how it ended if neither; else ""
  double cpu_s = 0.0;     ///< user and system time
  double peak_mib = 0.0;  ///< largest resident size
};

/// Forks; `action` returns a short text or throws Error.
Outcome run_apart(const std::function<std::string()>& action);

/// What a hostile input may cost until it is refused: a second, and twice that here for machines
/// that are slow. Time is that of the processor, so that a busy one does not matter much; builds
/// that are not optimized, or that a sanitizer watches, get more.
inline constexpr double kMostMib = 1024.0;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif
#ifdef NDEBUG
inline constexpr double kMostSeconds = kSanitized ? 20.0 : 2.0;
#else
inline constexpr double kMostSeconds = 20.0;
#endif

}  // namespace fa2bench::test
