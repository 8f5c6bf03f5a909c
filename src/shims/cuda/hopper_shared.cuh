// SPDX-License-Identifier: MIT
// The shared memory of a block of the Hopper kernel: tiles of Q, K and V in stages, with a barrier
// for each that it is full and one that it is empty.
//
// A tile of K or V is made of pieces of 8 rows × 128 bytes with the 128-byte swizzle, two for 8
// keys. A tile of Q has the first halves of all rows, then the second ones, in the same pieces.
#pragma once

#include "shims/cuda/hopper_place.cuh"
#include "shims/cuda/hopper_ptx.cuh"

namespace fa2bench::shims::cuda {

inline constexpr int kHopperStages = 2;     ///< of K, and of V
inline constexpr int kHopperQStages = 2;    ///< of Q, one for each tile
inline constexpr int kHopperThreads = 384;  ///< a producer and two consumer warpgroups
inline constexpr int kHopperTileBytes = kHopperKeys * kHopperHeadDim * 2;

struct HopperShared {
  alignas(1024) unsigned char q[kHopperQStages][kHopperTileBytes];  ///< [half][row][64 f16]
  alignas(1024) unsigned char k[kHopperStages][kHopperTileBytes];
  alignas(1024) unsigned char v[kHopperStages][kHopperTileBytes];
  HopperTile tiles[kHopperQStages];  ///< whose Q comes; without rows, there are no more
  Barrier q_full[kHopperQStages];
  Barrier q_empty[kHopperQStages];
  Barrier k_full[kHopperStages];
  Barrier k_empty[kHopperStages];
  Barrier v_full[kHopperStages];
  Barrier v_empty[kHopperStages];
  float never;  ///< written; see finish_first
};
inline constexpr int kHopperSharedBytes = sizeof(HopperShared);

/// The stage that is next, of kStages used in turn, and how often it was used before.
template <int kStages>
struct Turn {
  int stage = 0;
  int parity = 0;
  __device__ void next() {
    if (++stage == kStages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

}  // namespace fa2bench::shims::cuda
