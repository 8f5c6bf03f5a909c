// SPDX-License-Identifier: MIT
#include "verify/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/half.hpp"
#include "base/parallel.hpp"
#include "verify/tile_math.hpp"
#include "workload/data.hpp"

namespace fa2bench {
namespace {

/// `count` elements from index `first`, both multiples of 4.
void generate(std::uint64_t seed, Tensor tensor, std::uint64_t first, std::size_t count,
              double* to) {
  for (std::size_t i = 0; i < count; i += 4) {
    const RandomBlock block =
        random_block(seed, static_cast<std::uint32_t>(tensor), (first + i) / 4);
    for (std::size_t j = 0; j < 4; ++j) to[i + j] = normal_units(block.word[j]) / 256.0;
  }
}

/// One tile of keys and values of one KV head.
struct Tile {
  explicit Tile(std::size_t head_dim)
      : k(kTileKeys * head_dim), k_transposed(kTileKeys * head_dim), v(kTileKeys * head_dim) {}
  std::vector<double> k;             ///< [kTileKeys, head_dim]
  std::vector<double> k_transposed;  ///< [head_dim, kTileKeys]
  std::vector<double> v;             ///< [kTileKeys, head_dim]
  double largest_k_squared = 0.0;
};

/// Streaming softmax of one (row, head).
struct Accumulator {
  std::vector<double> q;  ///< scaled by 1 / sqrt(head_dim)
  double q_norm = 0.0;    ///< of the scaled q
  double max = -std::numeric_limits<double>::infinity();
  double sum = 0.0;
  double largest_k_squared = 0.0;
  std::vector<double> out;
  std::vector<double> squares;
};

/// All checked rows of one sequence and the query heads of one KV head.
class Task {
 public:
  Task(const Workload& workload, const BlockTable& table, const CheckedRow* first,
       const CheckedRow* last, int kv_head)
      : workload_(workload),
        table_(table),
        first_(first),
        last_(last),
        kv_head_(kv_head),
        head_dim_(static_cast<std::size_t>(workload.shape.head_dim)),
        tile_(head_dim_),
        scores_(kTileKeys) {}

  /// Results in the order [rows, heads of the group].
  std::vector<HeadReference> run() {
    std::vector<Accumulator> accumulators = start();
    std::int64_t keys = 0;
    for (const CheckedRow* row = first_; row != last_; ++row) {
      keys = std::max(keys, row->visible_keys);
    }
    const auto tile_keys = static_cast<std::int64_t>(kTileKeys);
    for (std::int64_t begin = 0; begin < keys; begin += tile_keys) {
      load_tile(begin, std::min(keys - begin, tile_keys));
      std::size_t i = 0;
      for (const CheckedRow* row = first_; row != last_; ++row) {
        const std::int64_t visible = std::min(row->visible_keys - begin, tile_keys);
        for (int g = 0; g < workload_.shape.group(); ++g, ++i) {
          if (visible > 0) absorb(accumulators[i], static_cast<std::size_t>(visible));
        }
      }
    }
    std::vector<HeadReference> results;
    results.reserve(accumulators.size());
    for (Accumulator& accumulator : accumulators) results.push_back(finish(accumulator));
    return results;
  }

 private:
  std::vector<Accumulator> start() {
    std::vector<Accumulator> accumulators;
    const int group = workload_.shape.group();
    const double scale = 1.0 / std::sqrt(static_cast<double>(head_dim_));
    for (const CheckedRow* row = first_; row != last_; ++row) {
      for (int g = 0; g < group; ++g) {
        Accumulator& a = accumulators.emplace_back();
        a.q.resize(head_dim_);
        a.out.resize(head_dim_);
        a.squares.resize(head_dim_);
        const std::int64_t head = static_cast<std::int64_t>(kv_head_) * group + g;
        const auto index = static_cast<std::uint64_t>(
            (row->global_token * workload_.shape.num_heads + head) * workload_.shape.head_dim);
        generate(workload_.seed, Tensor::q, index, head_dim_, a.q.data());
        double squared = 0.0;
        for (double& x : a.q) {
          x *= scale;
          squared += x * x;
        }
        a.q_norm = std::sqrt(squared);
      }
    }
    return accumulators;
  }

