// SPDX-License-Identifier: MIT
// C = A · B or C += A · B for the small row-major f32 tiles of one thread. Columns lie in vector
// lanes; a block of rows and columns of C stays in registers while the depth is walked.
// B is either such a tile or rows of f16 that are converted while they are read.
#pragma once

#include "shims/cpu/simd.hpp"

namespace fa2bench::shims::cpu::FA2BENCH_ISA {

/// Rows and vectors of a block: as many accumulators as the register file holds beside a row of B.
#if defined(__AVX512F__)
inline constexpr std::size_t kBlockRows = 6;
inline constexpr std::size_t kBlockVectors = 4;
#elif defined(__AVX2__)
inline constexpr std::size_t kBlockRows = 6;
inline constexpr std::size_t kBlockVectors = 2;
#else
inline constexpr std::size_t kBlockRows = 4;
inline constexpr std::size_t kBlockVectors = 2;
#endif

/// A matrix in rows of `stride` floats.
template <class Float>
struct Matrix {
  Float* data;
  std::size_t stride;
};

/// B as a tile of floats, from `column` on.
struct FloatRows {
  const float* data;
  std::size_t stride;
  std::size_t column = 0;

  Floats at(std::size_t row, std::size_t offset) const {
    return load(data + row * stride + column + offset);
  }
};

/// B as scattered rows of f16, from `column` on.
struct HalfRows {
  const std::uint16_t* const* rows;
  std::size_t column = 0;

  Floats at(std::size_t row, std::size_t offset) const {
    return load_halves(rows[row] + column + offset);
  }
};

template <bool kAccumulate, std::size_t kRows, std::size_t kVectors, class B>
inline void multiply_block(Matrix<const float> a, B b, Matrix<float> c, std::size_t depth) {
  Floats sums[kRows][kVectors];
  FA2BENCH_UNROLL
  for (std::size_t r = 0; r < kRows; ++r) {
    FA2BENCH_UNROLL
    for (std::size_t v = 0; v < kVectors; ++v) {
      sums[r][v] = kAccumulate ? load(c.data + r * c.stride + v * kLanes) : splat(0.0F);
    }
  }
  for (std::size_t k = 0; k < depth; ++k) {
    Floats row[kVectors];
    FA2BENCH_UNROLL
    for (std::size_t v = 0; v < kVectors; ++v) row[v] = b.at(k, v * kLanes);
    FA2BENCH_UNROLL
    for (std::size_t r = 0; r < kRows; ++r) {
      const Floats value = splat(a.data[r * a.stride + k]);
      FA2BENCH_UNROLL
      for (std::size_t v = 0; v < kVectors; ++v) {
        sums[r][v] = multiply_add(value, row[v], sums[r][v]);
      }
    }
  }
  FA2BENCH_UNROLL
  for (std::size_t r = 0; r < kRows; ++r) {
    FA2BENCH_UNROLL
    for (std::size_t v = 0; v < kVectors; ++v) {
      store(c.data + r * c.stride + v * kLanes, sums[r][v]);
    }
  }
}

/// Picks the block for `rows`, 1 … kBlockRows.
template <bool kAccumulate, std::size_t kVectors, class B>
inline void multiply_rows(std::size_t rows, Matrix<const float> a, B b, Matrix<float> c,
                          std::size_t depth) {
  switch (rows) {
    case 1:
      return multiply_block<kAccumulate, 1, kVectors>(a, b, c, depth);
    case 2:
      return multiply_block<kAccumulate, 2, kVectors>(a, b, c, depth);
    case 3:
      return multiply_block<kAccumulate, 3, kVectors>(a, b, c, depth);
    case 4:
      return multiply_block<kAccumulate, 4, kVectors>(a, b, c, depth);
    case 5:
      if constexpr (kBlockRows >= 5) multiply_block<kAccumulate, 5, kVectors>(a, b, c, depth);
      return;
    default:
      if constexpr (kBlockRows >= 6) multiply_block<kAccumulate, 6, kVectors>(a, b, c, depth);
      return;
  }
}

/// a [rows, depth], b [depth, vectors · kLanes], c [rows, vectors · kLanes].
template <bool kAccumulate, class B>
inline void multiply(std::size_t rows, std::size_t vectors, std::size_t depth,
                     Matrix<const float> a, B b, Matrix<float> c) {
  // Blocks of nearly equal height: 8 rows are 4 + 4 and not 6 + 2, which would wait for latency.
  const std::size_t blocks = (rows + kBlockRows - 1) / kBlockRows;
  for (std::size_t v = 0; v < vectors; v += kBlockVectors) {
    const std::size_t width = vectors - v < kBlockVectors ? vectors - v : kBlockVectors;
    B b_part = b;
    b_part.column += v * kLanes;
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t begin = block * rows / blocks;
      const std::size_t height = (block + 1) * rows / blocks - begin;
      const Matrix<const float> a_part = {a.data + begin * a.stride, a.stride};
      const Matrix<float> c_part = {c.data + begin * c.stride + v * kLanes, c.stride};
      switch (width) {
        case 1:
          multiply_rows<kAccumulate, 1>(height, a_part, b_part, c_part, depth);
          break;
        case 2:
          multiply_rows<kAccumulate, 2>(height, a_part, b_part, c_part, depth);
          break;
        case 3:
          if constexpr (kBlockVectors >= 3) {
            multiply_rows<kAccumulate, 3>(height, a_part, b_part, c_part, depth);
          }
          break;
        default:
          if constexpr (kBlockVectors >= 4) {
            multiply_rows<kAccumulate, 4>(height, a_part, b_part, c_part, depth);
          }
          break;
      }
    }
  }
}

