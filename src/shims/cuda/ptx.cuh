// SPDX-License-Identifier: MIT
// The instructions (sm_80 and later) that CUDA C++ has no names for.
#pragma once

#include <cstdint>

namespace fa2bench::shims::cuda {

__device__ inline std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

/// Copies 16 bytes from global to shared memory in the background; both aligned to 16. When not
/// `live`, writes zeros and does not read the source.
__device__ inline void copy_async(void* to, const void* from, bool live) {
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;\n" ::"r"(shared_address(to)),
               "l"(__cvta_generic_to_global(from)), "r"(live ? 16 : 0)
               : "memory");
}

/// Ends a group of this thread's copies; it may be empty.
__device__ inline void commit_copies() { asm volatile("cp.async.commit_group;\n" ::: "memory"); }

/// Waits until at most kPending of this thread's latest groups are unfinished.
template <int kPending>
__device__ inline void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(kPending) : "memory");
}

/// Orders memory accesses for the whole device; unlike __threadfence not sequentially consistent,
/// which takes longer.
__device__ inline void fence_gpu() { asm volatile("fence.acq_rel.gpu;\n" ::: "memory"); }

/// Asks for the line of `at` to be in L2.
__device__ inline void prefetch_to_l2(const void* at) {
  asm volatile("prefetch.global.L2 [%0];\n" ::"l"(__cvta_generic_to_global(at)));
}

/// Four 8 × 8 matrices of f16. Lane l passes the address of row l % 8 of matrix l / 8, and gets of
/// each matrix the elements (l / 4, 2 · (l % 4)) and the next one.
__device__ inline void load_matrices(std::uint32_t (&m)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
               : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
               : "r"(shared_address(row))
               : "memory");
}

/// The same of the transposed matrices: elements (2 · (l % 4), l / 4) and the one below.
__device__ inline void load_matrices_transposed(std::uint32_t (&m)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];\n"
               : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
               : "r"(shared_address(row))
               : "memory");
}

/// c += a · b for f16 a [16, 16], b [16, 8] and f32 c [16, 8], in the fragments of mma.m16n8k16:
/// lane l holds, with i = l / 4 and j = 2 · (l % 4), pairs of neighbours
///   a: (i, j), (i + 8, j), (i, j + 8), (i + 8, j + 8)    b: rows j, j + 1 and j + 8, j + 9 of
///   column i c: (i, j), (i, j + 1), (i + 8, j), (i + 8, j + 1)
__device__ inline void multiply_add(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                    std::uint32_t b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};\n"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/// 2^x to about 2 units in the last place; 2^-inf = 0.
__device__ inline float exp2_approximately(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;\n" : "=f"(y) : "f"(x));
  return y;
}

}  // namespace fa2bench::shims::cuda
