// SPDX-License-Identifier: MIT
// Small kernels that do no attention: they hang, wait, write over inputs, or end the context.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "cuda/attention.hpp"

namespace fa2bench::faulty {
namespace {

__device__ volatile int forever = 1;

__global__ void endless_kernel() {
  while (forever != 0) __nanosleep(1000);
}

__global__ void delay_kernel(unsigned long long nanoseconds) {
  unsigned long long start = 0;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
  for (unsigned long long now = start; now - start < nanoseconds;) {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  }
}

__global__ void clobber_kernel(__half* k, const int* seq_lens, const int* block_tables,
                               int num_seqs, int table_stride, long long block_elements) {
  for (int seq = 0; seq < num_seqs; ++seq) {
    if (seq_lens[seq] == 0) continue;
    k[block_tables[static_cast<long long>(seq) * table_stride] * block_elements] =
        __float2half(1.0F);
    return;
  }
}

/// `nowhere` is an address that nothing is mapped at.
__global__ void crime_kernel(Crime crime, const volatile int* nowhere, float* lse) {
  if (crime == Crime::trap) __trap();
  if (crime == Crime::illegal_write) *const_cast<volatile int*>(nowhere) = 1;
  if (crime == Crime::illegal_read && *nowhere == 1) lse[0] = 0.0F;
}

}  // namespace

cudaError_t queue_endless(cudaStream_t stream) {
  endless_kernel<<<1, 1, 0, stream>>>();
  return cudaPeekAtLastError();
}

cudaError_t queue_delay(unsigned milliseconds, cudaStream_t stream) {
  delay_kernel<<<1, 1, 0, stream>>>(milliseconds * 1000000ULL);
  return cudaPeekAtLastError();
}

cudaError_t queue_clobber(const Call& call, cudaStream_t stream) {
  clobber_kernel<<<1, 1, 0, stream>>>(
      reinterpret_cast<__half*>(const_cast<std::uint16_t*>(call.k)), call.seq_lens,
      call.block_tables, call.num_seqs, call.max_blocks_per_seq,
      static_cast<long long>(call.block_size) * call.num_kv_heads * call.head_dim);
  return cudaPeekAtLastError();
}

cudaError_t queue_crime(const Call& call, Crime crime, cudaStream_t stream) {
  // 16 TiB past the pool: further than any pool reaches, and an address all the same.
  const auto nowhere = reinterpret_cast<std::uintptr_t>(call.k) / 16 * 16 + (1ULL << 44U);
  crime_kernel<<<1, 1, 0, stream>>>(crime, reinterpret_cast<const volatile int*>(nowhere),
                                    call.lse);
  return cudaPeekAtLastError();
}

}  // namespace fa2bench::faulty
