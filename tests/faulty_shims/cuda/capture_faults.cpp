// SPDX-License-Identifier: MIT
// Right when called, and not when captured into a CUDA graph.
#include "abi/ferrum_fa2_shim.h"
#include "crash.hpp"
#include "cuda/attention.hpp"

namespace fa2bench::faulty {
namespace {

bool is_capturing(const Call& call) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  static_cast<void>(cudaStreamIsCapturing(stream_of(call), &status));
  return status != cudaStreamCaptureStatusNone;
}

int wrong_in_graph(const Call& call) {
  KernelPolicy policy;
  policy.zeros = is_capturing(call);
  return attend(call, policy);
}

int crash_in_capture(const Call& call) {
  if (is_capturing(call)) touch_forbidden_page();
  return attend(call, {});
}

}  // namespace

std::vector<Fault> capture_faults() {
  return {
      {"wrong_in_graph", wrong_in_graph},
      {"crash_in_capture", crash_in_capture},
  };
}

}  // namespace fa2bench::faulty
