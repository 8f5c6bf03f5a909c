// SPDX-License-Identifier: MIT
// The CPU shim's numbers against the contract's formulas, for each of its instruction sets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "base/half.hpp"
#include "shims/batch.hpp"
#include "shims/library.hpp"

namespace fa2bench::test {
namespace {

using Lengths = std::vector<std::pair<int, int>>;

// Half a unit in the last place of f16, and a little for f32 arithmetic.
constexpr double kOutTolerance = 0x1p-11 + 2e-5;
constexpr double kLseTolerance = 2e-5;

/// The parameter lowers the instruction set; a CPU without it tests the next lower one again.
class CpuShim : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { setenv("FERRUM_FA2_CPU_ISA", GetParam(), 1); }
  void TearDown() override { unsetenv("FERRUM_FA2_CPU_ISA"); }

  static void run(Batch& batch) {
    char text[512] = "";
    const int code = invoke(shim().call, batch.call, nullptr, text, sizeof text);
    ASSERT_EQ(code, FERRUM_FA2_OK) << text;
  }

  static void expect_right(Batch& batch) {
    ASSERT_NO_FATAL_FAILURE(run(batch));
    const Errors errors = compare(batch, expected_result(batch));
    EXPECT_LE(errors.out, kOutTolerance);
    EXPECT_LE(errors.lse, kLseTolerance);
  }

  static void expect_right(const BatchShape& shape) {
    Batch batch(shape);
    expect_right(batch);
  }

  static const Library& shim() {
    static const Library library = open_library(FA2BENCH_CPU_SHIM);
    return library;
  }
};

INSTANTIATE_TEST_SUITE_P(Isa, CpuShim, testing::Values("portable", "avx2", "avx512"),
                         [](const auto& isa) { return std::string(isa.param); });

BatchShape shape_of(int num_heads, int num_kv_heads, int head_dim, const Lengths& lengths) {
  BatchShape shape;
  shape.num_heads = num_heads;
  shape.num_kv_heads = num_kv_heads;
  shape.head_dim = head_dim;
  shape.lengths = lengths;
  return shape;
}

const Lengths kEdgeDecodes = {{1, 1},  {1, 15}, {1, 16},  {1, 17},  {1, 31},  {1, 63},
                              {1, 64}, {1, 65}, {1, 127}, {1, 129}, {1, 1000}};

TEST_P(CpuShim, DecodesContextsAtBlockAndTileEdges) {
  expect_right(shape_of(8, 2, 128, kEdgeDecodes));
}

TEST_P(CpuShim, PrefillsLengthsAtBlockAndTileEdges) {
  expect_right(shape_of(4, 2, 64,
                        {{1, 1},
                         {15, 15},
                         {16, 16},
                         {17, 17},
                         {31, 31},
                         {63, 63},
                         {64, 64},
                         {65, 65},
                         {127, 127},
                         {129, 129},
                         {400, 400}}));
}

TEST_P(CpuShim, AlignsTheCausalMaskToTheEndOfTheContext) {
  expect_right(shape_of(4, 1, 64, {{5, 6}, {16, 300}, {100, 129}, {2, 1000}}));
}

TEST_P(CpuShim, MixesPrefillsAndDecodes) {
  expect_right(shape_of(6, 3, 80, {{1, 257}, {70, 70}, {1, 1}, {33, 200}, {1, 64}}));
}

TEST_P(CpuShim, MapsQueryHeadsToTheirGroupsKvHead) {
  const std::pair<int, int> heads[] = {{28, 4}, {40, 8}, {64, 8}, {8, 8}, {5, 1}, {14, 2}, {71, 1}};
  for (const auto& [num_heads, num_kv_heads] : heads) {
    SCOPED_TRACE(testing::Message() << num_heads << "/" << num_kv_heads);
    expect_right(shape_of(num_heads, num_kv_heads, 64, {{1, 70}, {3, 20}}));
  }
}

TEST_P(CpuShim, SupportsEveryShapeThatItDescribes) {
  for (int head_dim = 16; head_dim <= 256; head_dim += 16) {
    for (const int block_size : {16, 32, 64, 128, 256}) {
      SCOPED_TRACE(testing::Message() << head_dim << ", " << block_size);
      BatchShape shape = shape_of(12, 1, head_dim, {{1, 300}, {2, 33}});
      shape.block_size = block_size;
      expect_right(shape);
    }
  }
}

TEST_P(CpuShim, SplitsALongContextAmongShortOnes) {
  expect_right(shape_of(4, 2, 64, {{1, 20}, {1, 9001}, {1, 300}, {3, 5000}}));
}

TEST_P(CpuShim, ReadsBlocksThatSequencesShare) {
  BatchShape shape = shape_of(4, 2, 64, {{1, 200}, {1, 161}, {9, 170}});
  shape.shared_blocks = 8;
  expect_right(shape);
}

TEST_P(CpuShim, TakesTheRowStrideOfTheTableFromItsArgument) {
  for (const int extra : {0, 1, 500}) {
    BatchShape shape = shape_of(4, 2, 64, {{1, 40}, {1, 100}, {2, 17}});
    shape.extra_columns = extra;
    expect_right(shape);
  }
}

TEST_P(CpuShim, AcceptsOverstatedMaxima) {
  Batch batch(shape_of(4, 2, 64, {{1, 40}, {7, 100}}));
  batch.call.max_q_len *= 4;
  batch.call.max_kv_len *= 4;
  expect_right(batch);
}

TEST_P(CpuShim, GivesZeroAndMinusInfinityWhereNoKeyIsVisible) {
  Batch batch(shape_of(4, 2, 64, {{8, 3}, {64, 1}, {1, 0}, {1, 50}, {3, 2}, {130, 64}}));
  ASSERT_NO_FATAL_FAILURE(run(batch));
  EXPECT_EQ(half_to_float(batch.out[0]), 0.0F);
  EXPECT_EQ(batch.lse[0], -INFINITY);
  const Errors errors = compare(batch, expected_result(batch));
  EXPECT_LE(errors.out, kOutTolerance);
  EXPECT_LE(errors.lse, kLseTolerance);
}

TEST_P(CpuShim, SkipsSequencesWithoutQueryTokens) {
  expect_right(shape_of(4, 2, 64, {{0, 5}, {1, 30}, {0, 0}, {2, 20}, {0, 100}}));
}

TEST_P(CpuShim, StaysFiniteWithLargeScores) {
  BatchShape shape = shape_of(2, 1, 128, {{1, 300}, {40, 80}});
  shape.scale = 12.0F;
  Batch batch(shape);
  ASSERT_NO_FATAL_FAILURE(run(batch));
  const Errors errors = compare(batch, expected_result(batch));
  EXPECT_LE(errors.out, 2e-3);  // scores near 1e4 carry f32 errors near 1e-3
  EXPECT_LE(errors.lse, 1e-5);
}

TEST_P(CpuShim, ReadsAndWritesSubnormalHalves) {
  BatchShape shape = shape_of(2, 1, 64, {{1, 20}});
  shape.scale = 2e-6F;
  Batch batch(shape);
  ASSERT_NO_FATAL_FAILURE(run(batch));
  const Expected expected = expected_result(batch);
  for (std::size_t i = 0; i < batch.out.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(half_to_float(batch.out[i])), expected.out[i], 0x1.1p-25);
  }
}

