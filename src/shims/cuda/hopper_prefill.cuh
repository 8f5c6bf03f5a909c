// SPDX-License-Identifier: MIT
// Prefill on Hopper. A block takes tiles: query tokens of one sequence, a KV head, part of the
// keys. A warp finds them and copies what they need as far ahead as there is room; two warpgroups
// compute.
#pragma once

#include "shims/cuda/hopper_consume.cuh"
#include "shims/cuda/hopper_place.cuh"
#include "shims/cuda/hopper_produce.cuh"
#include "shims/cuda/hopper_ptx.cuh"
#include "shims/cuda/hopper_shared.cuh"

namespace fa2bench::shims::cuda {

__global__ void __launch_bounds__(kHopperThreads, 1)
    hopper_prefill_kernel(const __grid_constant__ HopperMaps maps, const HopperParams p) {
  extern __shared__ __align__(1024) unsigned char dynamic[];
  auto& shared = *reinterpret_cast<HopperShared*>(dynamic);
  constexpr int kConsumerWarps = 8;
  HopperSlot slot;
  Guess guess;
  if (threadIdx.x < 32) {
    slot = find_hopper_slot(p, blockIdx.x);
    guess = guess_block(p, slot);
  } else if (threadIdx.x == 32) {
    prefetch_map(&maps.q);
    prefetch_map(&maps.k);
    prefetch_map(&maps.v);
    prefetch_map(&maps.out);
    for (int i = 0; i < kHopperQStages; ++i) {
      start_barrier(&shared.q_full[i], 1);
      start_barrier(&shared.q_empty[i], kConsumerWarps);
    }
    for (int i = 0; i < kHopperStages; ++i) {
      start_barrier(&shared.k_full[i], 1);
      start_barrier(&shared.v_full[i], 1);
      start_barrier(&shared.k_empty[i], kConsumerWarps);
      start_barrier(&shared.v_empty[i], kConsumerWarps);
    }
    fence_barriers();
  }
  __syncthreads();
  const int warpgroup = __shfl_sync(0xFFFFFFFFU, static_cast<int>(threadIdx.x) / 128, 0);
  if (warpgroup == 0) {
    give_registers<56>();
    if (threadIdx.x < 32) produce_tiles(p, maps, slot, guess, shared);
  } else {
    take_registers<224>();
    consume_tiles(p, maps, warpgroup - 1, shared);
  }
}

}  // namespace fa2bench::shims::cuda
