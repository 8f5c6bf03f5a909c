// SPDX-License-Identifier: MIT
// Rows that see no key are named after what stands in them, and hide nothing beside them.
#include "verify/empty_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "verify/host_target.hpp"
#include "verify/naive_attention.hpp"

namespace fa2bench::test {
namespace {

using testing::HasSubstr;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// The outputs of a call, by query token and head.
struct Outputs {
  const PagedVarlenCall& call;

  [[nodiscard]] std::uint16_t* out(std::int64_t token, int head) const {
    return static_cast<std::uint16_t*>(call.out) + (token * call.num_heads + head) * call.head_dim;
  }
  [[nodiscard]] float* lse(std::int64_t token, int head) const {
    return static_cast<float*>(call.lse) + std::int64_t{head} * call.total_q_tokens + token;
  }
  void leave(std::int64_t token, std::uint16_t half, float value) const {
    for (int head = 0; head < call.num_heads; ++head) {
      std::fill_n(out(token, head), call.head_dim, half);
      *lse(token, head) = value;
    }
  }
  void leave_unwritten(std::int64_t token) const {
    for (int head = 0; head < call.num_heads; ++head) {
      std::fill_n(out(token, head), call.head_dim, kCanaryHalf);
      std::fill_n(reinterpret_cast<std::uint32_t*>(lse(token, head)), 1, kCanaryFloat);
    }
  }
};

/// Query tokens that see a key, or those that see none.
std::vector<std::int64_t> tokens_of(const Workload& workload, bool empty) {
  std::vector<std::int64_t> tokens;
  std::int64_t token = 0;
  for (std::size_t s = 0; s < workload.q_lens.size(); ++s) {
    for (std::int32_t i = 0; i < workload.q_lens[s]; ++i, ++token) {
      if ((workload.kv_lens[s] - workload.q_lens[s] + i < 0) == empty) tokens.push_back(token);
    }
  }
  return tokens;
}

class EmptyRow : public testing::Test {
 protected:
  /// What is said of a call that is right and then does this to its outputs.
  template <typename Damage>
  VerifyReport after(const Damage& damage) {
    return target_.after([&](const PagedVarlenCall& call) {
      naive_attention(call, Mistake::none);
      damage(Outputs{call});
    });
  }
  VerifyReport after_leaving(std::uint16_t half, float lse) {
    return after([&](const Outputs& outputs) {
      for (const std::int64_t token : empty_) outputs.leave(token, half, lse);
    });
  }

