// SPDX-License-Identifier: MIT
#include "device/cuda/trace.hpp"

#include <cuda_profiler_api.h>

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
  TracedWork work;
  work.before = [&] {
    if (gated) check(gate->hold(stream), "cuStreamWaitValue32");
  };
  work.call = [&] { code = call(); };
  work.after = [&] {
    if (gated) blocked = !gate->release();
    synchronize();
  };
  KernelTrace trace = record_activities(cupti_libraries(), work);
  trace.code = code;
  trace.blocked = blocked;
  return trace;
}

void start_profiler(cudaStream_t stream) {
  check(cudaStreamSynchronize(stream), "synchronize");
  (void)cudaProfilerStart();  // what it returns without a profiler has changed over time
  (void)cudaGetLastError();
}

void stop_profiler(cudaStream_t stream) {
  (void)cudaStreamSynchronize(stream);  // an error is the next check's to say
  (void)cudaProfilerStop();
}

}  // namespace fa2bench::cuda
