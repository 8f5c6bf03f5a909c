// SPDX-License-Identifier: MIT
// Short queries: results of the same rows over different keys become one. It happens up to three
// times: over the teams of a block, over the blocks of a cluster, and over the shares that have a
// part of a unit, each in a fixed order. A result is a normalized row and its lse in base 2.
#pragma once

#include <cstdint>

#include "shims/cuda/place.cuh"
#include "shims/cuda/ptx.cuh"
#include "shims/cuda/warp_rows.cuh"

namespace fa2bench::shims::cuda {

/// Four columns of a row.
struct Quad {
  float4 value;
  float lse;
};

/// Merges results 0 … count - 1: `lse_of(i)` and `value_of(i)` load them, kAtOnce at a time.
template <int kAtOnce, class LseOf, class ValueOf>
__device__ inline Quad merge(int count, LseOf lse_of, ValueOf value_of) {
  float most = minus_infinity();
  float total = 0.0F;
  float4 sum = make_float4(0.0F, 0.0F, 0.0F, 0.0F);
#pragma unroll 1
  for (int begin = 0; begin < count; begin += kAtOnce) {
    float lse[kAtOnce];
    float4 value[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {  // past the last, that again with weight 0
      lse[i] = lse_of(min(begin + i, count - 1));
      value[i] = value_of(min(begin + i, count - 1));
    }
    float higher = most;
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) higher = fmaxf(higher, lse[i]);
    const float base = higher == minus_infinity() ? 0.0F : higher;
    const float shrink = exp2_approximately(most - base);
    most = higher;
    total *= shrink;
    sum = make_float4(sum.x * shrink, sum.y * shrink, sum.z * shrink, sum.w * shrink);
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const float weight = begin + i < count ? exp2_approximately(lse[i] - base) : 0.0F;
      total += weight;
      sum.x = fmaf(weight, value[i].x, sum.x);
      sum.y = fmaf(weight, value[i].y, sum.y);
      sum.z = fmaf(weight, value[i].z, sum.z);
      sum.w = fmaf(weight, value[i].w, sum.w);
    }
  }
  const float scale = total == 0.0F ? 0.0F : __fdividef(1.0F, total);
  return {make_float4(sum.x * scale, sum.y * scale, sum.z * scale, sum.w * scale),
          total == 0.0F ? minus_infinity() : most + __log2f(total)};
}

/// Offset of columns 8 · chunk … of a warp's row in shared memory, in floats: rows that are written
/// at once lie in different banks.
template <int kHeadDim>
__device__ inline int kept_offset(int row, int chunk) {
  return row * kHeadDim + (chunk ^ (row & 7)) * 8;
}

/// A warp hands over its first `row_count` rows: `values` is [16, kHeadDim] in kept_offset's order.
template <int kHeadDim>
__device__ inline void keep_rows(const Params& p, const WarpRows<kHeadDim>& rows, int row_count,
                                 float* values, float* lse) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const float l = quad_sum(rows.l[half]);
    const int row = lane / 4 + half * 8;
    if (row >= row_count) continue;
    const float scale = l == 0.0F ? 0.0F : __fdividef(1.0F, l);
    if (lane % 4 == 0) {
      lse[row] = l == 0.0F ? minus_infinity() : fmaf(rows.m[half], p.score_scale, __log2f(l));
    }
#pragma unroll
    for (int n = 0; n < kHeadDim / 8; ++n) {
      *reinterpret_cast<float2*>(values + kept_offset<kHeadDim>(row, n) + lane % 4 * 2) =
          make_float2(rows.o[n][2 * half] * scale, rows.o[n][2 * half + 1] * scale);
    }
  }
}

/// After the block has written its part: true for the last of a unit's `parts`, which then sees all
/// of them. One thread calls, between barriers. The ticket is 0 again for the next launch.
__device__ inline bool take_ticket(unsigned* ticket, unsigned parts) {
  fence_gpu();
  const bool last = atomicAdd(ticket, 1U) + 1 == parts;
  if (last) *ticket = 0;
  fence_gpu();
  return last;
}

/// A unit of which a share has a part.
struct Cut {
  Place place;
  int kv_head;
  int first;  ///< share that has a part
  int parts;
};

/// Merges the parts of a unit in the order of shares: the block's slice of rows and columns.
template <int kHeadDim, int kRows>
__device__ inline void merge_parts(const Params& p, const Cut& cut, int rank, int blocks) {
  constexpr int kQuads = kHeadDim / 4;
  const int items = cut.place.row_count * kQuads;
  const int slice = (items + blocks - 1) / blocks;
  const int slice_end = min(slice * (rank + 1), items);
#pragma unroll 1
  for (int item = slice * rank + static_cast<int>(threadIdx.x); item < slice_end;
       item += static_cast<int>(blockDim.x)) {
    const int row = item / kQuads;
    const int quad = item % kQuads;
    const auto index_of = [&](int i) { return (2 * (cut.first + i) + (i == 0)) * kRows + row; };
    const Quad result = merge<8>(
        cut.parts, [&](int i) { return __ldcg(p.partial_lse + index_of(i)); },
        [&](int i) {
          return __ldcg(reinterpret_cast<const float4*>(p.partial_out) + index_of(i) * kQuads +
                        quad);
        });
    write_row_quad<kHeadDim>(p, cut.place,
                             find_row(p, cut.place, cut.kv_head, cut.place.row_begin + row), quad,
                             result.value, result.lse);
  }
}

}  // namespace fa2bench::shims::cuda
