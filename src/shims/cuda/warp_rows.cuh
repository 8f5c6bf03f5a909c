// SPDX-License-Identifier: MIT
// One warp's 16 query rows: scores on tensor cores, online softmax in base 2, weighted sum of V.
#pragma once

#include <cstdint>

#include "shims/cuda/key_tile.cuh"
#include "shims/cuda/place.cuh"
#include "shims/cuda/ptx.cuh"

namespace fa2bench::shims::cuda {

__device__ inline float quad_max(float value) {
  value = fmaxf(value, __shfl_xor_sync(0xFFFFFFFFU, value, 1));
  return fmaxf(value, __shfl_xor_sync(0xFFFFFFFFU, value, 2));
}

__device__ inline float quad_sum(float value) {
  value += __shfl_xor_sync(0xFFFFFFFFU, value, 1);
  return value + __shfl_xor_sync(0xFFFFFFFFU, value, 2);
}

/// One warp's 16 rows. A lane holds, of rows lane / 4 (half 0) and lane / 4 + 8 (half 1), the
/// columns 2 · (lane % 4) and the next one of each 8: the accumulator fragment of multiply_add.
template <int kHeadDim>
struct WarpRows {
  std::uint32_t q[kHeadDim / 16][4];
  float o[kHeadDim / 8][4];
  float m[2];    ///< largest score so far
  float l[2];    ///< this lane's share of the sum of weights
  int limit[2];  ///< the row sees keys below this
};

template <int kHeadDim>
__device__ inline void start_rows(const Params& p, const Place& place, int kv_head, int warp_row,
                                  WarpRows<kHeadDim>& rows) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int last_row = place.row_begin + place.row_count - 1;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    // Rows past the sequence repeat its last one; nothing is written for them.
    const int row = min(warp_row + lane / 4 + half * 8, last_row);
    const Row at = find_row(p, place, kv_head, row);
    rows.limit[half] = place.kv_len - place.q_len + at.token + 1;
    const __half* from = p.q + at.index * kHeadDim + lane % 4 * 2;
#pragma unroll
    for (int k = 0; k < kHeadDim / 16; ++k) {
      rows.q[k][half] = *reinterpret_cast<const std::uint32_t*>(from + k * 16);
      rows.q[k][half + 2] = *reinterpret_cast<const std::uint32_t*>(from + k * 16 + 8);
    }
    rows.m[half] = minus_infinity();
    rows.l[half] = 0.0F;
  }
#pragma unroll
  for (int n = 0; n < kHeadDim / 8; ++n) {
#pragma unroll
    for (int e = 0; e < 4; ++e) rows.o[n][e] = 0.0F;
  }
}

/// Scores of the tile at `key`, turned into weights; moves the rows' state to the new maximum.
template <int kHeadDim, int kKeys>
__device__ inline void weigh_keys(const unsigned char* k_tile, int key, bool hidden_keys,
                                  float score_scale, WarpRows<kHeadDim>& rows,
                                  float (&s)[kKeys / 8][4]) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int n = 0; n < kKeys / 8; ++n) {
#pragma unroll
    for (int e = 0; e < 4; ++e) s[n][e] = 0.0F;
  }
#pragma unroll
  for (int k = 0; k < kHeadDim / 16; ++k) {
#pragma unroll
    for (int n = 0; n < kKeys / 16; ++n) {
      std::uint32_t b[4];
      const int row = n * 16 + lane / 16 * 8 + lane % 8;
      load_matrices(b, k_tile + chunk_offset<kHeadDim>(row, k * 2 + lane / 8 % 2));
      multiply_add(s[2 * n], rows.q[k], b[0], b[1]);
      multiply_add(s[2 * n + 1], rows.q[k], b[2], b[3]);
    }
  }
  if (hidden_keys) {
#pragma unroll
    for (int n = 0; n < kKeys / 8; ++n) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int position = key + n * 8 + lane % 4 * 2 + e % 2;
        s[n][e] = position < rows.limit[e / 2] ? s[n][e] : minus_infinity();
      }
    }
  }
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    float most = rows.m[half];
#pragma unroll
    for (int n = 0; n < kKeys / 8; ++n) {
      most = fmaxf(most, fmaxf(s[n][2 * half], s[n][2 * half + 1]));
    }
    most = quad_max(most);
    // Without a visible key yet there is no finite maximum to subtract.
    const float base = most == minus_infinity() ? 0.0F : most * score_scale;
    const float shrink = exp2_approximately(rows.m[half] * score_scale - base);
    float sum = 0.0F;
