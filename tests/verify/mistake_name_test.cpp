// SPDX-License-Identifier: MIT
// Each known mistake gets its name, word for word, and nothing else does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/half.hpp"
#include "verify/diagnosis.hpp"
#include "verify/host_target.hpp"
#include "verify/naive_attention.hpp"

namespace fa2bench::test {
namespace {

using testing::StartsWith;

VerifyReport report_of(const HostTarget& target, Mistake mistake) {
  return target.after([mistake](const PagedVarlenCall& call) { naive_attention(call, mistake); });
}

std::string name_of(const HostTarget& target, Mistake mistake) {
  return report_of(target, mistake).mistake;
}

/// Decode, chunks and whole prompts; table rows wider than needed, unused entries of -1.
class NameOf : public testing::Test {
 protected:
  HostTarget mixed_{R"({"batch": "q5s6_q16s200_q40_3q1s257_q65s129", "num_heads": 6})"};
  HostTarget decode_{R"({"batch": "2q1s600_q1s33_q1s512_q1s1000", "num_heads": 28,
                         "num_kv_heads": 4, "block_table": {"unused": "live_block"}})"};
};

TEST_F(NameOf, ARightCallIsNone) {
  for (const HostTarget* target : {&mixed_, &decode_}) {
    const VerifyReport report = report_of(*target, Mistake::none);
    EXPECT_TRUE(report.ok) << report.diagnosis;
    EXPECT_EQ(report.mistake, "");
  }
}

TEST_F(NameOf, ACausalMaskThatIsNotBottomRight) {
  EXPECT_EQ(name_of(mixed_, Mistake::top_left), "matches a top-left causal mask");
  EXPECT_EQ(name_of(decode_, Mistake::top_left), "matches a top-left causal mask");
  EXPECT_EQ(name_of(mixed_, Mistake::no_mask), "matches no causal mask");
}

TEST_F(NameOf, AWrongKvHeadSaysWhichWasRead) {
  EXPECT_EQ(
      name_of(mixed_, Mistake::wrong_kv_head),
      "query head 1 used KV head 1, expected 0 (head % num_kv_heads instead of head / group)");
  EXPECT_EQ(
      name_of(decode_, Mistake::wrong_kv_head),
      "query head 1 used KV head 1, expected 0 (head % num_kv_heads instead of head / group)");
  EXPECT_EQ(name_of(mixed_, Mistake::next_kv_head), "query head 0 used KV head 1, expected 0");
  EXPECT_EQ(name_of(decode_, Mistake::next_kv_head), "query head 0 used KV head 1, expected 0");
}

TEST_F(NameOf, DroppedKeys) {
  for (const HostTarget* target : {&mixed_, &decode_}) {
    EXPECT_EQ(name_of(*target, Mistake::drop_last_block), "last block dropped");
    EXPECT_EQ(name_of(*target, Mistake::last_key), "last visible key dropped");
  }
}

TEST_F(NameOf, KeysPastALimitSaysHowManyAreRead) {
  for (const HostTarget* target : {&mixed_, &decode_}) {
    EXPECT_EQ(name_of(*target, Mistake::key_limit),
              "keys past the first 100 of a sequence dropped");
  }
  const HostTarget chunk(R"({"batch": "q40s130"})");  // some rows of the sequence are right
  EXPECT_EQ(name_of(chunk, Mistake::key_limit), "keys past the first 100 of a sequence dropped");
  const HostTarget short_ones(R"({"batch": "q1s90_q17s100"})");
  EXPECT_TRUE(report_of(short_ones, Mistake::key_limit).ok);
}

TEST_F(NameOf, AConstant) {
  for (const HostTarget* target : {&mixed_, &decode_}) {
    EXPECT_EQ(name_of(*target, Mistake::zeros), "out is all zeros");
    EXPECT_EQ(name_of(*target, Mistake::constant), "out is constant 0.5");
  }
}

TEST_F(NameOf, AScaleThatIsOffOrIgnored) {
  for (const HostTarget* target : {&mixed_, &decode_}) {
    EXPECT_EQ(name_of(*target, Mistake::scale_off), "scale off by +2 %");
    EXPECT_EQ(name_of(*target, Mistake::mean_of_v), "mean of V (scores ignored)");
  }
}

TEST_F(NameOf, SumsInF16) {
  const HostTarget target(R"({"batch": "q1s600_q1s1000_q1s2000"})");
  EXPECT_THAT(name_of(target, Mistake::f16_sums), StartsWith("f16 accumulation (error "));
}

TEST_F(NameOf, MistakesOfLse) {
  for (const HostTarget* target : {&mixed_, &decode_}) {
    EXPECT_EQ(name_of(*target, Mistake::lse_base2), "base-2 LSE (ratio 1.4427)");
    EXPECT_EQ(name_of(*target, Mistake::lse_unscaled), "LSE of unscaled scores");
    EXPECT_EQ(name_of(*target, Mistake::lse_transposed), "LSE transposed [token, head]");
  }
}

TEST_F(NameOf, APaddedLse) {
  // Part of the layout lies past the buffer, part of the buffer stays unwritten.
  const HostTarget target(R"({"batch": "q12_q9s30_q12s40"})");
  const VerifyReport report = report_of(target, Mistake::lse_padded);
  EXPECT_GT(report.unwritten, 0U);
  EXPECT_EQ(report.mistake, "LSE padded [seq, head, max_q_len]");
  EXPECT_TRUE(report.out_ok);
}

TEST_F(NameOf, AnIgnoredBlockTable) {
  // Blocks lie close together, so that some of those that follow the first are live.
  const HostTarget target(R"({"batch": "4q1s60_3q1s30", "block_table": {"layout": "reversed"}})");
  EXPECT_EQ(name_of(target, Mistake::contiguous),
            "block table ignored (blocks taken as contiguous)");
}

TEST_F(NameOf, AWrongRowStrideSaysWhichSequenceComesFirst) {
  const HostTarget target(R"({"batch": "4q1s60_3q1s30", "block_table": {"unused": "live_block"}})");
  EXPECT_EQ(name_of(target, Mistake::row_stride),
            "row stride ceil(max_kv_len / block_size) used instead of max_blocks_per_seq (first "
            "misread: sequence 1)");
}

TEST_F(NameOf, StandsInTheDiagnosisBeforeTheFirstWrongValue) {
  const VerifyReport report = report_of(mixed_, Mistake::top_left);
  EXPECT_THAT(report.diagnosis, StartsWith("matches a top-left causal mask; out of sequence 0, "));
}

// --- what has no name -----------------------------------------------------------------------

/// After both mistakes, the second one in the odd heads only.
VerifyReport after_two(const HostTarget& target, Mistake even, Mistake odd) {
  return target.after([=](const PagedVarlenCall& call) {
    const auto dim = static_cast<std::ptrdiff_t>(call.head_dim);
    const std::ptrdiff_t rows = std::ptrdiff_t{call.total_q_tokens} * call.num_heads;
    auto* out = static_cast<std::uint16_t*>(call.out);
    naive_attention(call, even);
    const std::vector<std::uint16_t> kept(out, out + rows * dim);
    naive_attention(call, odd);
    for (std::ptrdiff_t row = 0; row < rows; row += 2) {
      std::copy_n(kept.begin() + row * dim, dim, out + row * dim);
    }
  });
}

TEST_F(NameOf, TwoMistakesIsNone) {
  const Mistake pairs[][2] = {{Mistake::top_left, Mistake::drop_last_block},
                              {Mistake::zeros, Mistake::constant},
                              {Mistake::scale_off, Mistake::mean_of_v},
                              {Mistake::wrong_kv_head, Mistake::last_key}};
  for (const auto& pair : pairs) {
    const VerifyReport report = after_two(mixed_, pair[0], pair[1]);
    EXPECT_FALSE(report.ok);
    EXPECT_EQ(report.mistake, "") << to_text(pair[0]) << " and " << to_text(pair[1]);
  }
}

/// After a call that is right but for what `damage` does to out.
template <typename Damage>
std::string name_after(const HostTarget& target, Damage damage) {
  const VerifyReport report = target.after([&](const PagedVarlenCall& call) {
    naive_attention(call, Mistake::none);
    damage(call, static_cast<std::uint16_t*>(call.out));
  });
  EXPECT_FALSE(report.ok);
  return report.mistake;
}

TEST_F(NameOf, ASpoiledElementOrRowIsNone) {
  EXPECT_EQ(name_after(mixed_, [](const PagedVarlenCall&, std::uint16_t* out) { out[9] = 0x4900; }),
            "");
  EXPECT_EQ(name_after(mixed_,
                       [](const PagedVarlenCall&, std::uint16_t* out) {
                         for (int d = 0; d < 128; ++d)
                           out[d] = float_to_half(half_to_float(out[d]) + 0.01F);
                       }),
            "");
  EXPECT_EQ(name_after(mixed_,
                       [](const PagedVarlenCall&, std::uint16_t* out) {
                         for (int d = 0; d < 128; d += 16) out[d] = 0x7E00;
                       }),
            "");
}

TEST_F(NameOf, RowsOfOtherTokensIsNone) {
  EXPECT_EQ(name_after(mixed_,
                       [](const PagedVarlenCall& call, std::uint16_t* out) {
                         const std::ptrdiff_t width =
                             std::ptrdiff_t{call.num_heads} * call.head_dim;
                         std::rotate(out, out + width, out + call.total_q_tokens * width);
                       }),
            "");
}

// --- cost, and pools too large for a test ---------------------------------------------------

/// What would be left by a call whose wrong rows are those of `wrong`.
Observed fabricate(const Workload& workload, const BlockTable& table, const Reference& reference,
                   const std::function<Reading(const CheckedRow&, int head)>& read) {
  Observed observed;
  const auto heads = static_cast<std::size_t>(reference.num_heads);
  observed.lse.resize(heads * workload.q_lens.size());  // one token each
  for (std::size_t row = 0; row < reference.rows.size(); ++row) {
    for (std::size_t head = 0; head < heads; ++head) {
      const CheckedRow& checked = reference.rows[row];
      const Alternative found = evaluate(workload, table, checked, static_cast<int>(head),
                                         read(checked, static_cast<int>(head)));
      for (const double x : found.exact.out) {
        observed.out.push_back(float_to_half(static_cast<float>(x)));
      }
      observed.lse[head * workload.q_lens.size() + static_cast<std::size_t>(checked.global_token)] =
          static_cast<float>(found.exact.lse);
    }
  }
  return observed;
}

/// Blocks of 4096 elements: 2^31 bytes begin at id 262144, 2^32 elements at id 1048576.
class NameOfOffset : public testing::Test {
 protected:
  std::string name(const std::function<std::int64_t(std::int64_t id)>& read) {
    const BlockTable table = build_block_table(workload_);
    const Plan plan = make_plan(workload_);
    const Reference reference = compute_reference(workload_, table, choose_rows(workload_));
    const Observed observed =
        fabricate(workload_, table, reference, [&](const CheckedRow& row, int head) {
          Reading reading = right_reading(workload_, row, head);
          reading.block = [&, row](std::int64_t column) {
            return read(table.entries[static_cast<std::size_t>(row.seq * table.width + column)]);
          };
          return reading;
        });
    return name_mistake({workload_, plan, table, reference, observed});
  }

