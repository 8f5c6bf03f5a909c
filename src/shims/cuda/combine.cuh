// SPDX-License-Identifier: MIT
// Merges the parts of a KV split: one warp per output row.
#pragma once

#include <cstdint>

#include "shims/cuda/place.cuh"
#include "shims/cuda/ptx.cuh"

namespace fa2bench::shims::cuda {

inline constexpr int kCombineWarps = 4;

/// Merges the parts of one output row per warp, weighted by their sums, always in the same order.
template <int kHeadDim>
__global__ void __launch_bounds__(kCombineWarps * 32) combine_kernel(const Params p) {
  constexpr int kPairs = kHeadDim / 64;  // neighbouring columns 64 · i + 2 · lane of a lane
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t rows = static_cast<std::int64_t>(p.total_q_tokens) * p.num_heads;
  const std::int64_t row =
      static_cast<std::int64_t>(blockIdx.x) * kCombineWarps + static_cast<int>(threadIdx.x) / 32;
  if (row >= rows) return;
  const int token = static_cast<int>(row / p.num_heads);
  const int head = static_cast<int>(row % p.num_heads);
  const int seq =
      last_sequence(p.num_seqs, [&](int candidate) { return p.cu_seqlens_q[candidate] <= token; });
  // Parts past the row's last visible key were not written for it.
  const std::int64_t limit =
      static_cast<std::int64_t>(p.seq_lens[seq]) - (p.cu_seqlens_q[seq + 1] - token) + 1;
  const std::int64_t started = limit <= 0 ? 0 : (limit + p.split_keys - 1) / p.split_keys;
  const int parts = static_cast<int>(min(started, static_cast<std::int64_t>(p.splits)));

  float most = minus_infinity();
  for (int part = 0; part < parts; ++part) {
    most = fmaxf(most, p.partial_lse[part * rows + row]);
  }
  const float base = most == minus_infinity() ? 0.0F : most;
  float total = 0.0F;
  float2 sums[kPairs] = {};
#pragma unroll 8
  for (int part = 0; part < parts; ++part) {
    const float weight = exp2_approximately(p.partial_lse[part * rows + row] - base);
    const float* from = p.partial_out + (part * rows + row) * kHeadDim + 2 * lane;
    total += weight;
#pragma unroll
    for (int i = 0; i < kPairs; ++i) {
      const float2 value = *reinterpret_cast<const float2*>(from + 64 * i);
      sums[i].x = fmaf(weight, value.x, sums[i].x);
      sums[i].y = fmaf(weight, value.y, sums[i].y);
    }
  }
  const float scale = total == 0.0F ? 0.0F : 1.0F / total;
#pragma unroll
  for (int i = 0; i < kPairs; ++i) {
    *reinterpret_cast<std::uint32_t*>(p.out + row * kHeadDim + 64 * i + 2 * lane) =
        pack_halves(sums[i].x * scale, sums[i].y * scale);
  }
  if (lane == 0) {
    const float log2_sum = total == 0.0F ? minus_infinity() : base + log2f(total);
    p.lse[static_cast<std::int64_t>(head) * p.total_q_tokens + token] =
        log2_sum * 0.693147180559945F;
  }
}

}  // namespace fa2bench::shims::cuda
