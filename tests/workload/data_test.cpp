// SPDX-License-Identifier: MIT
#include "workload/data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "base/half.hpp"

namespace fa2bench {
namespace {

TEST(DataRecipe, ConvertsEveryIntegerExactly) {
  for (int n = -2047; n <= 2047; ++n) {
    ASSERT_EQ(half_to_float(half_of_units(n)) * 256.0F, static_cast<float>(n)) << n;
  }
}

TEST(DataRecipe, StaysInItsRange) {
  int lowest = 0;
  int highest = 0;
  for (const std::uint32_t low : {0x0000U, 0x00FFU, 0xFFFFU}) {
    for (std::uint32_t high = 0; high <= 0xFFFFU; ++high) {
      const int n = normal_units((high << 16U) | low);
      lowest = std::min(lowest, n);
      highest = std::max(highest, n);
    }
  }
  EXPECT_EQ(lowest, -1079);
  EXPECT_EQ(highest, 1079);
}

/// Mean, standard deviation and excess kurtosis, from sums of powers.
struct Moments {
  double mean = 0;
  double sigma = 0;
  double kurtosis = 0;
};

struct PowerSums {
  double count = 0;
  double sum[4] = {0, 0, 0, 0};

  void add(double value, double weight) {
    count += weight;
    for (double& s : sum) s += (weight *= value);
  }
  [[nodiscard]] Moments moments() const {
    const double m1 = sum[0] / count;
    const double m2 = sum[1] / count - m1 * m1;
    const double m4 = sum[3] / count - 4 * m1 * sum[2] / count + 6 * m1 * m1 * sum[1] / count -
                      3 * m1 * m1 * m1 * m1;
    return {m1, std::sqrt(m2), m4 / (m2 * m2) - 3};
  }
};

// Over all 2^32 words: the popcount's weights are binomial, the spread's come from counting.
TEST(DataRecipe, IsNormalToItsFourthMomentOverAllWords) {
  PowerSums sums;
  double ways = 1;
  for (int ones = 0; ones <= 16; ++ones) {
    const auto low = static_cast<std::uint32_t>((1UL << static_cast<unsigned>(ones)) - 1);
    for (std::uint32_t high = 0; high <= 0xFFFFU; ++high) {
      sums.add(normal_units((high << 16U) | low) / 256.0, ways);
    }
    ways = ways * (16 - ones) / (ones + 1);
  }
  const Moments moments = sums.moments();
  EXPECT_NEAR(moments.mean, 0.0, 2e-5);
  EXPECT_NEAR(moments.sigma, 256.6 / 256, 5e-4);
  EXPECT_NEAR(moments.kurtosis, -0.12, 5e-3);
}

TEST(DataRecipe, DrawsSamplesWithThoseMoments) {
  for (const Tensor tensor : {Tensor::q, Tensor::k, Tensor::v}) {
    PowerSums sums;
    double product = 0;  // of neighbours
    constexpr std::uint64_t kQuads = 1 << 18;
    for (std::uint64_t quad = 0; quad < kQuads; ++quad) {
      const HalfQuad half = half_quad(7, tensor, quad);
      double previous = 0;
      for (const std::uint16_t bits : half.value) {
        const double value = half_to_float(bits);
        sums.add(value, 1);
        product += previous * value;
        previous = value;
      }
    }
    // Five standard errors of 2^20 samples.
    const Moments moments = sums.moments();
    EXPECT_NEAR(moments.mean, 0.0, 5e-3);
    EXPECT_NEAR(moments.sigma, 256.6 / 256, 4e-3);
    EXPECT_NEAR(moments.kurtosis, -0.12, 2.5e-2);
    EXPECT_NEAR(product / (3 * kQuads), 0.0, 6e-3);
  }
}

TEST(DataRecipe, DependsOnSeedTensorAndIndex) {
  const auto differ = [](const HalfQuad& a, const HalfQuad& b) {
    return a.value[0] != b.value[0] || a.value[1] != b.value[1] || a.value[2] != b.value[2] ||
           a.value[3] != b.value[3];
  };
  const HalfQuad base = half_quad(1, Tensor::k, 5);
  EXPECT_FALSE(differ(base, half_quad(1, Tensor::k, 5)));
  EXPECT_TRUE(differ(base, half_quad(2, Tensor::k, 5)));
  EXPECT_TRUE(differ(base, half_quad(1ULL << 32U | 1U, Tensor::k, 5)));
  EXPECT_TRUE(differ(base, half_quad(1, Tensor::v, 5)));
  EXPECT_TRUE(differ(base, half_quad(1, Tensor::k, 6)));
  EXPECT_TRUE(differ(base, half_quad(1, Tensor::k, 5 + (1ULL << 32U))));
}

TEST(DataRecipe, PoisonIsNan) { EXPECT_TRUE(std::isnan(half_to_float(kPoisonHalf))); }

}  // namespace
}  // namespace fa2bench
