// SPDX-License-Identifier: MIT
// Thread block clusters (sm_90 and later). Elsewhere every block is a cluster of its own.
#pragma once

#include <cstdint>

#include "shims/cuda/ptx.cuh"

namespace fa2bench::shims::cuda {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

__device__ inline unsigned cluster_size() {
  unsigned value;
  asm("mov.u32 %0, %%cluster_nctaid.x;\n" : "=r"(value));
  return value;
}

__device__ inline unsigned cluster_rank() {
  unsigned value;
  asm("mov.u32 %0, %%cluster_ctarank;\n" : "=r"(value));
  return value;
}

/// The two halves of a barrier of all threads of the cluster; what was written before the first is
/// seen after the second. Not the aligned forms: threads of a warp may come one after the other.
__device__ inline void arrive_at_cluster() {
  asm volatile("barrier.cluster.arrive.release;\n" ::: "memory");
}
__device__ inline void wait_for_cluster() {
  asm volatile("barrier.cluster.wait.acquire;\n" ::: "memory");
}

/// The address of the same shared variable in the block of `rank`.
__device__ inline std::uint32_t address_in_cluster(const void* pointer, unsigned rank) {
  std::uint32_t address;
  asm("mapa.shared::cluster.u32 %0, %1, %2;\n"
      : "=r"(address)
      : "r"(shared_address(pointer)), "r"(rank));
  return address;
}

__device__ inline float load_in_cluster(std::uint32_t address) {
  float value;
  asm volatile("ld.shared::cluster.f32 %0, [%1];\n" : "=f"(value) : "r"(address) : "memory");
  return value;
}

__device__ inline float4 load_quad_in_cluster(std::uint32_t address) {
  float4 value;
  asm volatile("ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];\n"
               : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
               : "r"(address)
               : "memory");
  return value;
}

#else

__device__ inline unsigned cluster_size() { return 1; }
__device__ inline unsigned cluster_rank() { return 0; }
__device__ inline void arrive_at_cluster() {}
__device__ inline void wait_for_cluster() {}
__device__ inline std::uint32_t address_in_cluster(const void* pointer, unsigned /*rank*/) {
  return shared_address(pointer);
}
__device__ inline float load_in_cluster(std::uint32_t /*address*/) { return 0.0F; }
__device__ inline float4 load_quad_in_cluster(std::uint32_t /*address*/) { return {}; }

#endif

}  // namespace fa2bench::shims::cuda
