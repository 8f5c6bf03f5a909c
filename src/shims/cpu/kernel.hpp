// SPDX-License-Identifier: MIT
// Tiled online-softmax attention of one task: the body that each instruction set compiles.
//
// Per tile of 64 keys: find them through the block table, S = Q·K (scores in base 2),
// p = 2^(s - m) with the running maximum m, and O = O · 2^(m_old - m) + P·V. With many rows, K and
// V are first converted to f32 tiles (K transposed) and used from there; with few rows, as in
// decode, that would cost more than it saves, so both products convert while they read. Only keys
// below key_end are ever read: neither slots past kv_len nor unused table entries can matter.
#pragma once

#include "shims/cpu/attention.hpp"
#include "shims/cpu/gemm.hpp"
#include "shims/cpu/keys.hpp"

namespace fa2bench::shims::cpu::FA2BENCH_ISA {

/// Running softmax of a tile's rows: o unnormalized, m the maximum score, l the sum of 2^(s - m).
struct Rows {
  float* o;
  float* m;
  float* l;
};

/// Keys between two looks ahead in the second product of tasks with few rows.
inline constexpr std::size_t kStride = 16;
static_assert(kTileRows % 4 == 0 && kTileKeys % kStride == 0,
              "dot_rows and weigh_directly need it");

inline float minus_infinity() { return -__builtin_inff(); }

inline Rows partial_rows(const Problem& p, const Task& task, std::size_t kv_head, std::size_t part,
                         float* partials) {
  float* o = partials + (kv_head * task.parts + part) * task.partial_floats;
  float* m = o + task.row_count * p.head_dim;
  return {o, m, m + task.row_count};
}

/// Where a row's query and output lie: elements from the start of q and out, and of lse.
struct RowPlace {
  std::size_t vector;
  std::size_t lse;
};

inline RowPlace place_of(const Problem& p, const Task& task, std::size_t kv_head, std::size_t r) {
  const std::size_t row = task.row_begin + r;
  const std::size_t token = row / p.group;
  const std::size_t head = kv_head * p.group + row % p.group;
  const std::size_t global_token = task.first_token + token;
  return {(global_token * p.num_heads + head) * p.head_dim, head * p.total_q_tokens + global_token};
}

/// The row sees keys 0 … visible_keys - 1; not positive: none.
inline std::int64_t visible_keys(const Problem& p, const Task& task, std::size_t r) {
  return task.kv_len - task.q_len + static_cast<std::int64_t>((task.row_begin + r) / p.group) + 1;
}

/// Scores of few rows, straight from K.
inline void score_directly(const KeyTile& tile, const KeyTile& next, std::size_t rows,
                           Matrix<const float> q, Matrix<float> scores) {
  for (std::size_t key = 0; key < tile.count; key += kLanes) {
    prefetch_rows(next.k, key, kLanes, next.count, q.stride);
    dot_rows(rows, q, tile.k + key, {scores.data + key, scores.stride}, q.stride);
  }
}

/// O += P·V of few rows, straight from V.
inline void weigh_directly(const KeyTile& tile, const KeyTile& next, std::size_t rows,
                           Matrix<const float> weights, Matrix<float> o) {
  for (std::size_t key = 0; key < tile.count; key += kStride) {
    prefetch_rows(next.v, key, kStride, next.count, o.stride);
    const std::size_t depth = tile.count - key < kStride ? tile.count - key : kStride;
    multiply<true>(rows, o.stride / kLanes, depth,
                   Matrix<const float>{weights.data + key, weights.stride}, HalfRows{tile.v + key},
                   o);
  }
}

/// Turns a row of scores into weights and moves the row's state to the new maximum.
/// `width` is a multiple of kLanes; scores from `visible` on are hidden by the causal mask.
inline void soften_row(float* scores, std::size_t visible, std::size_t width, Rows rows,
                       std::size_t r, std::size_t head_dim) {
  for (std::size_t c = visible; c < width; ++c) scores[c] = minus_infinity();
  if (visible == 0) {
    for (std::size_t c = 0; c < width; ++c) scores[c] = 0.0F;
    return;
  }
  Floats most = load(scores);
  for (std::size_t c = kLanes; c < width; c += kLanes) most = larger(most, load(scores + c));
  const float old = rows.m[r];
  const float tile_most = largest(most);
  const float m = tile_most > old ? tile_most : old;
  // A row whose scores are all -inf (or NaN) so far has no finite maximum to subtract.
  const float base = m == minus_infinity() ? 0.0F : m;
  Floats sum = splat(0.0F);
  for (std::size_t c = 0; c < width; c += kLanes) {
    const Floats weight = exp2_nonpositive(load(scores + c) - splat(base));
    store(scores + c, weight);
    sum = sum + weight;
  }
  if (m != old) {
    const float shrink = exp2_nonpositive(splat(old - base))[0];
    rows.l[r] *= shrink;
    float* o = rows.o + r * head_dim;
    for (std::size_t d = 0; d < head_dim; d += kLanes) store(o + d, load(o + d) * splat(shrink));
    rows.m[r] = m;
  }
  rows.l[r] += total(sum);
}

/// Writes the row's final output and LSE. Without a visible key: 0 and -inf.
inline void finish_row(const Problem& p, const Task& task, std::size_t kv_head, Rows rows,
                       std::size_t r) {
  const RowPlace place = place_of(p, task, kv_head, r);
  const float l = rows.l[r];
  const float scale = l == 0.0F ? 0.0F : 1.0F / l;
  for (std::size_t d = 0; d < p.head_dim; d += kLanes) {
    store_halves(p.out + place.vector + d, load(rows.o + r * p.head_dim + d) * splat(scale));
  }
  const double log2_sum = static_cast<double>(rows.m[r]) + __builtin_log2(static_cast<double>(l));
  p.lse[place.lse] =
      l == 0.0F ? minus_infinity() : static_cast<float>(log2_sum * 0x1.62e42fefa39efp-1);
}

/// A thread's memory, cut up. q and o hold the rows of all heads of an item, one head after
/// another.
struct Scratch {
  float* q;
  float* k;
  float* v;
  float* scores;
  Rows rows;
};

inline Scratch cut(float* memory, std::size_t head_dim) {
  Scratch s = {};
  s.q = memory;
  s.k = s.q + kTileRows * head_dim;
  s.v = s.k + kTileKeys * head_dim;
  s.rows.o = s.v + kTileKeys * head_dim;
  s.scores = s.rows.o + kTileRows * head_dim;
  s.rows.m = s.scores + kTileRows * kTileKeys;
  s.rows.l = s.rows.m + kTileRows;
  return s;
}

inline void start_head(const Problem& p, const Task& task, std::size_t kv_head, float* q,
                       Rows rows) {
  for (std::size_t r = 0; r < task.row_count; ++r) {
    const RowPlace place = place_of(p, task, kv_head, r);
    for (std::size_t d = 0; d < p.head_dim; d += kLanes) {
      store(q + r * p.head_dim + d, load_halves(p.q + place.vector + d) * splat(p.score_scale));
      store(rows.o + r * p.head_dim + d, splat(0.0F));
    }
    rows.m[r] = minus_infinity();
    rows.l[r] = 0.0F;
  }
}

/// One tile of keys, from `key` on, for the rows of one head.
inline void attend_tile(const Problem& p, const Task& task, const KeyTile& tile,
                        const KeyTile& next, std::size_t key, const float* q, const Scratch& s,
                        Rows rows) {
  const std::size_t head_dim = p.head_dim;
  const std::size_t vectors = (tile.count + kLanes - 1) / kLanes;
  const bool direct = task.row_count <= kFewRows;
  if (direct) {
    score_directly(tile, next, task.row_count, {q, head_dim}, {s.scores, kTileKeys});
  } else {
    convert_keys(tile, next, head_dim, s.k);
    multiply<false>(task.row_count, vectors, head_dim, {q, head_dim}, FloatRows{s.k, kTileKeys},
                    {s.scores, kTileKeys});
  }
  for (std::size_t r = 0; r < task.row_count; ++r) {
    const std::int64_t left = visible_keys(p, task, r) - static_cast<std::int64_t>(key);
    const std::size_t seen = left > 0 ? static_cast<std::size_t>(left) : 0;
    soften_row(s.scores + r * kTileKeys, seen < tile.count ? seen : tile.count, vectors * kLanes,
               rows, r, head_dim);
  }
  if (direct) {
    weigh_directly(tile, next, task.row_count, {s.scores, kTileKeys}, {rows.o, head_dim});
  } else {
    convert_values(tile, next, head_dim, s.v);
    multiply<true>(task.row_count, head_dim / kLanes, tile.count, {s.scores, kTileKeys},
                   FloatRows{s.v, head_dim}, {rows.o, head_dim});
  }
}

inline void attend(const Problem& p, const Task& task, std::size_t kv_head, std::size_t heads,
                   std::size_t part, float* memory, float* partials) {
  const Scratch s = cut(memory, p.head_dim);
  const auto rows_of = [&](std::size_t h) {
    if (task.parts > 1) return partial_rows(p, task, kv_head + h, part, partials);
    const std::size_t row = h * task.row_count;
    return Rows{s.rows.o + row * p.head_dim, s.rows.m + row, s.rows.l + row};
  };
  const auto q_of = [&](std::size_t h) { return s.q + h * task.row_count * p.head_dim; };
  for (std::size_t h = 0; h < heads; ++h) start_head(p, task, kv_head + h, q_of(h), rows_of(h));

  const std::size_t begin = part * task.part_keys;
  const std::size_t stop = begin + task.part_keys;
  const std::size_t end = stop < task.key_end ? stop : task.key_end;
  KeyTile tiles[2];
  std::size_t turn = 0;
  if (begin < end) find_keys(p, task, kv_head, begin, end, tiles[turn]);
  for (std::size_t key = begin; key < end; key += kTileKeys) {
    for (std::size_t h = 0; h < heads; ++h, turn ^= 1U) {
      KeyTile& next = tiles[turn ^ 1U];
      next.count = 0;
      if (h + 1 < heads) {
        find_keys(p, task, kv_head + h + 1, key, end, next);
      } else if (key + kTileKeys < end) {
        find_keys(p, task, kv_head, key + kTileKeys, end, next);
      }
      attend_tile(p, task, tiles[turn], next, key, q_of(h), s, rows_of(h));
    }
  }
  if (task.parts > 1) return;
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t r = 0; r < task.row_count; ++r) {
      finish_row(p, task, kv_head + h, rows_of(h), r);
    }
  }
}

