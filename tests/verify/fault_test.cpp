// SPDX-License-Identifier: MIT
// A verifier that lets a mistake pass makes every number of this tool worthless: each known one is
// made on each workload and must be caught, in the tensor where it was made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "verify/host_target.hpp"
#include "verify/naive_attention.hpp"

namespace fa2bench::test {
namespace {

bool any_sequence(const Workload& workload, bool (*holds)(int q_len, int kv_len, int block_size)) {
  for (std::size_t s = 0; s < workload.q_lens.size(); ++s) {
    if (holds(workload.q_lens[s], workload.kv_lens[s], workload.shape.block_size)) return true;
  }
  return false;
}

/// Whether the mistake changes any result of the workload.
bool matters(Mistake mistake, const Workload& workload) {
  const HeadShape& shape = workload.shape;
  switch (mistake) {
    case Mistake::top_left:
      return any_sequence(workload, [](int q, int kv, int /*page*/) { return q != kv; });
    case Mistake::drop_last_block:
      return any_sequence(workload, [](int /*q*/, int kv, int page) { return kv > page; });
    case Mistake::wrong_kv_head:
      return shape.num_kv_heads > 1 && shape.group() > 1;
    case Mistake::f16_sums:
      return *std::min_element(workload.kv_lens.begin(), workload.kv_lens.end()) >= 512;
    case Mistake::lse_transposed:
      return shape.num_heads > 1 && workload.q_lens.size() > 1;
    default:
      return any_sequence(workload, [](int /*q*/, int kv, int /*page*/) { return kv > 1; });
  }
}

/// How the mistake's name begins.
const char* name_of(Mistake mistake) {
  switch (mistake) {
    case Mistake::zeros:
      return "out is all zeros";
    case Mistake::constant:
      return "out is constant 0.5";
    case Mistake::mean_of_v:
      return "mean of V (scores ignored)";
    case Mistake::scale_off:
      return "scale off by +2 %";
    case Mistake::top_left:
      return "matches a top-left causal mask";
    case Mistake::drop_last_block:
      return "last block dropped";
    case Mistake::wrong_kv_head:
      return "query head 1 used KV head 1, expected 0";
    case Mistake::f16_sums:
      return "f16 accumulation (error ";
    case Mistake::lse_base2:
      return "base-2 LSE (ratio 1.4427)";
    case Mistake::lse_unscaled:
      return "LSE of unscaled scores";
    case Mistake::lse_transposed:
      return "LSE transposed [token, head]";
    default:
      return "?";
  }
}

void expect_caught(const HostTarget& target, Mistake mistake) {
  if (!matters(mistake, target.workload)) return;
  const VerifyReport report =
      target.after([&](const PagedVarlenCall& call) { naive_attention(call, mistake); });
  SCOPED_TRACE(std::string(to_text(mistake)) + " on " + target.workload.name + ": " +
               report.diagnosis);
  EXPECT_FALSE(report.ok);
  EXPECT_THAT(report.mistake, testing::StartsWith(name_of(mistake)));
  EXPECT_FALSE(report.diagnosis.empty());
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.unwritten, 0U);
  // An lse of -inf may be right in a row that sees no key, and wrong where this mistake puts it.
  if (mistake != Mistake::lse_transposed) {
    EXPECT_EQ(report.non_finite, 0U);
  }
  switch (mistake) {
    case Mistake::lse_base2:
    case Mistake::lse_unscaled:
    case Mistake::lse_transposed:
      EXPECT_TRUE(report.out_ok);
      EXPECT_FALSE(report.lse_ok);
      EXPECT_EQ(report.fault->tensor, "lse");
      EXPECT_GT(report.lse_worst_share, 1.0);
      break;
    case Mistake::top_left:
    case Mistake::drop_last_block:
    case Mistake::wrong_kv_head:
      EXPECT_FALSE(report.out_ok);
      EXPECT_FALSE(report.lse_ok);
      break;
    default:
      EXPECT_FALSE(report.out_ok);
      EXPECT_TRUE(report.lse_ok);
      EXPECT_EQ(report.fault->tensor, "out");
      EXPECT_GT(std::max(report.worst_share, report.worst_row_share), 1.0);
  }
}

void expect_all_caught(const Workload& workload) {
  const HostTarget target(workload);
  const VerifyReport right =
      target.after([](const PagedVarlenCall& call) { naive_attention(call, Mistake::none); });
  EXPECT_TRUE(right.ok) << workload.name << ": " << right.diagnosis;
  for (const Mistake mistake :
       {Mistake::zeros, Mistake::constant, Mistake::mean_of_v, Mistake::scale_off,
        Mistake::top_left, Mistake::drop_last_block, Mistake::wrong_kv_head, Mistake::f16_sums,
        Mistake::lse_base2, Mistake::lse_unscaled, Mistake::lse_transposed}) {
    expect_caught(target, mistake);
  }
}

TEST(Verifier, CatchesEveryMistakeOnTheSmokeConfig) {
  const JsonDocument document = load_json(source_dir() / "configs" / "smoke.json");
  for (const Workload& workload : read_config(document)) expect_all_caught(workload);
}

TEST(Verifier, CatchesEveryMistakeOnLongDecode) {
  expect_all_caught(
      read_one(R"({"name": "decode 8/2", "batch": "q1s1000_q1s513_q1s8192", "num_heads": 8})"));
  expect_all_caught(read_one(R"({"name": "decode 28/4", "batch": "2q1s600", "num_heads": 28,
                                 "num_kv_heads": 4})"));
}

// Where LSE was seen to be wrong while the output was right: decode, 32/8, split keys.
TEST(Verifier, CatchesEveryMistakeOnDecodeOfFourQueryHeadsAKvHead) {
  expect_all_caught(read_one(R"({"name": "decode 32/8", "batch": "3q1s2048", "num_heads": 32,
                                 "num_kv_heads": 8})"));
}

TEST(Verifier, CatchesEveryMistakeOnOneSequence) {
  expect_all_caught(read_one(R"({"name": "one of two keys", "batch": "q1s2"})"));
  expect_all_caught(read_one(R"({"name": "one page and one key", "batch": "q1s17"})"));
  expect_all_caught(read_one(R"({"name": "one chunk", "batch": "q16s528"})"));
}

TEST(Verifier, CatchesEveryMistakeOnOtherShapes) {
  expect_all_caught(read_one(R"({"name": "head_dim 64", "batch": "q70s150_3q1s600",
                                 "head_dim": 64, "num_heads": 6})"));
  expect_all_caught(read_one(R"({"name": "pages of 64", "batch": "q5s1000_q1s700",
                                 "block_size": 64})"));
  expect_all_caught(read_one(R"({"name": "many", "batch": "300q1s40"})"));
}

TEST(Verifier, CatchesEveryMistakeBesideRowsWithoutKeys) {
  expect_all_caught(read_one(R"({"name": "some", "batch": "q70s20_q5s130_2q1s0_q0s40_2q1s600",
                                 "allow_empty_rows": true})"));
  expect_all_caught(read_one(R"({"name": "most", "batch": "q90s40_40q1s0_q0_q33s18",
                                 "num_heads": 28, "num_kv_heads": 4, "allow_empty_rows": true})"));
}

// What stands outside the values: each of these is done after a call that is right.
class VerifierSurroundings : public testing::Test {
 protected:
  template <typename Damage>
  VerifyReport after_damage(Damage damage) {
    return target_.after([&](const PagedVarlenCall& call) {
      naive_attention(call, Mistake::none);
      damage(call);
    });
  }