  void load_tile(std::int64_t begin, std::int64_t count) {
    const HeadShape& shape = workload_.shape;
    const std::int64_t slot_elements = std::int64_t{shape.num_kv_heads} * shape.head_dim;
    tile_.largest_k_squared = 0.0;
    for (std::int64_t j = 0; j < count; ++j) {
      const std::int64_t key = begin + j;
      const auto entry =
          static_cast<std::size_t>(first_->seq * table_.width + key / shape.block_size);
      const std::uint32_t content = table_.content[static_cast<std::size_t>(table_.entries[entry])];
      const auto index = static_cast<std::uint64_t>(
          (static_cast<std::int64_t>(content) * shape.block_size + key % shape.block_size) *
              slot_elements +
          std::int64_t{kv_head_} * shape.head_dim);
      const auto slot = static_cast<std::size_t>(j);
      double* k = tile_.k.data() + slot * head_dim_;
      generate(workload_.seed, Tensor::k, index, head_dim_, k);
      generate(workload_.seed, Tensor::v, index, head_dim_, tile_.v.data() + slot * head_dim_);
      double squared = 0.0;
      for (std::size_t d = 0; d < head_dim_; ++d) {
        squared += k[d] * k[d];
        tile_.k_transposed[d * kTileKeys + slot] = k[d];
      }
      tile_.largest_k_squared = std::max(tile_.largest_k_squared, squared);
    }
  }

  void absorb(Accumulator& a, std::size_t visible) {
    tile_scores(a.q.data(), tile_.k_transposed.data(), head_dim_, scores_.data());
    const double tile_max = *std::max_element(scores_.data(), scores_.data() + visible);
    if (tile_max > a.max) {
      const double shrink = std::exp(a.max - tile_max);  // 0 the first time
      a.max = tile_max;
      a.sum *= shrink;
      for (double& x : a.out) x *= shrink;
      for (double& x : a.squares) x *= shrink * shrink;
    }
    for (std::size_t j = 0; j < visible; ++j) {
      scores_[j] = std::exp(scores_[j] - a.max);
      a.sum += scores_[j];
    }
    tile_accumulate(scores_.data(), tile_.v.data(), visible, head_dim_, a.out.data(),
                    a.squares.data());
    a.largest_k_squared = std::max(a.largest_k_squared, tile_.largest_k_squared);
  }

  static HeadReference finish(Accumulator& a) {
    HeadReference result;
    result.lse = a.sum > 0.0 ? a.max + std::log(a.sum) : -std::numeric_limits<double>::infinity();
    result.score_bound = a.q_norm * std::sqrt(a.largest_k_squared);
    if (a.sum > 0.0) {
      for (double& x : a.out) x /= a.sum;
      for (double& x : a.squares) x = std::sqrt(x) / a.sum;
    }
    result.out = std::move(a.out);
    result.spread = std::move(a.squares);
    return result;
  }

  const Workload& workload_;
  const BlockTable& table_;
  const CheckedRow* first_;
  const CheckedRow* last_;
  int kv_head_;
  std::size_t head_dim_;
  Tile tile_;
  std::vector<double> scores_;
};

}  // namespace

Reference compute_reference(const Workload& workload, const BlockTable& table,
                            std::vector<CheckedRow> rows) {
  Reference reference;
  reference.rows = std::move(rows);
  reference.num_heads = workload.shape.num_heads;
  reference.heads.resize(reference.rows.size() * static_cast<std::size_t>(reference.num_heads));

  std::vector<std::size_t> begins;  // first row of each sequence
  for (std::size_t i = 0; i < reference.rows.size(); ++i) {
    if (i == 0 || reference.rows[i].seq != reference.rows[i - 1].seq) begins.push_back(i);
  }
  const auto kv_heads = static_cast<std::size_t>(workload.shape.num_kv_heads);
  const auto group = static_cast<std::size_t>(workload.shape.group());
  parallel_for(begins.size() * kv_heads, [&](std::size_t task) {
    const std::size_t sequence = task / kv_heads;
    const std::size_t kv_head = task % kv_heads;
    const std::size_t first = begins[sequence];
    const std::size_t last =
        sequence + 1 < begins.size() ? begins[sequence + 1] : reference.rows.size();
    std::vector<HeadReference> results =
        Task(workload, table, reference.rows.data() + first, reference.rows.data() + last,
             static_cast<int>(kv_head))
            .run();
    for (std::size_t row = first; row < last; ++row) {
      for (std::size_t g = 0; g < group; ++g) {
        reference.heads[row * kv_heads * group + kv_head * group + g] =
            std::move(results[(row - first) * group + g]);
      }
    }
  });
  return reference;
}

}  // namespace fa2bench
