// SPDX-License-Identifier: MIT
// Errors that end a run, and the process exit codes.
#pragma once

#include <stdexcept>
#include <string>

namespace fa2bench {

/// Process exit codes; fixed, never a count.
enum class ExitCode : int {
  ok = 0,
  internal = 1,      ///< a fault of this tool
  usage = 2,         ///< command line or config
  environment = 3,   ///< a shim will not load, no device, output not writable
  failed = 4,        ///< a workload failed to run
  wrong = 5,         ///< a result was wrong
  slower = 6,        ///< slower than the baseline, or than the config demands
  inconclusive = 7,  ///< a comparison or a demand is inconclusive or incomplete
};

enum class ErrorKind { internal, usage, environment };

/// "Cannot go on": thrown anywhere, caught once in main, printed as one line.
/// The text says what was wrong, where, and what to do about it.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& text) : std::runtime_error(text), kind_(kind) {}
  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

[[nodiscard]] constexpr ExitCode exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return ExitCode::usage;
    case ErrorKind::environment:
      return ExitCode::environment;
    case ErrorKind::internal:
      break;
  }
  return ExitCode::internal;
}

}  // namespace fa2bench
