// SPDX-License-Identifier: MIT
// The device or the runtime fails: told, hidden, or found out by somebody else later.
#include <array>
#include <set>

#include "abi/ferrum_fa2_shim.h"
#include "cuda/attention.hpp"

namespace fa2bench::faulty {
namespace {

/// Returns 0 although nothing ran.
int swallow_launch_error(const Call& call) {
  static_cast<void>(queue_impossible(call, stream_of(call)));
  static_cast<void>(cudaGetLastError());
  return FERRUM_FA2_OK;
}

int no_image(const Call& call) { return answer(call, queue_foreign(stream_of(call))); }

/// The call is right and leaves an error of another call behind, for which the next one is blamed.
int stale_error(const Call& call) {
  const int code = compute(call);
  static_cast<void>(cudaSetDevice(1 << 20));
  return code;
}

int spin_forever(const Call& call) { return answer(call, queue_endless(stream_of(call))); }

int commit(const Call& call, Crime crime) {
  return answer(call, queue_crime(call, crime, stream_of(call)));
}

int oob_read(const Call& call) { return commit(call, Crime::illegal_read); }
int oob_write(const Call& call) { return commit(call, Crime::illegal_write); }
int trap(const Call& call) { return commit(call, Crime::trap); }

/// The third batch shape that this process sees is fatal; the number of calls does not matter.
int oob_on_workload_3(const Call& call) {
  using Shape = std::array<int, 9>;
  static auto* const seen = new std::set<Shape>;
  seen->insert({call.num_seqs, call.total_q_tokens, call.max_q_len, call.max_kv_len, call.num_heads,
                call.num_kv_heads, call.head_dim, call.block_size, call.max_blocks_per_seq});
  return seen->size() >= 3 ? oob_write(call) : compute(call);
}

/// The first call's result is right. 50 ms later a kernel on another stream ends the context, and
/// whoever asks the device next is told.
int oob_late(const Call& call) {
  const int code = compute(call);
  if (code != FERRUM_FA2_OK || call.number != 1) return code;
  cudaStream_t aside = nullptr;
  cudaError_t error = cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking);
  if (error == cudaSuccess) error = queue_delay(50, aside);
  if (error == cudaSuccess) error = queue_crime(call, Crime::illegal_write, aside);
  return answer(call, error);
}

}  // namespace

std::vector<Fault> error_faults() {
  return {
      {"swallow_launch_error", swallow_launch_error},
      {"no_image", no_image},
      {"stale_error", stale_error},
      {"spin_forever", spin_forever},
      {"oob_read", oob_read},
      {"oob_write", oob_write},
      {"oob_late", oob_late},
      {"oob_on_workload_3", oob_on_workload_3},
      {"trap", trap},
  };
}

}  // namespace fa2bench::faulty
