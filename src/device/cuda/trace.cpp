// SPDX-License-Identifier: MIT
#include "device/cuda/trace.hpp"

#include "device/cuda/activities.hpp"
#include "device/cuda/check.hpp"

namespace fa2bench::cuda {

KernelTrace trace_call(int device, cudaStream_t stream, StreamGate* gate,
                       const std::function<int()>& call) {
  const bool gated = gate != nullptr && gate->available();
  // All streams: before, so that nothing else is in the trace, and after, so that all of it is.
  const auto synchronize = [&] {
    check(cudaSetDevice(device), "cudaSetDevice");  // a shim may have left another one current
    check(cudaDeviceSynchronize(), "synchronize");
  };
  int code = 0;
  bool blocked = false;
  synchronize();
  KernelTrace trace = record_activities(cupti_libraries(), [&] {
    if (gated) check(gate->hold(stream), "cuStreamWaitValue32");
    code = call();
    if (gated) blocked = !gate->release();
    synchronize();
  });
  trace.code = code;
  trace.blocked = blocked;
  return trace;
}

}  // namespace fa2bench::cuda