/// kRows rows of A times the transpose of kLanes / kRows rows of f16: c[r][j] = dot(a[r], keys[j]).
/// The lanes hold parts of the dot products, so that few rows need no transposed tile of B.
template <std::size_t kRows>
inline void dot_block(Matrix<const float> a, const std::uint16_t* const* keys, Matrix<float> c,
                      std::size_t depth) {
  constexpr std::size_t kKeys = kLanes / kRows;
  Floats sums[kLanes];
  FA2BENCH_UNROLL
  for (std::size_t i = 0; i < kLanes; ++i) sums[i] = splat(0.0F);
  for (std::size_t d = 0; d < depth; d += kLanes) {
    FA2BENCH_UNROLL
    for (std::size_t j = 0; j < kKeys; ++j) {
      const Floats key = load_halves(keys[j] + d);
      FA2BENCH_UNROLL
      for (std::size_t r = 0; r < kRows; ++r) {
        Floats& sum = sums[r * kKeys + j];
        sum = multiply_add(load(a.data + r * a.stride + d), key, sum);
      }
    }
  }
  // Folding sums[i] with sums[i + n/2] until one vector is left puts total i into lane i.
  FA2BENCH_UNROLL
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    FA2BENCH_UNROLL
    for (std::size_t i = 0; i < half; ++i) {
      sums[i] = interleave_low(sums[i], sums[i + half]) + interleave_high(sums[i], sums[i + half]);
    }
  }
  FA2BENCH_UNROLL
  for (std::size_t r = 0; r < kRows; ++r) {
    __builtin_memcpy(c.data + r * c.stride, reinterpret_cast<const float*>(&sums[0]) + r * kKeys,
                     kKeys * sizeof(float));
  }
}

/// kLanes keys at once. Rows of A up to a multiple of four must exist; so must those of C.
inline void dot_rows(std::size_t rows, Matrix<const float> a, const std::uint16_t* const* keys,
                     Matrix<float> c, std::size_t depth) {
  std::size_t r = 0;
  for (; r + 2 < rows; r += 4) {
    for (std::size_t j = 0; j < kLanes; j += kLanes / 4) {
      dot_block<4>({a.data + r * a.stride, a.stride}, keys + j,
                   {c.data + r * c.stride + j, c.stride}, depth);
    }
  }
  if (r + 2 == rows) {
    for (std::size_t j = 0; j < kLanes; j += kLanes / 2) {
      dot_block<2>({a.data + r * a.stride, a.stride}, keys + j,
                   {c.data + r * c.stride + j, c.stride}, depth);
    }
  } else if (r + 1 == rows) {
    dot_block<1>({a.data + r * a.stride, a.stride}, keys, {c.data + r * c.stride, c.stride}, depth);
  }
}

}  // namespace fa2bench::shims::cpu::FA2BENCH_ISA
