// SPDX-License-Identifier: MIT
// A plain paged attention: one block per (query token, head), float accumulation, no tricks.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>

#include "cuda/attention.hpp"

namespace fa2bench::faulty {
namespace {

constexpr int kThreads = 128;  // also the largest head_dim, and the keys of one step
constexpr int kWarps = kThreads / 32;
constexpr unsigned long long kNever = ~0ULL;

struct Params {
  const __half* q;
  const __half* k;
  const __half* v;
  __half* out;
  float* lse;
  const int* cu_seqlens_q;
  const int* seq_lens;
  const int* block_tables;
  long long tokens;
  int num_seqs;
  int num_heads;
  int num_kv_heads;
  int head_dim;
  int block_size;
  int table_stride;
  float scale;
  KernelPolicy policy;
};

// For extra_time_percent. Two such kernels at once would share them.
__device__ unsigned long long first_start = kNever;
__device__ unsigned blocks_done = 0;

__device__ unsigned long long nanoseconds() {
  unsigned long long now = 0;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

template <class Combine>
__device__ float reduce(float value, Combine combine) {
  __shared__ float of_warp[kWarps];
  for (int step = 16; step > 0; step /= 2) {
    value = combine(value, __shfl_xor_sync(0xFFFFFFFFU, value, step));
  }
  __syncthreads();  // the last reduction may still be read
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warp[0];
  for (int warp = 1; warp < kWarps; ++warp) value = combine(value, of_warp[warp]);
  return value;
}

/// The sequence that holds `token`; empty sequences are passed over.
__device__ int sequence_of(const Params& p, int token) {
  int low = 0;
  int high = p.num_seqs;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (p.cu_seqlens_q[middle] <= token) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

__device__ long long slot_offset(const Params& p, int seq, int key, int kv_head) {
  const long long slot_elements = static_cast<long long>(p.num_kv_heads) * p.head_dim;
  const int block =
      p.block_tables[static_cast<long long>(seq) * p.table_stride + key / p.block_size];
  long long offset = block * slot_elements * p.block_size;
  if (p.policy.offset == KernelPolicy::Offset::int32_bytes) {
    // A negative offset would fault at once; block 0 is what a luckier build reads.
    offset = max(0, static_cast<int>(static_cast<unsigned>(2 * offset))) / 2;
  } else if (p.policy.offset == KernelPolicy::Offset::uint32_elements) {
    offset = static_cast<unsigned>(offset);
  }
  return offset + key % p.block_size * slot_elements + static_cast<long long>(kv_head) * p.head_dim;
}

__device__ void write_behind(const Params& p) {
  constexpr int kBytes = 64;
  const long long rows = p.tokens * p.num_heads;
  const int i = static_cast<int>(threadIdx.x);
  if (i < kBytes / 2) p.out[rows * p.head_dim + i] = __float2half(1.0F);
  if (i < kBytes / 4) p.lse[rows + i] = 1.0F;
}

__device__ void take_longer(float percent) {
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence();
  if (atomicInc(&blocks_done, gridDim.x - 1) != gridDim.x - 1) return;
  const unsigned long long now = nanoseconds();
  const unsigned long long start = atomicExch(&first_start, kNever);
  const auto wait = static_cast<unsigned long long>(static_cast<double>(now - start) *
                                                    static_cast<double>(percent) / 100.0);
  while (nanoseconds() < now + wait) {
  }
}

__global__ void __launch_bounds__(kThreads) attention_kernel(Params p) {
  if (p.policy.extra_time_percent > 0.0F && threadIdx.x == 0) {
    atomicMin(&first_start, nanoseconds());
  }
  __shared__ float q[kThreads];
  __shared__ float weights[kThreads];
  __shared__ long long offsets[kThreads];
  const int token = static_cast<int>(blockIdx.x / static_cast<unsigned>(p.num_heads));
  const int head = static_cast<int>(blockIdx.x % static_cast<unsigned>(p.num_heads));
  const int kv_head =
      p.policy.gqa_mod ? head % p.num_kv_heads : head / (p.num_heads / p.num_kv_heads);
  const int seq = sequence_of(p, token);
  const int i = token - p.cu_seqlens_q[seq];
  const int kv_len = p.seq_lens[seq];
  int visible = kv_len - (p.cu_seqlens_q[seq + 1] - p.cu_seqlens_q[seq]) + i + 1;
  if (p.policy.top_left) visible = min(i + 1, kv_len);
  if (p.policy.drop_last_block && kv_len > p.block_size) {
    visible = min(visible, (kv_len - 1) / p.block_size * p.block_size);
  }
  const long long row = static_cast<long long>(token) * p.num_heads + head;
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < p.head_dim) q[thread] = __half2float(p.q[row * p.head_dim + thread]);
  __syncthreads();

  float largest = -INFINITY;
  float sum = 0.0F;
  float out = 0.0F;  // of column `thread`
  for (int begin = 0; begin < visible; begin += kThreads) {
    const int count = min(kThreads, visible - begin);
    float score = -INFINITY;
    if (thread < count) {
      offsets[thread] = slot_offset(p, seq, begin + thread, kv_head);
      const __half* key = p.k + offsets[thread];
      float dot = 0.0F;
      for (int d = 0; d < p.head_dim; ++d) dot += q[d] * __half2float(key[d]);
      score = dot * p.scale;
    }
    const float before = largest;
    largest = fmaxf(before, reduce(score, [](float a, float b) { return fmaxf(a, b); }));
    weights[thread] = expf(score - largest);
    const float shrink = expf(before - largest);
    sum = sum * shrink + reduce(weights[thread], [](float a, float b) { return a + b; });
    out *= shrink;
    if (thread < p.head_dim) {
      for (int j = 0; j < count; ++j) out += weights[j] * __half2float(p.v[offsets[j] + thread]);
    }
    __syncthreads();
  }
  if (thread < p.head_dim) {
    float value = visible > 0 && !p.policy.zeros ? out / sum : 0.0F;
    if (row == 0) value += p.policy.first_row_error;
    p.out[row * p.head_dim + thread] = __float2half(value);
  }
  if (thread == 0 && p.policy.lse) {
    p.lse[head * p.tokens + token] = visible > 0 ? largest + logf(sum) : -INFINITY;
  }
  if (p.policy.overrun && row == 0) write_behind(p);
  if (p.policy.extra_time_percent > 0.0F) take_longer(p.policy.extra_time_percent);
}

Params make_params(const Call& call, const KernelPolicy& policy) {
  Params p = {};
  p.q = reinterpret_cast<const __half*>(call.q);
  p.k = reinterpret_cast<const __half*>(call.k);
  p.v = reinterpret_cast<const __half*>(call.v);
  p.out = reinterpret_cast<__half*>(call.out);
  p.lse = call.lse;
  p.cu_seqlens_q = call.cu_seqlens_q;
  p.seq_lens = call.seq_lens;
  p.block_tables = call.block_tables;
  p.tokens = call.total_q_tokens;
  p.num_seqs = call.num_seqs;
  p.num_heads = call.num_heads;
  p.num_kv_heads = call.num_kv_heads;
  p.head_dim = call.head_dim;
  p.block_size = call.block_size;
  p.table_stride = call.max_blocks_per_seq;
  p.scale = 1.0F / std::sqrt(static_cast<float>(call.head_dim));
  p.policy = policy;
  return p;
}

}  // namespace

cudaError_t queue_attention(const Call& call, const KernelPolicy& policy, cudaStream_t stream) {
  attention_kernel<<<static_cast<unsigned>(lse_elements(call)), kThreads, 0, stream>>>(
      make_params(call, policy));
  return cudaPeekAtLastError();
}

cudaError_t queue_impossible(const Call& call, cudaStream_t stream) {
  attention_kernel<<<static_cast<unsigned>(lse_elements(call)), 2048, 0, stream>>>(
      make_params(call, {}));
  return cudaPeekAtLastError();
}

}  // namespace fa2bench::faulty
