// SPDX-License-Identifier: MIT
// Softmax attention of one query over tiles of keys, in float64, on data of the recipe.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "workload/data.hpp"

namespace fa2bench {

/// The exact result of one (row, head), and what its rounding errors scale with.
struct HeadReference {
  std::vector<double> out;     ///< [head_dim]
  std::vector<double> spread;  ///< [head_dim]: sqrt(sum_j (p_j v_j)^2), p the softmax weights
  double lse = 0.0;            ///< natural log, of scaled scores; -inf without visible keys
  double score_bound = 0.0;    ///< |q| max_j |k_j| / sqrt(head_dim): no score is larger
};

/// `count` elements of a tensor from index `first`, both multiples of 4.
void generate(std::uint64_t seed, Tensor tensor, std::uint64_t first, std::size_t count,
              double* to);

/// One tile of keys and values of one KV head.
struct KeyTile {
  explicit KeyTile(std::size_t head_dim);
  /// Starts over.
  void clear() { largest_k_squared = 0.0; }
  /// Fills slot `slot` with the head_dim elements of K and V from `index` on.
  void load(std::uint64_t seed, std::uint64_t index, std::size_t slot);

  std::size_t head_dim;
  std::vector<double> k;             ///< [kTileKeys, head_dim]
  std::vector<double> k_transposed;  ///< [head_dim, kTileKeys]
  std::vector<double> v;             ///< [kTileKeys, head_dim]
  double largest_k_squared = 0.0;
};

class StreamingSoftmax {
 public:
  /// `scaled_q` holds the softmax scale already. With `with_slope`, slope() can be asked for.
  explicit StreamingSoftmax(std::vector<double> scaled_q, bool with_slope = false);

  /// The first `visible` keys of the tile; `scores` is scratch, [kTileKeys].
  void absorb(const KeyTile& tile, std::size_t visible, std::vector<double>& scores);

  [[nodiscard]] double largest_score() const { return max_; }
  [[nodiscard]] HeadReference result() const;
  /// Derivative of out by the logarithm of the softmax scale, [head_dim].
  [[nodiscard]] std::vector<double> slope() const;

 private:
  void rescale(double tile_max);

  std::vector<double> q_;
  double q_norm_ = 0.0;
  double max_ = -std::numeric_limits<double>::infinity();
  double sum_ = 0.0;
  double largest_k_squared_ = 0.0;
  std::vector<double> out_;
  std::vector<double> squares_;
  bool with_slope_;
  double score_sum_ = 0.0;         ///< of weight times score
  std::vector<double> score_out_;  ///< of weight times score times value
  std::vector<double> unused_;     ///< squares that nobody asks for
};

}  // namespace fa2bench