#pragma unroll
    for (int n = 0; n < kKeys / 8; ++n) {
#pragma unroll
      for (int e = 2 * half; e < 2 * half + 2; ++e) {
        s[n][e] = exp2_approximately(fmaf(s[n][e], score_scale, -base));
        sum += s[n][e];
      }
    }
    rows.l[half] = rows.l[half] * shrink + sum;
    rows.m[half] = most;
    // After the first tiles a maximum seldom moves.
    if (__any_sync(0xFFFFFFFFU, shrink != 1.0F)) {
#pragma unroll
      for (int n = 0; n < kHeadDim / 8; ++n) {
        rows.o[n][2 * half] *= shrink;
        rows.o[n][2 * half + 1] *= shrink;
      }
    }
  }
}

/// o += weights · V. The weights are rounded to f16; sums stay f32.
template <int kHeadDim, int kKeys>
__device__ inline void add_values(const unsigned char* v_tile, const float (&s)[kKeys / 8][4],
                                  WarpRows<kHeadDim>& rows) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int k = 0; k < kKeys / 16; ++k) {
    const std::uint32_t a[4] = {pack_halves(s[2 * k][0], s[2 * k][1]),
                                pack_halves(s[2 * k][2], s[2 * k][3]),
                                pack_halves(s[2 * k + 1][0], s[2 * k + 1][1]),
                                pack_halves(s[2 * k + 1][2], s[2 * k + 1][3])};
#pragma unroll
    for (int n = 0; n < kHeadDim / 16; ++n) {
      std::uint32_t b[4];
      const int row = k * 16 + lane / 8 % 2 * 8 + lane % 8;
      load_matrices_transposed(b, v_tile + chunk_offset<kHeadDim>(row, n * 2 + lane / 16));
      multiply_add(rows.o[2 * n], a, b[0], b[1]);
      multiply_add(rows.o[2 * n + 1], a, b[2], b[3]);
    }
  }
}

/// Writes the warp's rows: to out and lse, or as part `split` to the workspace.
template <int kHeadDim>
__device__ inline void finish_rows(const Params& p, const Place& place, int kv_head, int split,
                                   int warp_row, const WarpRows<kHeadDim>& rows) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const float l = quad_sum(rows.l[half]);
    const int row = warp_row + lane / 4 + half * 8;
    if (row >= place.row_begin + place.row_count) continue;
    const Row at = find_row(p, place, kv_head, row);
    const float scale = l == 0.0F ? 0.0F : 1.0F / l;
    const float log2_sum = l == 0.0F ? minus_infinity() : rows.m[half] * p.score_scale + log2f(l);
    const int column = lane % 4 * 2;
    if (p.splits == 1) {
      __half* to = p.out + at.index * kHeadDim + column;
#pragma unroll
      for (int n = 0; n < kHeadDim / 8; ++n) {
        *reinterpret_cast<std::uint32_t*>(to + n * 8) =
            pack_halves(rows.o[n][2 * half] * scale, rows.o[n][2 * half + 1] * scale);
      }
      if (lane % 4 == 0) {
        p.lse[static_cast<std::int64_t>(at.head) * p.total_q_tokens + place.first_token +
              at.token] = log2_sum * 0.693147180559945F;
      }
    } else {
      const std::int64_t index =
          static_cast<std::int64_t>(split) * p.total_q_tokens * p.num_heads + at.index;
      float* to = p.partial_out + index * kHeadDim + column;
#pragma unroll
      for (int n = 0; n < kHeadDim / 8; ++n) {
        *reinterpret_cast<float2*>(to + n * 8) =
            make_float2(rows.o[n][2 * half] * scale, rows.o[n][2 * half + 1] * scale);
      }
      if (lane % 4 == 0) p.partial_lse[index] = log2_sum;
    }
  }
}

}  // namespace fa2bench::shims::cuda
