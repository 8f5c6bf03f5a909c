// SPDX-License-Identifier: MIT
// The bundled CUDA shim's prefill: tiles, key tiles, blocks and parts that end where they may.
#include <string>

#include "gpu/gpu_test.hpp"

namespace fa2bench::test {
namespace {

class ShimPrefill : public GpuTest {
 protected:
  void expect_right(const std::string& json) {
    const GpuTarget target(device(), read_one(json));
    const VerifyReport report = target.after(bundled_shim());
    EXPECT_TRUE(report.ok) << json << ": " << report.diagnosis;
    EXPECT_TRUE(target.follows_convention(report)) << json;
  }
};

constexpr const char* kUneven =
    "q700s700_q64s65_q1s3000_q129s1000_q128s128_q15s127_q16s129_q200s4095_q17s17";

TEST_F(ShimPrefill, IsRightForEveryKindOfGroup) {
  for (const char* heads :
       {"8, \"num_kv_heads\": 8", "6, \"num_kv_heads\": 2", "28, \"num_kv_heads\": 4",
        "40, \"num_kv_heads\": 8", "32, \"num_kv_heads\": 1", "100, \"num_kv_heads\": 1"}) {
    expect_right(std::string(R"({"batch": ")") + kUneven + R"(", "num_heads": )" + heads + "}");
  }
}

TEST_F(ShimPrefill, IsRightForEverySizeOfBlock) {
  for (const int size : {16, 32, 64, 128, 256}) {
    expect_right(std::string(R"({"batch": ")") + kUneven +
                 R"(", "num_heads": 32, "num_kv_heads": 4, "block_size": )" + std::to_string(size) +
                 "}");
  }
}

// One length, so that a block takes several tiles, of whole and of partial key tiles.
TEST_F(ShimPrefill, IsRightWhereABlockTakesSeveralTiles) {
  for (const char* batch : {"q2048s2048", "q2000s3000", "5q300s300", "8q256s256", "40q33s33"}) {
    expect_right(std::string(R"({"batch": ")") + batch +
                 R"(", "num_heads": 32, "num_kv_heads": 4})");
  }
}

TEST_F(ShimPrefill, IsRightWhereTheKeysAreSplit) {
  for (const char* batch : {"q100s9000", "q16s31000", "q30s9000_q20s100_q1s5000", "2q70s8191"}) {
    expect_right(std::string(R"({"batch": ")") + batch +
                 R"(", "num_heads": 32, "num_kv_heads": 4})");
  }
}

TEST_F(ShimPrefill, IsRightBesideRowsAndSequencesWithoutKeys) {
  expect_right(R"({"allow_empty_rows": true, "num_heads": 32, "num_kv_heads": 4,
                   "batch": "q40s0_q200s30_q0s50_q130s129_q0_q1s0_q60s700_q300s1"})");
  expect_right(R"({"allow_empty_rows": true, "num_heads": 32, "num_kv_heads": 4,
                   "batch": "q200s0"})");
  expect_right(R"({"allow_empty_rows": true, "num_heads": 32, "num_kv_heads": 4,
                   "batch": "q20s0_q30s9000_q40s9_q0s100"})");
}

TEST_F(ShimPrefill, IsRightWhereTheLongestLengthsAreOnlyBounds) {
  expect_right(R"({"batch": "3q200s333", "num_heads": 32, "num_kv_heads": 4, "max_q_len": 500,
                   "max_kv_len": 20000})");
}

TEST_F(ShimPrefill, GivesTheSameBitsEachTime) {
  const Shim shim = bundled_shim();
  for (const char* batch : {"q2000s3000", "q100s9000", kUneven}) {
    const GpuTarget target(device(), read_one(std::string(R"({"batch": ")") + batch +
                                              R"(", "num_heads": 32, "num_kv_heads": 4})"));
    ASSERT_TRUE(target.after(shim).ok);
    const auto first = target.output_checksums();
    for (int repeat = 1; repeat < 100; ++repeat) {
      target.buffers.poison_outputs();
      ASSERT_EQ(shim.call(target.buffers.call(), device().stream()).code, 0);
      device().synchronize();
      EXPECT_EQ(target.output_checksums(), first) << batch << ", repeat " << repeat;
    }
  }
}

}  // namespace
}  // namespace fa2bench::test
