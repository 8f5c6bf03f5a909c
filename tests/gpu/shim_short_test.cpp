// SPDX-License-Identifier: MIT
// The bundled CUDA shim's path for short queries, which cuts all keys into equal shares: right
// wherever a cut falls, and the same bits each time, whatever runs beside it.
#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gpu/gpu_test.hpp"

namespace fa2bench::test {
namespace {

void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

struct Stream {
  cudaStream_t handle = nullptr;
  Stream() { check(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(handle); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
};

/// One share ends inside a unit, one has several, one is a unit; pairs of blocks and single ones.
const std::vector<std::string> kBatches = {
    R"({"batch": "q1s1", "num_heads": 32, "num_kv_heads": 4})",
    R"({"batch": "q1s4096", "num_heads": 32, "num_kv_heads": 4})",
    R"({"batch": "3q1s5000_q1s17_q1s1_2q1s333", "num_heads": 32, "num_kv_heads": 4})",
    R"({"batch": "q1s20000_40q1s100", "num_heads": 32, "num_kv_heads": 4})",
    R"({"batch": "q2s3001_q1s900_q5s5_q3s4100", "num_heads": 28, "num_kv_heads": 4})",
    R"({"batch": "q8s7000_q1s31", "num_heads": 32, "num_kv_heads": 4})",
    R"({"batch": "9q1s700", "num_heads": 16, "num_kv_heads": 16, "head_dim": 64})",
    R"({"batch": "2q5s2500_q64s64", "num_heads": 48, "num_kv_heads": 1, "head_dim": 64})",
    R"({"batch": "500q1s300_9q2s700", "num_heads": 8, "num_kv_heads": 1})"};

class ShortQueries : public GpuTest {};

TEST_F(ShortQueries, AreRightWhereverTheirKeysAreCut) {
  const Shim shim = bundled_shim();
  for (const std::string& json : kBatches) {
    const GpuTarget target(device(), read_one(json));
    const VerifyReport report = target.after(shim);
    EXPECT_TRUE(report.ok) << json << ": " << report.diagnosis;
  }
}

TEST_F(ShortQueries, AreRightForEachNumberOfTokens) {
  const Shim shim = bundled_shim();
  for (int q_len = 1; q_len <= 66; q_len += q_len < 10 ? 1 : 8) {
    const std::string json = R"({"batch": "q)" + std::to_string(q_len) +
                             R"(s3007", "num_heads": 28, "num_kv_heads": 4})";
    const GpuTarget target(device(), read_one(json));
    const VerifyReport report = target.after(shim);
    EXPECT_TRUE(report.ok) << json << ": " << report.diagnosis;
  }
}

// A warp for each unit: no cuts.
TEST_F(ShortQueries, AreRightInManySequencesWithFewKeys) {
  const Shim shim = bundled_shim();
  for (const char* json :
       {R"({"batch": "700q1s60_300q1s1", "num_heads": 32, "num_kv_heads": 4})",
        R"({"batch": "500q1s0_500q2s200", "num_heads": 16, "num_kv_heads": 2, "head_dim": 64,
            "allow_empty_rows": true})"}) {
    const GpuTarget target(device(), read_one(json));
    const VerifyReport report = target.after(shim);
    EXPECT_TRUE(report.ok) << json << ": " << report.diagnosis;
    EXPECT_TRUE(target.follows_convention(report)) << json;
  }
}

TEST_F(ShortQueries, GiveTheSameBitsAfterOtherBatchesOnTheirStream) {
  const Shim shim = bundled_shim();
  std::vector<std::unique_ptr<GpuTarget>> targets;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> first;
  for (const std::string& json : kBatches) {
    targets.push_back(std::make_unique<GpuTarget>(device(), read_one(json)));
    ASSERT_TRUE(targets.back()->after(shim).ok) << json;
    first.push_back(targets.back()->output_checksums());
  }
  for (int repeat = 0; repeat < 10; ++repeat) {
    for (const auto& target : targets) {
      target->buffers.poison_outputs();
      ASSERT_EQ(shim.call(target->buffers.call(), device().stream()).code, 0);
    }
    device().synchronize();
    for (std::size_t i = 0; i < targets.size(); ++i) {
      EXPECT_EQ(targets[i]->output_checksums(), first[i]) << kBatches[i] << ", repeat " << repeat;
    }
  }
}

TEST_F(ShortQueries, DoNotMeetOnOtherStreams) {
  const Shim shim = bundled_shim();
  const GpuTarget one(device(), read_one(kBatches[2]));
  const GpuTarget two(device(), read_one(kBatches[3]));
  ASSERT_TRUE(one.after(shim).ok);
  ASSERT_TRUE(two.after(shim).ok);
  const auto expected_one = one.output_checksums();
  const auto expected_two = two.output_checksums();
  const Stream left;
  const Stream right;
  one.buffers.poison_outputs();
  two.buffers.poison_outputs();
  device().synchronize();
  for (int repeat = 0; repeat < 50; ++repeat) {
    ASSERT_EQ(shim.call(one.buffers.call(), left.handle).code, 0);
    ASSERT_EQ(shim.call(two.buffers.call(), right.handle).code, 0);
  }
  check(cudaStreamSynchronize(left.handle));
  check(cudaStreamSynchronize(right.handle));
  EXPECT_EQ(one.output_checksums(), expected_one);
  EXPECT_EQ(two.output_checksums(), expected_two);
}

}  // namespace
}  // namespace fa2bench::test
