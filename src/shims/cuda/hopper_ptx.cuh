// SPDX-License-Identifier: MIT
// The instructions of sm_90a that CUDA C++ has no names for: barriers in shared memory, the bulk
// tensor copy, matrix products of a warpgroup (four warps).
#pragma once

#include <cuda.h>

#include <cstdint>

#include "shims/cuda/ptx.cuh"

namespace fa2bench::shims::cuda {

using Barrier = std::uint64_t;  ///< an mbarrier, in shared memory

__device__ inline void start_barrier(Barrier* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n" ::"r"(shared_address(barrier)),
               "r"(arrivals)
               : "memory");
}

/// Makes started barriers visible to the copy engine.
__device__ inline void fence_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;\n" ::: "memory");
}

__device__ inline void arrive(Barrier* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];\n" ::"r"(shared_address(barrier))
               : "memory");
}

/// Arrives and makes the phase wait for `bytes` of copies too.
__device__ inline void arrive_expecting(Barrier* barrier, int bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n" ::"r"(shared_address(barrier)),
      "r"(bytes)
      : "memory");
}

/// Waits until the phase of this parity has ended; the first phase has parity 0.
__device__ inline void wait(Barrier* barrier, int parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@done bra ended;\n"
      "bra again;\n"
      "ended:\n"
      "}\n" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}

/// Waits for the `threads` threads that share a numbered barrier of the block.
__device__ inline void join_threads(int id, int threads) {
  asm volatile("bar.sync %0, %1;\n" ::"r"(id), "r"(threads) : "memory");
}

/// Orders this thread's stores to shared memory before later reads by the matrix units.
__device__ inline void fence_shared_stores() {
  asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory");
}

template <int kRegisters>
__device__ inline void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;\n" ::"n"(kRegisters));
}
template <int kRegisters>
__device__ inline void give_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;\n" ::"n"(kRegisters));
}

__device__ inline void prefetch_map(const CUtensorMap* map) {
  asm volatile("prefetch.tensormap [%0];\n" ::"l"(map) : "memory");
}

/// Starts the copy of a box at these coordinates, the innermost first.
__device__ inline void copy_box(void* to, const CUtensorMap* map, Barrier* barrier, int c0, int c1,
                                int c2, int c3) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%3, %4, %5, %6}], [%2];\n" ::"r"(shared_address(to)),
      "l"(map), "r"(shared_address(barrier)), "r"(c0), "r"(c1), "r"(c2), "r"(c3)
      : "memory");
}
__device__ inline void copy_box(void* to, const CUtensorMap* map, Barrier* barrier, int c0, int c1,
                                int c2, int c3, int c4) {
  asm volatile(
      "cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%3, %4, %5, %6, %7}], [%2];\n" ::"r"(shared_address(to)),
      "l"(map), "r"(shared_address(barrier)), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4)
      : "memory");
}

/// Starts the copy of a box from shared memory to these coordinates.
__device__ inline void write_box(const CUtensorMap* map, const void* from, int c0, int c1, int c2,
                                 int c3) {
  asm volatile(
      "cp.async.bulk.tensor.4d.global.shared::cta.bulk_group [%0, {%2, %3, %4, %5}], [%1];\n" ::"l"(
          map),
      "r"(shared_address(from)), "r"(c0), "r"(c1), "r"(c2), "r"(c3)
      : "memory");
}
/// Waits until this thread's write_box copies have read what they write.
__device__ inline void wait_for_writes() {
  asm volatile(
      "cp.async.bulk.commit_group;\n"
      "cp.async.bulk.wait_group.read 0;\n" ::
          : "memory");
}

/// A matrix in shared memory for the matrix units, made of 8 rows × 128 bytes with the 128-byte
/// swizzle. If a row has elements of the reduced dimension (K-major): `row_step` bytes between
/// groups of 8 rows. If of the other dimension (MN-major): `row_step` between groups of 8 elements
/// of the reduced dimension, `column_step` between 64 of the other.
class Matrix {
 public:
  __device__ Matrix(std::uint32_t address, int row_step, int column_step)
      : low_((address & 0x3FFFFU) >> 4U | static_cast<std::uint32_t>(column_step >> 4) << 16U),
        high_(static_cast<std::uint32_t>(row_step >> 4) | 1U << 30U) {}
  /// The descriptor of the matrix that many bytes further on.
  __device__ std::uint64_t at(int bytes) const {
    return static_cast<std::uint64_t>(high_) << 32U |
           (low_ + static_cast<std::uint32_t>(bytes >> 4));
  }

