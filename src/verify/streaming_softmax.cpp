// SPDX-License-Identifier: MIT
#include "verify/streaming_softmax.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "verify/tile_math.hpp"

namespace fa2bench {

void generate(std::uint64_t seed, Tensor tensor, std::uint64_t first, std::size_t count,
              double* to) {
  for (std::size_t i = 0; i < count; i += 4) {
    const RandomBlock block =
        random_block(seed, static_cast<std::uint32_t>(tensor), (first + i) / 4);
    for (std::size_t j = 0; j < 4; ++j) to[i + j] = normal_units(block.word[j]) / 256.0;
  }
}

KeyTile::KeyTile(std::size_t dim)
    : head_dim(dim), k(kTileKeys * dim), k_transposed(kTileKeys * dim), v(kTileKeys * dim) {}

void KeyTile::load(std::uint64_t seed, std::uint64_t index, std::size_t slot) {
  double* key = k.data() + slot * head_dim;
  generate(seed, Tensor::k, index, head_dim, key);
  generate(seed, Tensor::v, index, head_dim, v.data() + slot * head_dim);
  double squared = 0.0;
  for (std::size_t d = 0; d < head_dim; ++d) {
    squared += key[d] * key[d];
    k_transposed[d * kTileKeys + slot] = key[d];
  }
  largest_k_squared = std::max(largest_k_squared, squared);
}

StreamingSoftmax::StreamingSoftmax(std::vector<double> scaled_q, bool with_slope)
    : q_(std::move(scaled_q)), out_(q_.size()), squares_(q_.size()), with_slope_(with_slope) {
  double squared = 0.0;
  for (const double x : q_) squared += x * x;
  q_norm_ = std::sqrt(squared);
  if (with_slope_) {
    score_out_.resize(q_.size());
    unused_.resize(q_.size());
  }
}

void StreamingSoftmax::absorb(const KeyTile& tile, std::size_t visible,
                              std::vector<double>& scores) {
  tile_scores(q_.data(), tile.k_transposed.data(), tile.head_dim, scores.data());
  const auto end = scores.begin() + static_cast<std::ptrdiff_t>(visible);
  const double tile_max = *std::max_element(scores.begin(), end);
  if (tile_max > max_) rescale(tile_max);
  std::vector<double> weighted;  // weight times score
  if (with_slope_) weighted.assign(scores.begin(), end);
  for (std::size_t j = 0; j < visible; ++j) {
    scores[j] = std::exp(scores[j] - max_);
    sum_ += scores[j];
  }
  tile_accumulate(scores.data(), tile.v.data(), visible, tile.head_dim, out_.data(),
                  squares_.data());
  if (with_slope_) {
    for (std::size_t j = 0; j < visible; ++j) {
      weighted[j] *= scores[j];
      score_sum_ += weighted[j];
    }
    tile_accumulate(weighted.data(), tile.v.data(), visible, tile.head_dim, score_out_.data(),
                    unused_.data());
  }
  largest_k_squared_ = std::max(largest_k_squared_, tile.largest_k_squared);
}

void StreamingSoftmax::rescale(double tile_max) {
  const double shrink = std::exp(max_ - tile_max);  // 0 the first time
  max_ = tile_max;
  sum_ *= shrink;
  score_sum_ *= shrink;
  for (double& x : out_) x *= shrink;
  for (double& x : squares_) x *= shrink * shrink;
  for (double& x : score_out_) x *= shrink;
}

HeadReference StreamingSoftmax::result() const {
  HeadReference result;
  result.lse = sum_ > 0.0 ? max_ + std::log(sum_) : -std::numeric_limits<double>::infinity();
  result.score_bound = q_norm_ * std::sqrt(largest_k_squared_);
  result.out = out_;
  result.spread = squares_;
  if (sum_ > 0.0) {
    for (double& x : result.out) x /= sum_;
    for (double& x : result.spread) x = std::sqrt(x) / sum_;
  }
  return result;
}

std::vector<double> StreamingSoftmax::slope() const {
  std::vector<double> slope(out_.size());
  if (sum_ <= 0.0) return slope;
  const double mean_score = score_sum_ / sum_;
  for (std::size_t d = 0; d < slope.size(); ++d) {
    slope[d] = (score_out_[d] - mean_score * out_[d]) / sum_;
  }
  return slope;
}

}  // namespace fa2bench