inline void combine(const Problem& p, const Task& task, std::size_t kv_head, float* partials) {
  const Rows sum = partial_rows(p, task, kv_head, 0, partials);
  for (std::size_t part = 1; part < task.parts; ++part) {
    const Rows more = partial_rows(p, task, kv_head, part, partials);
    for (std::size_t r = 0; r < task.row_count; ++r) {
      const float m = more.m[r] > sum.m[r] ? more.m[r] : sum.m[r];
      const float base = m == minus_infinity() ? 0.0F : m;
      const Floats keep = splat(exp2_nonpositive(splat(sum.m[r] - base))[0]);
      const Floats add = splat(exp2_nonpositive(splat(more.m[r] - base))[0]);
      float* to = sum.o + r * p.head_dim;
      const float* from = more.o + r * p.head_dim;
      for (std::size_t d = 0; d < p.head_dim; d += kLanes) {
        store(to + d, multiply_add(load(from + d), add, load(to + d) * keep));
      }
      sum.l[r] = sum.l[r] * keep[0] + more.l[r] * add[0];
      sum.m[r] = m;
    }
  }
  for (std::size_t r = 0; r < task.row_count; ++r) finish_row(p, task, kv_head, sum, r);
}

}  // namespace fa2bench::shims::cpu::FA2BENCH_ISA