  HostTarget target_{R"({"q_lens": [1, 40, 1], "kv_lens": [30, 50, 20]})"};
};

std::uint16_t* out_row(const PagedVarlenCall& call, int token, int head) {
  return static_cast<std::uint16_t*>(call.out) + (token * call.num_heads + head) * call.head_dim;
}

TEST_F(VerifierSurroundings, AreFineAfterACallThatIsRight) {
  const VerifyReport report = after_damage([](const PagedVarlenCall&) {});
  EXPECT_TRUE(report.ok) << report.diagnosis;
  EXPECT_EQ(report.diagnosis, "");
  EXPECT_TRUE(report.out_ok && report.lse_ok && report.guards_ok && report.inputs_ok);
  EXPECT_EQ(report.rows_of, 42);
  EXPECT_GT(report.rows, 10);
  EXPECT_FALSE(report.fault.has_value());
}

TEST_F(VerifierSurroundings, CatchOneNanInAnyElement) {
  for (int token = 0; token < 42; ++token) {
    const VerifyReport report =
        after_damage([&](const PagedVarlenCall& call) { out_row(call, token, 3)[97] = 0x7E00; });
    EXPECT_FALSE(report.ok) << token;
    EXPECT_EQ(report.non_finite, 1U);
  }
}

TEST_F(VerifierSurroundings, CatchOneInfinityInLse) {
  const VerifyReport report = after_damage(
      [](const PagedVarlenCall& call) { static_cast<std::uint32_t*>(call.lse)[50] = 0xFF800000U; });
  EXPECT_FALSE(report.ok);
  EXPECT_EQ(report.non_finite, 1U);
}

TEST_F(VerifierSurroundings, CatchAnyRowLeftUnwritten) {
  for (int token = 0; token < 42; ++token) {
    const VerifyReport report = after_damage([&](const PagedVarlenCall& call) {
      std::fill_n(out_row(call, token, 1), 128, kCanaryHalf);
    });
    EXPECT_FALSE(report.ok) << token;
    EXPECT_EQ(report.unwritten, 128U);
  }
}

TEST_F(VerifierSurroundings, CatchLseLeftUnwritten) {
  const VerifyReport report = after_damage([](const PagedVarlenCall& call) {
    std::fill_n(static_cast<std::uint32_t*>(call.lse), 4 * 42, kCanaryFloat);
  });
  EXPECT_FALSE(report.ok);
  EXPECT_EQ(report.unwritten, 4U * 42);
  EXPECT_TRUE(report.out_ok);
  EXPECT_FALSE(report.lse_ok);
}

TEST_F(VerifierSurroundings, CatchAWritePastTheEnd) {
  std::uint16_t* end = out_row(target_.buffers.call(), 42, 0);
  const std::uint16_t guard = *end;
  const VerifyReport report = after_damage([&](const PagedVarlenCall&) { *end = 0; });
  EXPECT_FALSE(report.ok);
  EXPECT_FALSE(report.guards_ok);
  EXPECT_TRUE(report.out_ok && report.lse_ok && report.inputs_ok);
  *end = guard;
  EXPECT_TRUE(after_damage([](const PagedVarlenCall&) {}).ok);
}

TEST_F(VerifierSurroundings, CatchAModifiedInput) {
  const PagedVarlenCall& call = target_.buffers.call();
  for (const void* input :
       {call.q, call.k, call.v, call.cu_seqlens_q, call.seq_lens, call.block_tables}) {
    auto* byte = static_cast<std::uint8_t*>(const_cast<void*>(input));
    const VerifyReport report = after_damage([&](const PagedVarlenCall&) { *byte ^= 1U; });
    EXPECT_FALSE(report.ok);
    EXPECT_FALSE(report.inputs_ok);
    EXPECT_TRUE(report.out_ok && report.lse_ok && report.guards_ok);
    *byte ^= 1U;
  }
}

}  // namespace
}  // namespace fa2bench::test