TEST_P(CpuShim, EqualScoresGiveTheScorePlusLogOfTheCount) {
  Batch batch(shape_of(2, 1, 64, {{1, 777}}));
  for (std::size_t d = 0; d < 64; ++d) batch.q[d] = batch.q[64 + d] = float_to_half(0.5F);
  for (int key = 0; key < 777; ++key) {
    for (std::size_t d = 0; d < 64; ++d)
      batch.k[batch.key_offset(0, key, 0) + d] = float_to_half(0.25F);
  }
  ASSERT_NO_FATAL_FAILURE(run(batch));
  // The score is 64 · 0.5 · 0.25 / sqrt(64) = 1.
  EXPECT_NEAR(batch.lse[0], 1.0 + std::log(777.0), 1e-5);
  EXPECT_NEAR(batch.lse[1], 1.0 + std::log(777.0), 1e-5);
}

TEST_P(CpuShim, RepeatsBitForBit) {
  Batch batch(shape_of(8, 2, 128, {{1, 6000}, {50, 700}, {1, 3}}));
  ASSERT_NO_FATAL_FAILURE(run(batch));
  const std::vector<std::uint16_t> out = batch.out;
  const std::vector<float> lse = batch.lse;
  for (int i = 0; i < 5; ++i) {
    batch.fill_outputs_with_canary();
    ASSERT_NO_FATAL_FAILURE(run(batch));
    EXPECT_EQ(batch.out, out);
    EXPECT_EQ(batch.lse, lse);
  }
}

TEST_P(CpuShim, LeavesItsInputsAlone) {
  Batch batch(shape_of(8, 2, 64, {{1, 60}, {50, 70}}));
  const auto inputs = std::make_tuple(batch.q, batch.k, batch.v, batch.cu_seqlens_q, batch.seq_lens,
                                      batch.block_tables);
  ASSERT_NO_FATAL_FAILURE(run(batch));
  EXPECT_TRUE(inputs == std::tie(batch.q, batch.k, batch.v, batch.cu_seqlens_q, batch.seq_lens,
                                 batch.block_tables));
}

