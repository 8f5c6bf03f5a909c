// SPDX-License-Identifier: MIT
// The kernel is right, but not ordered on the caller's stream.
#include "abi/ferrum_fa2_shim.h"
#include "cuda/attention.hpp"

namespace fa2bench::faulty {
namespace {

int attend_on(const Call& call, cudaStream_t stream) {
  return answer(call, queue_attention(call, {}, stream));
}

/// One per process, never destroyed.
cudaStream_t own_stream() {
  static const cudaStream_t stream = [] {
    cudaStream_t made = nullptr;
    static_cast<void>(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking));
    return made;
  }();
  return stream;
}

/// The stream of the first call serves all later ones.
int cached_stream(const Call& call) {
  static const cudaStream_t first = stream_of(call);
  return attend_on(call, first);
}

int null_stream(const Call& call) { return attend_on(call, nullptr); }

int ptds(const Call& call) { return attend_on(call, cudaStreamPerThread); }

/// Nothing ties the two streams together.
int side_stream(const Call& call) { return attend_on(call, own_stream()); }

/// The caller's stream waits for the kernel at the start of the next call, one call too late.
int side_stream_event_late(const Call& call) {
  static const cudaEvent_t done = [] {
    cudaEvent_t made = nullptr;
    static_cast<void>(cudaEventCreateWithFlags(&made, cudaEventDisableTiming));
    return made;
  }();
  const int waited = answer(call, cudaStreamWaitEvent(stream_of(call), done, 0));
  if (waited != FERRUM_FA2_OK) return waited;
  const int code = attend_on(call, own_stream());
  return code != FERRUM_FA2_OK ? code : answer(call, cudaEventRecord(done, own_stream()));
}

}  // namespace

std::vector<Fault> stream_faults() {
  return {
      {"cached_stream", cached_stream},
      {"null_stream", null_stream},
      {"ptds", ptds},
      {"side_stream", side_stream},
      {"side_stream_event_late", side_stream_event_late},
  };
}

}  // namespace fa2bench::faulty