  HostTarget target_{
      R"({"q_lens": [0, 8, 20, 3, 1, 0, 5, 30], "kv_lens": [0, 3, 1, 2, 0, 7, 90, 17],
                         "allow_empty_rows": true})"};
  std::vector<std::int64_t> empty_ = tokens_of(target_.workload, true);
  std::vector<std::int64_t> with_keys_ = tokens_of(target_.workload, false);
};

TEST_F(EmptyRow, IsNamedAfterWhatStandsInAll) {
  struct Case {
    std::uint16_t half;
    float value;
    EmptyOut out;
    EmptyLse lse;
  };
  for (const Case& c : {Case{0, -kInfinity, EmptyOut::zero, EmptyLse::neg_inf},
                        Case{0x8000, kInfinity, EmptyOut::zero, EmptyLse::pos_inf},
                        Case{0x7E00, kNan, EmptyOut::nan, EmptyLse::nan},
                        Case{0x3C00, 0.0F, EmptyOut::other, EmptyLse::other},
                        Case{0x7C00, -3.5F, EmptyOut::other, EmptyLse::other}}) {
    const VerifyReport report = after_leaving(c.half, c.value);
    EXPECT_TRUE(report.ok) << report.diagnosis;
    ASSERT_TRUE(report.empty_rows);
    EXPECT_EQ(report.empty_rows->rows, 5 + 19 + 1 + 1 + 13);
    EXPECT_STREQ(to_text(report.empty_rows->out), to_text(c.out));
    EXPECT_STREQ(to_text(report.empty_rows->lse), to_text(c.lse));
    EXPECT_EQ(report.non_finite, 0U);
    EXPECT_EQ(report.unwritten, 0U);
    EXPECT_LE(report.worst_share, 1.0);
  }
}

TEST_F(EmptyRow, IsUnwrittenOnlyWhereNothingOfAnyIsWritten) {
  const VerifyReport none = after([&](const Outputs& outputs) {
    for (const std::int64_t token : empty_) outputs.leave_unwritten(token);
  });
  EXPECT_TRUE(none.ok) << none.diagnosis;
  EXPECT_EQ(none.unwritten, 0U);
  EXPECT_EQ(none.empty_rows->out, EmptyOut::unwritten);
  EXPECT_EQ(none.empty_rows->lse, EmptyLse::unwritten);
  const VerifyReport lse_only = after([&](const Outputs& outputs) {
    for (const std::int64_t token : empty_) {
      outputs.leave_unwritten(token);
      for (int head = 0; head < 4; ++head) *outputs.lse(token, head) = -kInfinity;
    }
  });
  EXPECT_TRUE(lse_only.ok) << lse_only.diagnosis;
  EXPECT_EQ(lse_only.empty_rows->out, EmptyOut::unwritten);
  EXPECT_EQ(lse_only.empty_rows->lse, EmptyLse::neg_inf);
}

TEST_F(EmptyRow, IsMixedIfAnyElementOfAnyDiffers) {
  for (const std::int64_t token : empty_) {
    const VerifyReport report = after([&](const Outputs& outputs) {
      outputs.out(token, 3)[101] = 0x7E00;
      *outputs.lse(token, 2) = kInfinity;
    });
    EXPECT_TRUE(report.ok) << report.diagnosis;
    EXPECT_EQ(report.empty_rows->out, EmptyOut::mixed) << token;
    EXPECT_EQ(report.empty_rows->lse, EmptyLse::mixed) << token;
  }
}

TEST_F(EmptyRow, HidesNoRowBesideItThatIsUnwritten) {
  for (const std::int64_t token : with_keys_) {
    const VerifyReport report = after([&](const Outputs& outputs) {
      for (const std::int64_t empty : empty_) outputs.leave_unwritten(empty);
      std::fill_n(outputs.out(token, 1), 128, kCanaryHalf);
    });
    EXPECT_FALSE(report.ok) << token;
    EXPECT_EQ(report.unwritten, 128U);
    EXPECT_THAT(report.diagnosis, HasSubstr("left 128 elements unwritten, first out of token " +
                                            std::to_string(token) + ", head 1, column 0"));
  }
}

TEST_F(EmptyRow, HidesNoNanBesideIt) {
  for (const std::int64_t token : with_keys_) {
    const VerifyReport report = after([&](const Outputs& outputs) {
      for (const std::int64_t empty : empty_) outputs.leave(empty, 0x7E00, kNan);
      *outputs.lse(token, 3) = kNan;
    });
    EXPECT_FALSE(report.ok) << token;
    EXPECT_EQ(report.non_finite, 1U);
    EXPECT_THAT(report.diagnosis, HasSubstr("1 values are NaN or infinite, first lse of head 3, "
                                            "token " +
                                            std::to_string(token)));
  }
}

TEST_F(EmptyRow, HidesNoWrongNumberBesideIt) {
  // The first row of each sequence that sees a key, and its last.
  for (const std::int64_t token : {5, 7, 27, 29, 30, 32, 36, 50, 66}) {
    const VerifyReport report =
        after([&](const Outputs& outputs) { *outputs.lse(token, 0) += 1.0F; });
    EXPECT_FALSE(report.ok) << token;
    ASSERT_TRUE(report.fault);
    EXPECT_EQ(report.fault->tensor, "lse");
  }
}

TEST(EmptyRows, AreNoneWhereEveryRowSeesAKey) {
  const HostTarget target(R"({"q_lens": [0, 3, 1], "kv_lens": [9, 3, 40],
                              "allow_empty_rows": true})");
  const VerifyReport report =
      target.after([](const PagedVarlenCall& call) { naive_attention(call, Mistake::none); });
  EXPECT_TRUE(report.ok) << report.diagnosis;
  EXPECT_FALSE(report.empty_rows);
}

