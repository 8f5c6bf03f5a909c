// SPDX-License-Identifier: MIT
// Tiles of keys: where their rows lie in the paged pools, and their conversion to f32.
#pragma once

#include "shims/cpu/attention.hpp"
#include "shims/cpu/simd.hpp"

namespace fa2bench::shims::cpu::FA2BENCH_ISA {

/// Where the rows of one tile of keys lie in the pools. K's are padded with rows of zeros up to
/// whole vectors.
struct KeyTile {
  std::size_t count;
  const std::uint16_t* k[kTileKeys];
  const std::uint16_t* v[kTileKeys];
};

/// The tile of keys begin … end - 1, cut to kTileKeys. Looks up no table entry past `end`.
inline void find_keys(const Problem& p, const Task& task, std::size_t kv_head, std::size_t begin,
                      std::size_t end, KeyTile& tile) {
  const std::size_t slot_stride = p.num_kv_heads * p.head_dim;
  const std::int32_t* table = p.block_tables + task.seq * p.table_stride;
  tile.count = end - begin < kTileKeys ? end - begin : kTileKeys;
  std::size_t column = begin / p.block_size;
  std::size_t slot = begin % p.block_size;
  for (std::size_t i = 0; i < tile.count;) {
    const auto block = static_cast<std::size_t>(table[column]);
    std::size_t offset = (block * p.block_size + slot) * slot_stride + kv_head * p.head_dim;
    for (; slot < p.block_size && i < tile.count; ++slot, ++i, offset += slot_stride) {
      tile.k[i] = p.k + offset;
      tile.v[i] = p.v + offset;
    }
    ++column;
    slot = 0;
  }
  static constexpr std::uint16_t kZeros[kMaxHeadDim] = {};
  for (std::size_t i = tile.count; i % kLanes != 0; ++i) tile.k[i] = kZeros;
}

/// Pages are scattered, so the hardware does not guess the next one.
inline void prefetch_rows(const std::uint16_t* const* rows, std::size_t begin, std::size_t count,
                          std::size_t end, std::size_t head_dim) {
  for (std::size_t i = begin; i < begin + count && i < end; ++i) {
    for (std::size_t d = 0; d < head_dim; d += 32) __builtin_prefetch(rows[i] + d, 0, 3);
  }
}

/// K as f32 [head_dim, kTileKeys].
inline void convert_keys(const KeyTile& tile, const KeyTile& next, std::size_t head_dim,
                         float* to) {
  for (std::size_t key = 0; key < tile.count; key += kLanes) {
    prefetch_rows(next.k, key, kLanes, next.count, head_dim);
    for (std::size_t d = 0; d < head_dim; d += kLanes) {
      Floats square[kLanes];
      FA2BENCH_UNROLL
      for (std::size_t i = 0; i < kLanes; ++i) square[i] = load_halves(tile.k[key + i] + d);
      transpose(square);
      FA2BENCH_UNROLL
      for (std::size_t i = 0; i < kLanes; ++i) store(to + (d + i) * kTileKeys + key, square[i]);
    }
  }
}

/// V as f32 [count, head_dim].
inline void convert_values(const KeyTile& tile, const KeyTile& next, std::size_t head_dim,
                           float* to) {
  for (std::size_t key = 0; key < tile.count; ++key) {
    prefetch_rows(next.v, key, 1, next.count, head_dim);
    for (std::size_t d = 0; d < head_dim; d += kLanes) {
      store(to + key * head_dim + d, load_halves(tile.v[key] + d));
    }
  }
}

}  // namespace fa2bench::shims::cpu::FA2BENCH_ISA
