// SPDX-License-Identifier: MIT
// What becomes of one shim on one workload.
#pragma once

namespace fa2bench {

/// How one shim did on one workload.
enum class Status {
  ok,            ///< verified, timed, verified again; or called, with nothing to do
  wrong,         ///< ran, and the result was wrong
  unsupported,   ///< the shim says it has no code for this shape
  failed,        ///< an error code, or a device error
  crashed,       ///< ended the process
  timeout,       ///< did not return
  does_not_fit,  ///< not enough memory
  not_run,       ///< interrupted, or the device was lost before
};
const char* to_text(Status status);
/// Whether there is no answer where there should be one; a wrong answer is one.
inline bool is_failure(Status status) {
  return status == Status::failed || status == Status::crashed || status == Status::timeout ||
         status == Status::not_run;
}
/// Whether there is no right answer where there should be one.
inline bool is_wrong_or_failure(Status status) {
  return status == Status::wrong || is_failure(status);
}

}  // namespace fa2bench
