// SPDX-License-Identifier: MIT
// The bundled CUDA shim's own promises: codes for bad arguments, the same bits each time.
#include <algorithm>
#include <functional>
#include <string>
#include <utility>

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

// Without a split and with one, with small tiles and with large ones.
TEST_F(ShimCalls, LeaveZeroAndMinusInfinityWhereNoKeyIsVisible) {
  const Shim shim = bundled_shim();
  for (const char* json :
       {R"({"allow_empty_rows": true, "batch": "q1s0"})",
        R"({"allow_empty_rows": true, "batch": "3q1s0_q5s0_q200s0"})",
        R"({"allow_empty_rows": true, "batch": "q8s3_q64s1_q3s2_q1s0_q130s64_q0s9_q0_q1s40"})",
        R"({"allow_empty_rows": true, "batch": "q1s0_q1s9000_q0s500_q1s1", "num_heads": 32})",
        R"({"allow_empty_rows": true, "batch": "q40s9_q2s9000_q7s0_q3s2", "num_heads": 28,
            "num_kv_heads": 4})",
        R"({"allow_empty_rows": true, "batch": "q3s2", "head_dim": 64, "max_q_len": 90,
            "max_kv_len": 20000})"}) {
    const GpuTarget target(device(), read_one(json));
    const VerifyReport report = target.after(shim);
    EXPECT_TRUE(report.ok) << json << ": " << report.diagnosis;
    ASSERT_TRUE(report.empty_rows) << json;
    EXPECT_TRUE(target.follows_convention(report))
        << json << ": out " << to_text(report.empty_rows->out) << ", lse "
        << to_text(report.empty_rows->lse);
  }
}

TEST_F(ShimCalls, DoNothingWhereThereAreKeysButNoTokens) {
  const GpuTarget target(device(), read_one(R"({"allow_empty_rows": true, "batch": "2q0_q0s40"})"));
  const VerifyReport report = target.after(bundled_shim());
  EXPECT_TRUE(report.ok) << report.diagnosis;
  EXPECT_EQ(report.rows_of, 0);
}

TEST_F(ShimCalls, AreRightOnTheEdgeConfigsRowsWithoutKeys) {
  const Shim shim = bundled_shim();
  int checked = 0;
  for (Workload& workload : read_config(load_json(source_dir() / "configs" / "edge.json"))) {
    const auto shortest_q = *std::min_element(workload.q_lens.begin(), workload.q_lens.end());
    if (make_plan(workload).empty_rows == 0 && shortest_q > 0) continue;
    ++checked;
    const std::string name = workload.name;
    const GpuTarget target(device(), std::move(workload));
    const VerifyReport report = target.after(shim);
    EXPECT_TRUE(report.ok) << name << ": " << report.diagnosis;
    EXPECT_TRUE(target.follows_convention(report)) << name;
  }
  EXPECT_GE(checked, 10);
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
    for (int repeat = 1; repeat < 100; ++repeat) {
      target.buffers.poison_outputs();
      ASSERT_EQ(shim.call(target.buffers.call(), device().stream()).code, 0);
      device().synchronize();
      EXPECT_EQ(target.output_checksums(), first) << json << ", repeat " << repeat;
    }
  }
}

TEST_F(ShimCalls, GiveTheSameBitsWhereverTheBlocksLie) {
  const Shim shim = bundled_shim();
  for (const char* json : {kSmall, kSplit, kLongPrefill}) {
    const Workload workload = read_one(json);
    const Plan plan = make_plan(workload);
    std::vector<std::uint64_t> sums;
    for (std::uint32_t trial = 0; trial < 10; ++trial) {
      const WorkloadBuffers buffers(device(), workload, plan, build_block_table(workload, trial));
      const PagedVarlenCall call = buffers.call();
      ASSERT_EQ(shim.call(call, device().stream()).code, 0);
      device().synchronize();
      sums.push_back(device().checksum({{call.out, plan.memory.q}, {call.lse, plan.memory.lse}}));
    }
    EXPECT_EQ(sums, std::vector<std::uint64_t>(sums.size(), sums.front())) << json;
  }
}

}  // namespace
}  // namespace fa2bench::test
