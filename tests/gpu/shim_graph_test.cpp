// SPDX-License-Identifier: MIT
// An engine records its decode step into a CUDA graph: the bundled shim's call must survive that.
#include <cuda_runtime_api.h>

#include <memory>

#include "gpu/gpu_test.hpp"
#include "gpu/graph_capture.hpp"

namespace fa2bench::test {
namespace {

class ShimInAGraph : public GpuTest {
 protected:
  /// Calls once on the device's stream, records on `stream`, and replays three times.
  void expect_right(const char* json, cudaStream_t stream) {
    const Shim shim = bundled_shim();
    const GpuTarget target(device(), read_one(json));
    const VerifyReport direct = target.after(shim);
    ASSERT_TRUE(direct.ok) << direct.diagnosis;
    const Capture captured = capture(shim, target.buffers.call(), stream);
    ASSERT_EQ(captured.code, 0) << captured.message;
    for (int replay = 0; replay < 3; ++replay) {
      target.buffers.poison_outputs();
      device().synchronize();
      check(cudaGraphLaunch(captured.graph.get(), stream));
      check(cudaStreamSynchronize(stream));
      const VerifyReport report = target.check();
      EXPECT_TRUE(report.ok) << "replay " << replay << ": " << report.diagnosis;
    }
  }
  [[nodiscard]] cudaStream_t own_stream() const {
    return static_cast<cudaStream_t>(device().stream());
  }
};

constexpr const char* kWhole = R"({"batch": "200q1s200", "num_heads": 32, "num_kv_heads": 8})";
constexpr const char* kSplit = R"({"batch": "2q1s9000", "num_heads": 32, "num_kv_heads": 4})";

TEST_F(ShimInAGraph, IsRightWithoutASplit) { expect_right(kWhole, own_stream()); }

TEST_F(ShimInAGraph, IsRightWithASplitWhoseWorkspaceIsThere) { expect_right(kSplit, own_stream()); }

TEST_F(ShimInAGraph, IsRightBesideRowsWithoutKeys) {
  // As an engine pads a decode batch to the size that its graph was recorded with.
  expect_right(R"({"batch": "5q1s3000_11q1s0", "allow_empty_rows": true, "num_heads": 32})",
               own_stream());
}

TEST_F(ShimInAGraph, IsRightOnAStreamThatItHasNotSeen) {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const Owned<cudaStream_t> owner(stream, cudaStreamDestroy);
  expect_right(kSplit, stream);
}

TEST_F(ShimInAGraph, SurvivesALargerCallOnTheSameStream) {
  const Shim shim = bundled_shim();
  const GpuTarget target(device(), read_one(kSplit));
  ASSERT_TRUE(target.after(shim).ok);
  const Capture captured = capture(shim, target.buffers.call(), own_stream());
  ASSERT_EQ(captured.code, 0) << captured.message;
  // Needs more workspace than the graph was recorded with.
  const GpuTarget larger(device(),
                         read_one(R"({"batch": "30q1s9000", "num_heads": 64, "num_kv_heads": 8})"));
  const VerifyReport report = larger.after(shim);
  EXPECT_TRUE(report.ok) << report.diagnosis;
  target.buffers.poison_outputs();
  check(cudaGraphLaunch(captured.graph.get(), own_stream()));
  device().synchronize();
  const VerifyReport replayed = target.check();
  EXPECT_TRUE(replayed.ok) << replayed.diagnosis;
}

}  // namespace
}  // namespace fa2bench::test
