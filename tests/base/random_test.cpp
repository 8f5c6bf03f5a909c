// SPDX-License-Identifier: MIT
// The random numbers are part of what a result means: they may never change.
#include "base/random.hpp"

#include <gmock/gmock.h>

#include <array>
#include <numeric>
#include <set>
#include <vector>

namespace fa2bench {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

using Words = std::array<std::uint32_t, 4>;

/// Philox4x32 as the paper draws it: a counter, a key that is bumped, and two products a round.
Words philox(Words counter, std::array<std::uint32_t, 2> key, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t left = std::uint64_t{0xD2511F53U} * counter[0];
    const std::uint64_t right = std::uint64_t{0xCD9E8D57U} * counter[2];
    const auto high = [](std::uint64_t product) {
      return static_cast<std::uint32_t>(product / 0x100000000ULL);
    };
    const auto low = [](std::uint64_t product) {
      return static_cast<std::uint32_t>(product % 0x100000000ULL);
    };
    counter = Words{high(right) ^ counter[1] ^ key[0], low(right), high(left) ^ counter[3] ^ key[1],
                    low(left)};
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
  return counter;
}

Words expected_block(std::uint64_t seed, std::uint32_t stream, std::uint64_t index) {
  const auto low = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
  return philox({low(index), low(index >> 32U), stream, 0}, {low(seed), low(seed >> 32U)}, 7);
}

TEST(RandomBlock, GivesTheKnownAnswers) {
  // The first is the published answer of Philox4x32-7 for an all-zero counter and key.
  EXPECT_THAT(random_block(0, 0, 0).word,
              ElementsAre(0x5F6FB709U, 0x0D893F64U, 0x4F121F81U, 0x4F730A48U));
  EXPECT_THAT(random_block(1, 2, 3).word,
              ElementsAre(0x15DA0E38U, 0x90B50218U, 0x61766A43U, 0x4B911F60U));
  EXPECT_THAT(random_block(UINT64_MAX, UINT32_MAX, UINT64_MAX).word,
              ElementsAre(0x3D5667F2U, 0xEBD9B9F6U, 0x35331033U, 0xBF4DE048U));
  EXPECT_THAT(random_block(0x0123456789ABCDEFULL, 7, 1ULL << 32U).word,
              ElementsAre(0xF02EBAF9U, 0xFD11A39CU, 0x3403EAE7U, 0xB08A35ACU));
}

TEST(RandomBlock, AgreesWithAnIndependentImplementation) {
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const std::uint64_t seed = i * 0x9E3779B97F4A7C15ULL;
    const auto stream = static_cast<std::uint32_t>(i * 2654435761ULL);
    const std::uint64_t index = ~(i * 0xD1B54A32D192ED03ULL);
    ASSERT_THAT(random_block(seed, stream, index).word,
                ElementsAreArray(expected_block(seed, stream, index)));
  }
}

TEST(RandomBlock, DependsOnEveryBitOfItsArguments) {
  std::set<Words> seen;
  const auto add = [&](std::uint64_t seed, std::uint32_t stream, std::uint64_t index) {
    const RandomBlock block = random_block(seed, stream, index);
    seen.insert({block.word[0], block.word[1], block.word[2], block.word[3]});
  };
  add(0, 0, 0);
  for (unsigned bit = 0; bit < 64; ++bit) {
    add(1ULL << bit, 0, 0);
    add(0, 0, 1ULL << bit);
    if (bit < 32) add(0, 1U << bit, 0);
  }
  EXPECT_EQ(seen.size(), 1U + 64U + 64U + 32U);
}

TEST(RandomBlock, DoesNotDependOnTheOrderOfAccess) {
  std::vector<std::uint64_t> order(1000);
  std::iota(order.begin(), order.end(), 0ULL);
  std::vector<std::uint32_t> forward(order.size());
  for (const std::uint64_t i : order) forward[i] = random_block(9, 1, i).word[0];
  for (std::uint64_t step = 0; step < order.size(); ++step) {
    const std::uint64_t i = (step * 617 + 13) % order.size();  // 617 and 1000 share no factor
    ASSERT_EQ(random_block(9, 1, i).word[0], forward[i]);
  }
}

TEST(CounterRng, IsTheBlocksOfItsStreamInOrder) {
  CounterRng rng(5, 6);
  for (std::uint64_t block = 0; block < 10; ++block) {
    for (const std::uint32_t word : random_block(5, 6, block).word) ASSERT_EQ(rng(), word);
  }
}

TEST(CounterRng, DrawsTheKnownNumbersBelow1000) {
  CounterRng rng(42, 5);
  std::vector<std::uint32_t> drawn;
  for (int i = 0; i < 10; ++i) drawn.push_back(rng.below(1000));
  EXPECT_THAT(drawn, ElementsAre(603, 28, 279, 796, 375, 823, 819, 894, 344, 971));
}

TEST(CounterRng, DrawsOnlyZeroBelowOneAndWholeWordsBelowTheirNumber) {
  CounterRng rng(1, 2);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(rng.below(1), 0U);
  CounterRng words(3, 4);
  CounterRng raw(3, 4);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(words.below(0x100000000ULL), raw());
}

TEST(CounterRng, StaysBelowItsBound) {
  CounterRng rng(1, 1);
  for (const std::uint64_t bound : {2ULL, 3ULL, 1000ULL, 0x80000001ULL, 0xFFFFFFFFULL}) {
    for (int i = 0; i < 1000; ++i) ASSERT_LT(rng.below(bound), bound);
  }
}

// Without the rejection step the multiples of 3 would come half of the time, not a third.
TEST(CounterRng, HasNoBiasBelowALargeBound) {
  CounterRng rng(1, 1);
  constexpr int kDraws = 90000;
  std::array<int, 3> counts{};
  for (int i = 0; i < kDraws; ++i) ++counts[rng.below(0xC0000000ULL) % 3U];
  for (const int count : counts) EXPECT_NEAR(count, kDraws / 3, 600);  // over 4 standard deviations
}

TEST(CounterRng, IsUniformOverASmallBound) {
  CounterRng rng(7, 7);
  constexpr int kDraws = 60000;
  std::array<int, 6> counts{};
  for (int i = 0; i < kDraws; ++i) ++counts[rng.below(6)];
  double chi_square = 0.0;
  for (const int count : counts) {
    chi_square += (count - 10000.0) * (count - 10000.0) / 10000.0;
  }
  EXPECT_LT(chi_square, 20.5);  // the 99.9 % point with 5 degrees of freedom
  EXPECT_GT(chi_square, 0.05);  // too even is not random either
}

}  // namespace
}  // namespace fa2bench