 private:
  std::uint32_t low_;
  std::uint32_t high_;
};

__device__ inline void fence_products() {
  asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
}
__device__ inline void commit_products() {
  asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
}
template <int kPending>
__device__ inline void wait_for_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;\n" ::"n"(kPending) : "memory");
}
/// Keeps the compiler from moving registers of a running product.
template <int kCount>
__device__ inline void pin(float (&values)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) asm volatile("" : "+f"(values[i])::"memory");
}
template <int kCount>
__device__ inline void pin(std::uint32_t (&values)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) asm volatile("" : "+r"(values[i])::"memory");
}

/// Keeps the assembler from moving a later wait before the computation of `value`: were it
/// negative, which it is not, there would be a store before that.
__device__ inline void finish_first(float value, const void* shared) {
  asm volatile(
      "{\n"
      ".reg .pred negative;\n"
      "setp.lt.f32 negative, %0, 0f00000000;\n"
      "@negative st.shared.f32 [%1], %0;\n"
      "}\n" ::"f"(value),
      "r"(shared_address(shared))
      : "memory");
}

// The 64 registers of a thread's part of an f32 [64, 128]: warp w holds rows 16 w … 16 w + 15, each
// in the fragment of multiply_add, 8 columns after 8 columns.
#define FA2BENCH_EIGHT(c, i)                                                                  \
  "+f"(c[i]), "+f"(c[i + 1]), "+f"(c[i + 2]), "+f"(c[i + 3]), "+f"(c[i + 4]), "+f"(c[i + 5]), \
      "+f"(c[i + 6]), "+f"(c[i + 7])
#define FA2BENCH_SIXTY_FOUR(c)                                                              \
  FA2BENCH_EIGHT(c, 0), FA2BENCH_EIGHT(c, 8), FA2BENCH_EIGHT(c, 16), FA2BENCH_EIGHT(c, 24), \
      FA2BENCH_EIGHT(c, 32), FA2BENCH_EIGHT(c, 40), FA2BENCH_EIGHT(c, 48), FA2BENCH_EIGHT(c, 56)
#define FA2BENCH_SIXTY_FOUR_NAMES                                                          \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, " \
  "%19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, "  \
  "%36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, "  \
  "%53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}"

/// Starts c = a · b (+ c): a f16 [64, 16] and b f16 [16, 128], both K-major in shared memory.
template <bool kAdd>
__device__ inline void start_product(float (&c)[64], std::uint64_t a, std::uint64_t b) {
  asm volatile(
      "{\n"
      ".reg .pred add;\n"
      "setp.ne.b32 add, %66, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " FA2BENCH_SIXTY_FOUR_NAMES
      ", %64, %65, add, 1, 1, 0, 0;\n"
      "}\n"
      : FA2BENCH_SIXTY_FOUR(c)
      : "l"(a), "l"(b), "n"(kAdd ? 1 : 0));
}

/// Starts c += a · b: a f16 [64, 16] in registers, in the fragment of multiply_add; b f16 [16, 128]
/// MN-major in shared memory.
__device__ inline void start_product(float (&c)[64], const std::uint32_t* a, std::uint64_t b) {
  asm volatile(
      "{\n"
      ".reg .pred add;\n"
      "setp.ne.b32 add, 1, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " FA2BENCH_SIXTY_FOUR_NAMES
      ", {%64, %65, %66, %67}, %68, add, 1, 1, 1;\n"
      "}\n"
      : FA2BENCH_SIXTY_FOUR(c)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

#undef FA2BENCH_EIGHT
#undef FA2BENCH_SIXTY_FOUR
#undef FA2BENCH_SIXTY_FOUR_NAMES

}  // namespace fa2bench::shims::cuda
