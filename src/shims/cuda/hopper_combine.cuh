// SPDX-License-Identifier: MIT
// Merges the parts of a KV split of the Hopper kernel: one warp per output row.
#pragma once

#include <cstdint>

#include "shims/cuda/hopper_place.cuh"
#include "shims/cuda/hopper_rows.cuh"

namespace fa2bench::shims::cuda {

inline constexpr int kHopperCombineWarps = 4;

/// Parts are weighted by their sums, always in the same order. A lane has four neighbouring
/// columns.
__global__ void __launch_bounds__(kHopperCombineWarps * 32)
    hopper_combine_kernel(const HopperParams p) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t rows = static_cast<std::int64_t>(p.total_q_tokens) * p.num_heads;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * kHopperCombineWarps +
                           static_cast<int>(threadIdx.x) / 32;
  if (row >= rows) return;
  const int token = static_cast<int>(row / p.num_heads);
  const int head = static_cast<int>(row % p.num_heads);
  int seq = 0;
  for (int high = p.num_seqs; high - seq > 1;) {
    const int middle = seq + (high - seq) / 2;
    if (p.cu_seqlens_q[middle] <= token) {
      seq = middle;
    } else {
      high = middle;
    }
  }
  if (p.cu_seqlens_q[seq + 1] - p.cu_seqlens_q[seq] < p.least_q_len) return;
  // Parts past the row's last visible key hold nothing for it.
  const int limit = p.seq_lens[seq] - (p.cu_seqlens_q[seq + 1] - token) + 1;
  const int parts = limit <= 0 ? 0 : min((limit - 1) / p.split_keys + 1, p.splits);
  float most = -INFINITY;
  for (int part = 0; part < parts; ++part) most = fmaxf(most, p.partial_lse[part * rows + row]);
  const float base = most == -INFINITY ? 0.0F : most;
  float total = 0.0F;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int part = 0; part < parts; ++part) {
    const float weight = exp2_approximately(p.partial_lse[part * rows + row] - base);
    const float4 value = *reinterpret_cast<const float4*>(
        p.partial_out + (part * rows + row) * kHopperHeadDim + 4 * lane);
    total += weight;
    sum.x = fmaf(weight, value.x, sum.x);
    sum.y = fmaf(weight, value.y, sum.y);
    sum.z = fmaf(weight, value.z, sum.z);
    sum.w = fmaf(weight, value.w, sum.w);
  }
  const float scale = total == 0.0F ? 0.0F : 1.0F / total;
  *reinterpret_cast<uint2*>(p.out + row * kHopperHeadDim + 4 * lane) = make_uint2(
      hopper_pair(sum.x * scale, sum.y * scale), hopper_pair(sum.z * scale, sum.w * scale));
  if (lane == 0) {
    p.lse[static_cast<std::int64_t>(head) * p.total_q_tokens + token] =
        (total == 0.0F ? -INFINITY : base + log2f(total)) * 0.693147180559945F;
  }
}

}  // namespace fa2bench::shims::cuda
