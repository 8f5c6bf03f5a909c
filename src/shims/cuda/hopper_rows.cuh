// SPDX-License-Identifier: MIT
// The 64 rows of a consumer warpgroup between matrix products: masks, online softmax in base 2,
// output.
#pragma once

#include <cuda_fp16.h>

#include <cstdint>
#include <cstring>

#include "shims/cuda/hopper_place.cuh"
#include "shims/cuda/hopper_ptx.cuh"

namespace fa2bench::shims::cuda {

/// A thread's two rows: lane / 4 and that + 8 of its warp's 16. Element 4 · n + 2 · r + c of a
/// product is row r's in column 8 · n + 2 · (lane % 4) + c.
struct HopperRows {
  float most[2];   ///< largest score so far
  float sum[2];    ///< this lane's share of the sum of weights
  float scale[2];  ///< what the last maximum makes of earlier sums
  int limit[2];    ///< the row sees keys below this
};

/// Of the tile.
__device__ inline int hopper_row(int half, int r) {
  const int thread = static_cast<int>(threadIdx.x) % 128;
  return half * 64 + thread / 32 * 16 + thread % 32 / 4 + r * 8;
}

/// A row's query token of the tile, without a division.
__device__ inline int token_of(const HopperParams& p, int row) {
  return row * p.group_inverse >> 16;
}

__device__ inline void start_rows(const HopperParams& p, const HopperTile& t, int half,
                                  HopperRows& rows) {
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    rows.most[r] = -INFINITY;
    rows.sum[r] = 0.0F;
    // Rows past the tile's last one are computed from what lies there, and not written.
    rows.limit[r] = min(t.hidden + token_of(p, hopper_row(half, r)) + 1, t.end);
  }
}

__device__ inline void hide_keys(int key, const HopperRows& rows, float (&s)[64]) {
  const int first = key + static_cast<int>(threadIdx.x) % 4 * 2;
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    const int position = first + i / 4 * 8 + i % 2;
    s[i] = position < rows.limit[i / 2 % 2] ? s[i] : -INFINITY;
  }
}

/// Scores become weights.
__device__ inline void weigh(float score_scale, HopperRows& rows, float (&s)[64]) {
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    float most = fmaxf(s[2 * r], s[2 * r + 1]);
#pragma unroll
    for (int n = 1; n < 16; ++n) {
      most = fmaxf(most, fmaxf(s[4 * n + 2 * r], s[4 * n + 2 * r + 1]));
    }
    most = fmaxf(most, __shfl_xor_sync(0xFFFFFFFFU, most, 1));
    most = fmaxf(fmaxf(most, __shfl_xor_sync(0xFFFFFFFFU, most, 2)), rows.most[r]);
    // Without a visible key yet there is no finite maximum to subtract.
    const float base = most == -INFINITY ? 0.0F : most * score_scale;
    rows.scale[r] = exp2_approximately(fmaf(rows.most[r], score_scale, -base));
    rows.most[r] = most;
    float sum = 0.0F;
#pragma unroll
    for (int n = 0; n < 16; ++n) {
#pragma unroll
      for (int i = 4 * n + 2 * r; i < 4 * n + 2 * r + 2; ++i) {
        s[i] = exp2_approximately(fmaf(s[i], score_scale, -base));
        sum += s[i];
      }
    }
    rows.sum[r] = fmaf(rows.sum[r], rows.scale[r], sum);
  }
}

__device__ inline void shrink(const HopperRows& rows, float (&o)[64]) {
#pragma unroll
  for (int i = 0; i < 64; ++i) o[i] *= rows.scale[i / 2 % 2];
}

__device__ inline std::uint32_t hopper_pair(float low, float high) {
  const __half2 pair = __floats2half2_rn(low, high);
  std::uint32_t bits;
  memcpy(&bits, &pair, sizeof bits);
  return bits;
}

/// The weights as the f16 operand of the next product.
__device__ inline void pack_weights(const float (&s)[64], std::uint32_t (&weights)[32]) {
#pragma unroll
  for (int i = 0; i < 32; ++i) weights[i] = hopper_pair(s[2 * i], s[2 * i + 1]);
}

/// A row's place in q and out, in rows of head_dim: [total_q_tokens, num_heads].
__device__ inline std::int64_t hopper_row_index(const HopperParams& p, const HopperTile& t,
                                                int row) {
  const int token = token_of(p, row);
  return static_cast<std::int64_t>(t.first_token + token) * p.num_heads + t.kv_head * p.group +
         (row - token * p.group);
}

