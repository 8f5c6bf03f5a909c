// SPDX-License-Identifier: MIT
// The bundled CUDA shim's own promises: codes for bad arguments, the same bits each time.
#include <functional>

#include "gpu/gpu_test.hpp"

namespace fa2bench::test {
namespace {

constexpr const char* kSmall = R"({"batch": "q3s50_2q1s90"})";
/// Few sequences with many keys: the shim splits the keys.
constexpr const char* kSplit = R"({"batch": "2q1s9000", "num_heads": 32, "num_kv_heads": 4})";
constexpr const char* kLongPrefill = R"({"batch": "q700s2500_q64s65_q1s3000", "num_heads": 28,
                                         "num_kv_heads": 4})";

class ShimCalls : public GpuTest {
 protected:
  /// The outcome of the small workload's call after `change`.
  CallOutcome outcome(const std::function<void(PagedVarlenCall&)>& change) {
    const GpuTarget target(device(), read_one(kSmall));
    PagedVarlenCall call = target.buffers.call();
    change(call);
    CallOutcome result = bundled_shim().call(call, device().stream());
    device().synchronize();
    return result;
  }
  void expect(int code, const std::string& message,
              const std::function<void(PagedVarlenCall&)>& change) {
    const CallOutcome result = outcome(change);
    EXPECT_EQ(result.code, code) << message;
    EXPECT_EQ(result.message, message);
    EXPECT_FALSE(result.wrote_past_err_buf);
  }
};

using Call = PagedVarlenCall;

TEST_F(ShimCalls, RefuseNullPointers) {
  expect(1, "q is a null pointer", [](Call& c) { c.q = nullptr; });
  expect(1, "k is a null pointer", [](Call& c) { c.k = nullptr; });
  expect(1, "v is a null pointer", [](Call& c) { c.v = nullptr; });
  expect(1, "out is a null pointer", [](Call& c) { c.out = nullptr; });
  expect(1, "lse is a null pointer", [](Call& c) { c.lse = nullptr; });
  expect(1, "cu_seqlens_q is a null pointer", [](Call& c) { c.cu_seqlens_q = nullptr; });
  expect(1, "seq_lens is a null pointer", [](Call& c) { c.seq_lens = nullptr; });
  expect(1, "block_tables is a null pointer", [](Call& c) { c.block_tables = nullptr; });
}

TEST_F(ShimCalls, RefuseBadSizes) {
  expect(2, "num_seqs = -1; expected at least 0", [](Call& c) { c.num_seqs = -1; });
  expect(2, "total_q_tokens = -5; expected at least 0", [](Call& c) { c.total_q_tokens = -5; });
  expect(2, "num_kv_heads = 0; expected at least 1", [](Call& c) { c.num_kv_heads = 0; });
  expect(2, "block_size = 0; expected at least 1", [](Call& c) { c.block_size = 0; });
  expect(2, "num_heads = 33 is not a multiple of num_kv_heads = 2",
         [](Call& c) { c.num_heads = 33; });
  expect(2, "total_q_tokens = 5, but num_seqs = 3 with max_q_len = 1 hold at most 3",
         [](Call& c) { c.max_q_len = 1; });
}

TEST_F(ShimCalls, RefuseShapesWithoutCode) {
  expect(3, "head_dim = 96 is not supported", [](Call& c) { c.head_dim = 96; });
  expect(3, "block_size = 24 is not supported", [](Call& c) { c.block_size = 24; });
}

TEST_F(ShimCalls, DoNothingForAnEmptyBatch) {
  expect(0, "", [](Call& c) { c.num_seqs = c.total_q_tokens = 0; });
  expect(0, "", [](Call& c) {
    c = Call{};
    c.num_heads = c.num_kv_heads = 1;
    c.head_dim = 128;
    c.block_size = 16;
  });
}

TEST_F(ShimCalls, AreRightAfterARefusal) {
  const Shim shim = bundled_shim();
  const GpuTarget target(device(), read_one(kSmall));
  PagedVarlenCall call = target.buffers.call();
  call.head_dim = 100;
  EXPECT_EQ(shim.call(call, device().stream()).code, FERRUM_FA2_UNSUPPORTED);
  const VerifyReport report = target.after(shim);
  EXPECT_TRUE(report.ok) << report.diagnosis;
}

TEST_F(ShimCalls, DescribeTheShapesTheyHave) {
  const ShimDescription description = bundled_shim().description();
  EXPECT_TRUE(description.described);
  EXPECT_TRUE(description.device_memory);
  EXPECT_EQ(description.name, "ferrum-fa2-cuda");
  EXPECT_EQ(description.head_dims, (std::vector<int>{64, 128}));
}

TEST_F(ShimCalls, GiveTheSameBitsEachTime) {
  const Shim shim = bundled_shim();
  for (const char* json : {kSmall, kSplit, kLongPrefill}) {
    const GpuTarget target(device(), read_one(json));
    const VerifyReport report = target.after(shim);
    ASSERT_TRUE(report.ok) << json << ": " << report.diagnosis;
    const auto first = target.output_checksums();
    for (int repeat = 1; repeat < 20; ++repeat) {
      target.buffers.poison_outputs();
      ASSERT_EQ(shim.call(target.buffers.call(), device().stream()).code, 0);
      device().synchronize();
      EXPECT_EQ(target.output_checksums(), first) << json << ", repeat " << repeat;
    }
  }
}

TEST_F(ShimCalls, GiveTheSameBitsWhereverTheBlocksLie) {
  const Shim shim = bundled_shim();
  const Workload workload = read_one(kSplit);
  const Plan plan = make_plan(workload);
  std::vector<std::uint64_t> sums;
  for (std::uint32_t trial = 0; trial < 3; ++trial) {
    const WorkloadBuffers buffers(device(), workload, plan, build_block_table(workload, trial));
    ASSERT_EQ(shim.call(buffers.call(), device().stream()).code, 0);
    device().synchronize();
    sums.push_back(device().checksum({{buffers.call().out, plan.memory.q}}));
  }
  EXPECT_EQ(sums[1], sums[0]);
  EXPECT_EQ(sums[2], sums[0]);
}

}  // namespace
}  // namespace fa2bench::test