  Workload workload_ = read_one(
      R"({"batch": "q1s20_q1s32_q1s30_q1s32_q1s31",
          "block_table": {"rows": [[0, 1], [2, 3], [262140, 262143], [4, 1048578], [1048577, 5]]}})");
};

TEST_F(NameOfOffset, IsNoneForARightCall) {
  EXPECT_EQ(name([](std::int64_t id) { return id; }), "");
}

TEST_F(NameOfOffset, ThatWrapsSaysWhereItBegins) {
  EXPECT_EQ(name([](std::int64_t id) { return id % 1048576; }),
            "32-bit block offset (smallest failing block id 1048577, largest passing one 262143)");
}

TEST_F(NameOfOffset, ThatGoesAnywhereIsSuspectedFromWhereItBegins) {
  EXPECT_EQ(name([](std::int64_t id) { return id < 262144 ? id : id % 3; }),
            "32-bit block offset (smallest failing block id 1048577, largest passing one 262143)");
}

TEST_F(NameOfOffset, IsNotSuspectedWhereRowsOfLowBlocksAreWrongToo) {
  EXPECT_EQ(name([](std::int64_t id) { return id == 3 || id > 262144 ? 2 : id; }), "");
}

TEST(NameOfMistake, CostsNoMoreThanItMay) {
  const HostTarget target(R"({"batch": "q5s600_2q1s300"})");
  const auto name_within = [&](Mistake mistake, double multiply_adds) {
    target.buffers.poison_outputs();
    naive_attention(target.buffers.call(), mistake);
    const Observed observed = target.verifier.observe(*target.device, target.buffers);
    return name_mistake(
        {target.workload, target.plan, target.table, target.verifier.reference(), observed},
        multiply_adds);
  };
  EXPECT_EQ(name_within(Mistake::top_left, 1e9), "matches a top-left causal mask");
  EXPECT_EQ(name_within(Mistake::top_left, 0.0), "");
  EXPECT_EQ(name_within(Mistake::zeros, 0.0), "out is all zeros");  // costs nothing
}

}  // namespace
}  // namespace fa2bench::test