__device__ inline void write_lse(const HopperParams& p, const HopperTile& t, int row,
                                 float log2_sum) {
  if (p.splits > 1) {
    p.partial_lse[static_cast<std::int64_t>(t.split) * p.total_q_tokens * p.num_heads +
                  hopper_row_index(p, t, row)] = log2_sum;
  } else {
    const int token = token_of(p, row);
    const int head = t.kv_head * p.group + (row - token * p.group);
    p.lse[static_cast<std::int64_t>(head) * p.total_q_tokens + t.first_token + token] =
        log2_sum * 0.693147180559945F;
  }
}

/// Writes the warpgroup's rows to out and lse, or as a part to the workspace. Outputs pass through
/// `q`, whose rows of this warpgroup nothing reads any more, so that a row is written at once.
__device__ inline void finish_rows(const HopperParams& p, const CUtensorMap& out,
                                   const HopperTile& t, int half, const HopperRows& rows,
                                   float (&o)[64], unsigned char* q, int group_barrier) {
  const int thread = static_cast<int>(threadIdx.x) % 128;
  const int lane = thread % 32;
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    float sum = rows.sum[r];
    sum += __shfl_xor_sync(0xFFFFFFFFU, sum, 1);
    sum += __shfl_xor_sync(0xFFFFFFFFU, sum, 2);
    const float scale = sum == 0.0F ? 0.0F : 1.0F / sum;
    const int row = hopper_row(half, r);
    if (lane % 4 == 0 && row < t.rows) {
      write_lse(p, t, row, sum == 0.0F ? -INFINITY : fmaf(rows.most[r], p.score_scale, log2f(sum)));
    }
#pragma unroll
    for (int n = 0; n < 16; ++n) {
      o[4 * n + 2 * r] *= scale;
      o[4 * n + 2 * r + 1] *= scale;
    }
  }
  if (p.splits > 1) {
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const int row = hopper_row(half, r);
      if (row >= t.rows) continue;
      float* to = p.partial_out +
                  (static_cast<std::int64_t>(t.split) * p.total_q_tokens * p.num_heads +
                   hopper_row_index(p, t, row)) *
                      kHopperHeadDim +
                  lane % 4 * 2;
#pragma unroll
      for (int n = 0; n < 16; ++n) {
        *reinterpret_cast<float2*>(to + n * 8) =
            make_float2(o[4 * n + 2 * r], o[4 * n + 2 * r + 1]);
      }
    }
    return;
  }
  join_threads(group_barrier, 128);  // the other warps' products have read q too
  // Chunks of 16 bytes of half a row, swizzled against bank conflicts.
  unsigned char* rows_of_group = q + half * 64 * 128;  // two halves, kHopperRows * 128 apart
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    const int row = hopper_row(0, r);
#pragma unroll
    for (int n = 0; n < 16; ++n) {
      *reinterpret_cast<std::uint32_t*>(rows_of_group + n / 8 * kHopperRows * 128 + row * 128 +
                                        (n % 8 ^ row % 8) * 16 + lane % 4 * 4) =
          hopper_pair(o[4 * n + 2 * r], o[4 * n + 2 * r + 1]);
    }
  }
  if (64 % p.group == 0 && t.rows == kHopperRows) {
    fence_shared_stores();
    join_threads(group_barrier, 128);
    if (thread == 0) {
      const int token = t.first_token + half * p.tokens_per_tile / 2;
      write_box(&out, rows_of_group, 0, t.kv_head * p.group, 0, token);
      write_box(&out, rows_of_group + kHopperRows * 128, 0, t.kv_head * p.group, 1, token);
      wait_for_writes();
    }
    return;
  }
  join_threads(group_barrier, 128);
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = thread / 16 + 8 * i;
    const int chunk = thread % 16;
    if (half * 64 + row < t.rows) {
      const uint4 value = *reinterpret_cast<const uint4*>(
          rows_of_group + chunk / 8 * kHopperRows * 128 + row * 128 + (chunk % 8 ^ row % 8) * 16);
      *reinterpret_cast<uint4*>(p.out + hopper_row_index(p, t, half * 64 + row) * kHopperHeadDim +
                                chunk * 8) = value;
    }
  }
}

/// The rows of a tile that sees no key. A part without keys is not merged, and so not written.
__device__ inline void write_nothing(const HopperParams& p, const HopperTile& t, int half) {
  if (p.splits > 1) return;
  const int thread = static_cast<int>(threadIdx.x) % 128;
  for (int i = thread; i < 64 * 16; i += 128) {
    const int row = half * 64 + i / 16;
    if (row >= t.rows) break;
    *reinterpret_cast<uint4*>(p.out + hopper_row_index(p, t, row) * kHopperHeadDim + i % 16 * 8) =
        make_uint4(0, 0, 0, 0);
    if (i % 16 == 0) write_lse(p, t, row, -INFINITY);
  }
}

}  // namespace fa2bench::shims::cuda