TEST(EmptyRows, MayBeAllThereIs) {
  const HostTarget target(R"({"batch": "3q5s0", "allow_empty_rows": true})");
  const VerifyReport idle = target.after([](const PagedVarlenCall&) {});
  EXPECT_TRUE(idle.ok) << idle.diagnosis;
  EXPECT_EQ(idle.rows, 0);
  EXPECT_EQ(idle.rows_of, 15);
  EXPECT_EQ(idle.empty_rows->rows, 15);
  EXPECT_EQ(idle.empty_rows->out, EmptyOut::unwritten);
  EXPECT_EQ(idle.f16_yardstick, 0.0);
  const VerifyReport past =
      target.after([](const PagedVarlenCall& call) { *Outputs{call}.out(15, 0) = 0; });
  EXPECT_FALSE(past.ok);
  EXPECT_FALSE(past.guards_ok);
}

TEST(EmptyRows, AreNotThereInABatchWithNothingToDo) {
  const HostTarget target(R"({"batch": "3q0_q0s40", "allow_empty_rows": true})");
  const VerifyReport idle = target.after([](const PagedVarlenCall&) {});
  EXPECT_TRUE(idle.ok) << idle.diagnosis;
  EXPECT_FALSE(idle.empty_rows);
  EXPECT_EQ(idle.rows_of, 0);
  const VerifyReport past =
      target.after([](const PagedVarlenCall& call) { *Outputs{call}.lse(0, 0) = 1.0F; });
  EXPECT_EQ(past.diagnosis, "out-of-bounds write at byte 0 of lse, which has 0");
}

/// Case 1 of the field: a kernel that leaves early where a sequence has no keys, and then writes
/// its lse as if the layout were [num_seqs, num_heads, max_q_len].
void leave_early(const PagedVarlenCall& call) {
  naive_attention(call, Mistake::none);
  const auto* starts = static_cast<const std::int32_t*>(call.cu_seqlens_q);
  const auto* kv_lens = static_cast<const std::int32_t*>(call.seq_lens);
  for (int seq = 0; seq < call.num_seqs; ++seq) {
    if (kv_lens[seq] > 0) continue;
    for (int head = 0; head < call.num_heads; ++head) {
      for (int i = 0; i < starts[seq + 1] - starts[seq]; ++i) {
        const std::int64_t row = std::int64_t{seq} * call.num_heads + head;
        static_cast<float*>(call.lse)[row * call.max_q_len + i] = kInfinity;
      }
    }
  }
}

TEST(EmptyRows, ThatSpoilTheLseOfOthersAreFound) {
  const HostTarget first(R"({"num_heads": 32, "num_kv_heads": 8, "allow_empty_rows": true,
                             "q_lens": [64, 130, 1, 7], "kv_lens": [0, 130, 1000, 7]})");
  const VerifyReport spoiled = first.after(leave_early);
  EXPECT_FALSE(spoiled.ok);
  EXPECT_TRUE(spoiled.out_ok);
  EXPECT_FALSE(spoiled.lse_ok);
  EXPECT_THAT(spoiled.diagnosis, HasSubstr("values are NaN or infinite, first lse of head "));
}

TEST(EmptyRows, ThatAreWrittenPastTheEndAreFound) {
  const HostTarget last(R"({"num_heads": 32, "num_kv_heads": 8, "allow_empty_rows": true,
                            "q_lens": [130, 1, 7, 64], "kv_lens": [130, 1000, 7, 0]})");
  const VerifyReport past = last.after(leave_early);
  EXPECT_FALSE(past.ok);
  EXPECT_TRUE(past.out_ok && past.lse_ok);
  EXPECT_THAT(past.diagnosis, HasSubstr("out-of-bounds write at byte 49920 of lse"));
}

}  // namespace
}  // namespace fa2bench::test