TEST_P(CpuShim, AgreesWithTheFormulasOnRandomBatches) {
  std::mt19937 random(20);
  const auto between = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  for (std::uint32_t seed = 0; seed < 300 && !HasFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    BatchShape shape;
    shape.seed = seed;
    shape.num_kv_heads = between(1, 4);
    shape.num_heads = shape.num_kv_heads * between(1, 9);
    shape.head_dim = 16 * between(1, 8);
    shape.block_size = 16 << between(0, 2);
    shape.extra_columns = between(0, 4);
    shape.shared_blocks = between(0, 2);
    for (int seqs = between(1, 6); seqs > 0; --seqs) {
      const int q_len = between(0, 3) != 0 ? between(0, 2) : between(0, 40);
      const int kv_len = between(0, 9) == 0 ? between(0, q_len) : q_len + between(0, 150);
      shape.lengths.emplace_back(q_len, kv_len);
    }
    expect_right(shape);
  }
}

/// A pool of zero pages that cost nothing until they are written.
struct SparsePool {
  explicit SparsePool(std::size_t bytes_) : bytes(bytes_) {
    data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                -1, 0);
  }
  SparsePool(const SparsePool&) = delete;
  SparsePool& operator=(const SparsePool&) = delete;
  ~SparsePool() {
    if (data != MAP_FAILED) munmap(data, bytes);
  }
  std::size_t bytes;
  void* data;
};

TEST_P(CpuShim, FindsBlocksPast2To32Elements) {
  Batch batch(shape_of(8, 8, 128, {{1, 100}, {3, 40}}));
  ASSERT_NO_FATAL_FAILURE(run(batch));
  const std::vector<std::uint16_t> out = batch.out;

  constexpr int kShift = 262144 + 7;  // blocks of 2^14 elements
  const std::size_t low_bytes = batch.k.size() * sizeof(std::uint16_t);
  const std::size_t shift_bytes = std::size_t{kShift} * 16 * 8 * 128 * sizeof(std::uint16_t);
  const SparsePool k(shift_bytes + low_bytes);
  const SparsePool v(shift_bytes + low_bytes);
  if (k.data == MAP_FAILED || v.data == MAP_FAILED) {
    GTEST_SKIP() << "this system does not lend 17 GB of addresses";
  }
  std::memcpy(static_cast<char*>(k.data) + shift_bytes, batch.k.data(), low_bytes);
  std::memcpy(static_cast<char*>(v.data) + shift_bytes, batch.v.data(), low_bytes);
  const auto pool_blocks = static_cast<std::int32_t>(batch.k.size() / (std::size_t{16} * 8 * 128));
  for (std::int32_t& entry : batch.block_tables) {
    if (entry >= 0 && entry < pool_blocks) entry += kShift;
  }
  batch.call.k = k.data;
  batch.call.v = v.data;
  batch.fill_outputs_with_canary();
  ASSERT_NO_FATAL_FAILURE(run(batch));
  EXPECT_EQ(batch.out, out);
}

TEST_P(CpuShim, ServesManySequences) {
  Batch batch(shape_of(2, 1, 16, Lengths(70000, {1, 3})));
  expect_right(batch);
}

TEST(Batch, ComparisonNoticesACanaryAWrongValueAndAWrongInfinity) {
  Batch batch(shape_of(2, 1, 16, {{1, 20}}));
  const Expected expected = expected_result(batch);
  EXPECT_EQ(compare(batch, expected).out, INFINITY);
  EXPECT_EQ(compare(batch, expected).lse, INFINITY);
  for (std::size_t i = 0; i < batch.out.size(); ++i) {
    batch.out[i] = float_to_half(static_cast<float>(expected.out[i]));
  }
  for (std::size_t i = 0; i < batch.lse.size(); ++i) {
    batch.lse[i] = static_cast<float>(expected.lse[i]);
  }
  EXPECT_LE(compare(batch, expected).out, kOutTolerance);
  EXPECT_LE(compare(batch, expected).lse, kLseTolerance);
  batch.out[5] = float_to_half(half_to_float(batch.out[5]) + 0.01F);
  EXPECT_GT(compare(batch, expected).out, kOutTolerance);
  batch.lse[1] = -INFINITY;
  EXPECT_EQ(compare(batch, expected).lse, INFINITY);
}

}  // namespace
}  // namespace fa2bench::test
