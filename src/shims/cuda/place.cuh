// SPDX-License-Identifier: MIT
// What a launch is given, and which sequence, tile and row of it a block, a slot and a thread have.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

#include "shims/cuda/plan.hpp"

namespace fa2bench::shims::cuda {

/// One launch. Pointers are device memory; shapes as in ferrum_fa2_shim.h.
struct Params {
  const __half* q;
  const __half* k;
  const __half* v;
  __half* out;
  float* lse;
  const int* cu_seqlens_q;
  const int* seq_lens;
  const int* block_tables;
  // Each part normalized, its lse in base 2. Of short queries: [2 · blocks, rows of a unit]; else
  // [splits, total_q_tokens, num_heads].
  float* partial_out;  ///< [… , head_dim]
  float* partial_lse;
  unsigned* tickets;  ///< [blocks], zero between launches; of short queries
  std::int64_t slots;
  std::int64_t tiles_per_seq;
  std::int64_t split_keys;
  std::int64_t table_stride;
  int num_seqs;
  int total_q_tokens;
  int num_heads;
  int num_kv_heads;
  int group;
  int block_shift;  ///< log2(block_size)
  int splits;
  // Lengths of all sequences as guess_share has it; 0 where they cannot all be the same.
  int guess_q_len;
  int guess_kv_len;
  float score_scale;  ///< log2(e) / sqrt(head_dim)
};

__device__ inline float minus_infinity() { return -INFINITY; }

/// a / b for a >= 0, b > 0, in a third of the time that the compiler's division takes.
__device__ inline int quotient(int a, int b) {
  const float inverse = __fdividef(1.0F, static_cast<float>(b));
  int q = __float2int_rz(static_cast<float>(a) * inverse);
  q += __float2int_rz(static_cast<float>(a - q * b) * inverse);  // what the first lacks
  const int rest = a - q * b;
  if (rest < 0) return q - 1;
  return rest >= b ? q + 1 : q;
}

/// The last sequence in [0, num_seqs) for which `begins_at_or_before(seq)`; it holds for 0.
template <class Predicate>
__device__ inline int last_sequence(int num_seqs, Predicate begins_at_or_before) {
  int low = 0;
  int high = num_seqs;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (begins_at_or_before(middle)) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Where a block works. Empty slots have row_count <= 0.
struct Place {
  int seq;
  int first_token;
  int q_len;
  int kv_len;
  int row_begin;  ///< in the sequence: token · group + head of the group
  int row_count;  ///< rows of the sequence from row_begin on, perhaps more than a tile
};

template <int kRows>
__device__ inline Place find_place(const Params& p, std::int64_t slot) {
  Place place;
  std::int64_t tile;
  if (p.tiles_per_seq > 0) {
    place.seq = static_cast<int>(slot / p.tiles_per_seq);
    tile = slot % p.tiles_per_seq;
  } else {
    place.seq = last_sequence(p.num_seqs, [&](int seq) {
      return first_slot(p.cu_seqlens_q[seq], seq, p.group, kRows) <= slot;
    });
    tile = slot - first_slot(p.cu_seqlens_q[place.seq], place.seq, p.group, kRows);
  }
  place.first_token = p.cu_seqlens_q[place.seq];
  place.q_len = p.cu_seqlens_q[place.seq + 1] - place.first_token;
  place.kv_len = p.seq_lens[place.seq];
  place.row_begin = static_cast<int>(tile * kRows);
  place.row_count = place.q_len * p.group - place.row_begin;
  return place;
}

/// A row's position in q and out, in rows of head_dim: [total_q_tokens, num_heads].
struct Row {
  int token;  ///< in the sequence
  int head;
  std::int64_t index;
};

__device__ inline Row find_row(const Params& p, const Place& place, int kv_head, int row) {
  Row result;
  result.token = quotient(row, p.group);
  result.head = kv_head * p.group + (row - result.token * p.group);
  result.index =
      (static_cast<std::int64_t>(place.first_token) + result.token) * p.num_heads + result.head;
  return result;
}

__device__ inline std::uint32_t pack_halves(float low, float high) {
  const __half2 pair = __floats2half2_rn(low, high);
  std::uint32_t bits;
  memcpy(&bits, &pair, sizeof bits);
  return bits;
}

/// Columns 4 · quad … of a row of out, and with the first its lse, given in base 2.
template <int kHeadDim>
__device__ inline void write_row_quad(const Params& p, const Place& place, const Row& at, int quad,
                                      const float4& value, float log2_sum) {
  *reinterpret_cast<uint2*>(p.out + at.index * kHeadDim + quad * 4) =
      make_uint2(pack_halves(value.x, value.y), pack_halves(value.z, value.w));
  if (quad == 0) {
    p.lse[static_cast<std::int64_t>(at.head) * p.total_q_tokens + place.first_token + at.token] =
        log2_sum * 0.693147180559945F;
  }
}

}  // namespace fa2bench::shims::cuda
