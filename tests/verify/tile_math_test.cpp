// SPDX-License-Identifier: MIT
#include "verify/tile_math.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.hpp"

namespace fa2bench {
namespace {

/// `count` numbers in [-1, 1].
std::vector<double> random_numbers(std::size_t count, std::uint32_t stream) {
  CounterRng rng(11, stream);
  std::vector<double> numbers(count);
  for (double& number : numbers) number = static_cast<double>(rng()) * 0x1p-31 - 1.0;
  return numbers;
}

TEST(TileMath, ScoresAreDotProductsWithEveryKey) {
  for (const std::size_t head_dim : {1U, 8U, 24U, 64U, 128U, 200U}) {
    const std::vector<double> q = random_numbers(head_dim, 1);
    const std::vector<double> k_transposed = random_numbers(head_dim * kTileKeys, 2);
    std::vector<double> scores(kTileKeys, 99.0);
    tile_scores(q.data(), k_transposed.data(), head_dim, scores.data());
    for (std::size_t j = 0; j < kTileKeys; ++j) {
      double expected = 0.0;
      for (std::size_t d = 0; d < head_dim; ++d) expected += q[d] * k_transposed[d * kTileKeys + j];
      EXPECT_NEAR(scores[j], expected, 1e-13) << head_dim << ' ' << j;
    }
  }
}

TEST(TileMath, AccumulateAddsProductsAndTheirSquares) {
  for (const std::size_t head_dim : {1U, 8U, 16U, 24U, 72U, 128U}) {
    for (const std::size_t keys : {0U, 1U, 17U, 128U}) {
      const std::vector<double> p = random_numbers(kTileKeys, 3);
      const std::vector<double> v = random_numbers(head_dim * kTileKeys, 4);
      std::vector<double> out = random_numbers(head_dim, 5);
      std::vector<double> squares = random_numbers(head_dim, 6);
      std::vector<double> expected_out = out;
      std::vector<double> expected_squares = squares;
      for (std::size_t d = 0; d < head_dim; ++d) {
        for (std::size_t j = 0; j < keys; ++j) {
          const double product = p[j] * v[j * head_dim + d];
          expected_out[d] += product;
          expected_squares[d] += product * product;
        }
      }
      tile_accumulate(p.data(), v.data(), keys, head_dim, out.data(), squares.data());
      for (std::size_t d = 0; d < head_dim; ++d) {
        EXPECT_NEAR(out[d], expected_out[d], 1e-13) << head_dim << ' ' << keys;
        EXPECT_NEAR(squares[d], expected_squares[d], 1e-13) << head_dim << ' ' << keys;
      }
    }
  }
}

}  // namespace
}  // namespace fa2bench
