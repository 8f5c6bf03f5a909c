// SPDX-License-Identifier: MIT
// One body, compiled for AVX2 and for the baseline; the CPU decides at run time. Written out
// instead of target_clones, whose resolvers do not run under the sanitizers.
#include "verify/tile_math.hpp"

#include <algorithm>

namespace fa2bench {
namespace {

#define FA2BENCH_INLINE inline __attribute__((always_inline))

FA2BENCH_INLINE void scores_body(const double* __restrict q, const double* __restrict k,
                                 std::size_t head_dim, double* __restrict scores) {
  // Accumulators of a strip stay in registers over the whole of head_dim.
  constexpr std::size_t kStrip = 32;
  for (std::size_t first = 0; first < kTileKeys; first += kStrip) {
    double sums[kStrip] = {};
    for (std::size_t d = 0; d < head_dim; ++d) {
      const double* row = k + d * kTileKeys + first;
      for (std::size_t j = 0; j < kStrip; ++j) sums[j] += q[d] * row[j];
    }
    std::copy(sums, sums + kStrip, scores + first);
  }
}

FA2BENCH_INLINE void accumulate_body(const double* __restrict p, const double* __restrict v,
                                     std::size_t keys, std::size_t head_dim, double* __restrict out,
                                     double* __restrict squares) {
  constexpr std::size_t kStrip = 16;
  std::size_t first = 0;
  for (; first + kStrip <= head_dim; first += kStrip) {
    double sums[kStrip] = {};
    double square_sums[kStrip] = {};
    for (std::size_t j = 0; j < keys; ++j) {
      const double* row = v + j * head_dim + first;
      for (std::size_t d = 0; d < kStrip; ++d) {
        const double product = p[j] * row[d];
        sums[d] += product;
        square_sums[d] += product * product;
      }
    }
    for (std::size_t d = 0; d < kStrip; ++d) {
      out[first + d] += sums[d];
      squares[first + d] += square_sums[d];
    }
  }
  for (; first < head_dim; ++first) {
    for (std::size_t j = 0; j < keys; ++j) {
      const double product = p[j] * v[j * head_dim + first];
      out[first] += product;
      squares[first] += product * product;
    }
  }
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void scores_avx2(const double* q, const double* k,
                                                     std::size_t head_dim, double* scores) {
  scores_body(q, k, head_dim, scores);
}
__attribute__((target("avx2,fma"))) void accumulate_avx2(const double* p, const double* v,
                                                         std::size_t keys, std::size_t head_dim,
                                                         double* out, double* squares) {
  accumulate_body(p, v, keys, head_dim, out, squares);
}
bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has;
}
#endif

}  // namespace

void tile_scores(const double* q, const double* k_transposed, std::size_t head_dim,
                 double* scores) {
#if defined(__x86_64__)
  if (has_avx2()) return scores_avx2(q, k_transposed, head_dim, scores);
#endif
  scores_body(q, k_transposed, head_dim, scores);
}

void tile_accumulate(const double* p, const double* v, std::size_t keys, std::size_t head_dim,
                     double* out, double* squares) {
#if defined(__x86_64__)
  if (has_avx2()) return accumulate_avx2(p, v, keys, head_dim, out, squares);
#endif
  accumulate_body(p, v, keys, head_dim, out, squares);
}

}  // namespace fa2bench
