// SPDX-License-Identifier: MIT
// The CUDA shim's kernels, as functions that queue them. C++17: .cu files include it.
#pragma once

#include <cuda_runtime_api.h>

#include "fault.hpp"

namespace fa2bench::faulty {

/// The decisions of the attention kernel that a fault may spoil. The defaults are right.
struct KernelPolicy {
  enum class Offset { wide, int32_bytes, uint32_elements };

  Offset offset = Offset::wide;  ///< in which type the place of a block in the pool is computed
  bool zeros = false;            ///< out is 0; lse is right
  bool lse = true;               ///< written or not
  bool drop_last_block = false;  ///< of sequences with more than one
  bool top_left = false;         ///< causal mask for q_len = kv_len
  bool gqa_mod = false;          ///< query head h reads KV head h % num_kv_heads
  bool overrun = false;          ///< writes 64 bytes behind out and behind lse
  float first_row_error = 0.0F;  ///< added to the first head of the first token
  /// The last block to finish waits this part of the time since the first one began.
  float extra_time_percent = 0.0F;
};

inline cudaStream_t stream_of(const Call& call) { return static_cast<cudaStream_t>(call.stream); }

// Each queues one kernel and returns the launch's error, which stays the runtime's last error.
cudaError_t queue_attention(const Call& call, const KernelPolicy& policy, cudaStream_t stream);
/// More threads than a block can have: refused by the runtime.
cudaError_t queue_impossible(const Call& call, cudaStream_t stream);
/// Compiled for another architecture only: refused by the runtime.
cudaError_t queue_foreign(cudaStream_t stream);
cudaError_t queue_endless(cudaStream_t stream);
/// Busy for about `milliseconds`.
cudaError_t queue_delay(unsigned milliseconds, cudaStream_t stream);
/// Sets the first element of the first key of the batch to 1.
cudaError_t queue_clobber(const Call& call, cudaStream_t stream);

enum class Crime { illegal_read, illegal_write, trap };
/// Ends the context of this process when it runs.
cudaError_t queue_crime(const Call& call, Crime crime, cudaStream_t stream);

/// FERRUM_FA2_OK, or FERRUM_FA2_LAUNCH_FAILED with a text. Clears the runtime's last error.
int answer(const Call& call, cudaError_t error);
/// queue_attention on the caller's stream, and its answer.
int attend(const Call& call, const KernelPolicy& policy);

// The stories of the CUDA shim's own faults.
std::vector<Fault> kernel_faults();   ///< wrong values and stray writes
std::vector<Fault> stream_faults();   ///< right values, on a stream that nobody watches
std::vector<Fault> capture_faults();  ///< only wrong while a graph is captured
std::vector<Fault> host_faults();     ///< what a call should not do on the host's side
std::vector<Fault> error_faults();    ///< the device fails, and the shim tells or hides it

}  // namespace fa2bench::faulty
