// SPDX-License-Identifier: MIT
// The two products of the reference on one tile of keys, in float64, vectorized where the CPU can.
#pragma once

#include <cstddef>

namespace fa2bench {

/// Keys in one tile.
inline constexpr std::size_t kTileKeys = 128;

/// scores[j] = sum_d q[d] * k_transposed[d * kTileKeys + j], j < kTileKeys.
void tile_scores(const double* q, const double* k_transposed, std::size_t head_dim, double* scores);

/// out[d] += sum_j p[j] * v[j, d] and squares[d] += sum_j (p[j] * v[j, d])^2, v [keys, head_dim].
void tile_accumulate(const double* p, const double* v, std::size_t keys, std::size_t head_dim,
                     double* out, double* squares);

}  // namespace fa2bench
