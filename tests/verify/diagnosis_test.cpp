// SPDX-License-Identifier: MIT
// The line that a user reads, word for word. Data come from the recipe, so values are fixed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "verify/host_target.hpp"
#include "verify/naive_attention.hpp"

namespace fa2bench::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Diagnosis : public testing::Test {
 protected:
  /// After a call that is right but for what `damage` does.
  template <typename Damage>
  VerifyReport report(Damage damage) {
    return target_.after([&](const PagedVarlenCall& call) {
      naive_attention(call, Mistake::none);
      damage(static_cast<std::uint16_t*>(call.out), static_cast<float*>(call.lse));
    });
  }
  template <typename Damage>
  std::string diagnosis(Damage damage) {
    return report(damage).diagnosis;
  }

  // 4 heads of 128: 6 tokens, out has 6144 bytes, lse 96. Sequence 0 sees one key.
  HostTarget target_{R"({"q_lens": [1, 4, 1], "kv_lens": [1, 20, 33]})"};
};

std::size_t out_at(std::size_t token, std::size_t head, std::size_t column) {
  return (token * 4 + head) * 128 + column;
}

TEST_F(Diagnosis, OfACallThatWroteNothing) {
  EXPECT_EQ(target_.after([](const PagedVarlenCall&) {}).diagnosis.substr(0, 15),
            "wrote no output");
}

TEST_F(Diagnosis, OfElementsLeftUnwritten) {
  const std::string text = diagnosis([](std::uint16_t* out, float*) {
    std::fill_n(out + out_at(2, 3, 0), 128, kCanaryHalf);
    out[out_at(4, 0, 7)] = kCanaryHalf;
  });
  EXPECT_EQ(text.substr(0, text.find(';')),
            "left 129 elements unwritten, first out of token 2, head 3, column 0");
}

TEST_F(Diagnosis, OfLseLeftUnwritten) {
  const std::string text = diagnosis([](std::uint16_t*, float* lse) {
    auto* bits = reinterpret_cast<std::uint32_t*>(lse);
    std::fill(bits + 2 * 6 + 3, bits + 2 * 6 + 6, kCanaryFloat);
  });
  EXPECT_EQ(text.substr(0, text.find(';')),
            "left 3 elements unwritten, first lse of head 2, token 3");
}

TEST_F(Diagnosis, OfNanAndInfinity) {
  const std::string text = diagnosis([](std::uint16_t* out, float* lse) {
    out[out_at(1, 2, 5)] = 0x7E00;
    out[out_at(5, 0, 0)] = 0x7C00;
    lse[0] = std::nanf("");
  });
  EXPECT_EQ(text.substr(0, text.find(';')),
            "3 values are NaN or infinite, first out of token 1, head 2, column 5");
}

TEST_F(Diagnosis, NamesTheNanAndNotALaterElement) {
  const VerifyReport found =
      report([](std::uint16_t* out, float*) { out[out_at(1, 2, 5)] = 0x7E00; });
  ASSERT_TRUE(found.fault.has_value());
  EXPECT_EQ(found.fault->seq, 1);
  EXPECT_EQ(found.fault->token, 0);
  EXPECT_EQ(found.fault->head, 2);
  EXPECT_EQ(found.fault->column, 5);
  EXPECT_TRUE(std::isnan(found.fault->actual));
  // A NaN is the worst error there is; later, finite ones do not hide it.
  EXPECT_TRUE(std::isnan(found.max_abs_err));
  EXPECT_TRUE(std::isnan(found.worst_share));
  EXPECT_TRUE(std::isnan(found.worst_row_share));
  EXPECT_FALSE(found.out_ok);
}

TEST_F(Diagnosis, NamesANanInLse) {
  const VerifyReport found = report([](std::uint16_t*, float* lse) { lse[6 + 1] = std::nanf(""); });
  ASSERT_TRUE(found.fault.has_value());
  EXPECT_EQ(found.fault->tensor, "lse");
  EXPECT_EQ(found.fault->seq, 1);
  EXPECT_EQ(found.fault->head, 1);
  EXPECT_TRUE(std::isnan(found.lse_max_abs_err));
  EXPECT_TRUE(std::isnan(found.lse_worst_share));
}

TEST_F(Diagnosis, OfAWrongValue) {
  EXPECT_EQ(diagnosis([](std::uint16_t* out, float*) {
              out[out_at(0, 2, 9)] = 0x4900;  // 10
              out[out_at(5, 1, 100)] = 0x4900;
            }),
            "out of sequence 0, query token 0, head 2, column 9: 10, expected -2.18359 ± 0.006");
}

TEST_F(Diagnosis, OfAWrongLse) {
  EXPECT_EQ(diagnosis([](std::uint16_t*, float* lse) { lse[3 * 6 + 0] = 10.0F; }),
            "lse of sequence 0, query token 0, head 3: 10, expected -0.579224 ± 9.9e-05");
}

// The partial results of a split are combined with rows that are taken to be 8 elements longer.
TEST_F(Diagnosis, OfRowsThatAreScatteredPastTheEnd) {
  const HostTarget target(R"({"batch": "q3s8192"})");
  const VerifyReport found = target.after([](const PagedVarlenCall& call) {
    naive_attention(call, Mistake::none);
    auto* out = static_cast<std::uint16_t*>(call.out);
    constexpr std::size_t kRows = 3 * 4;
    const std::vector<std::uint16_t> rows(out, out + kRows * 128);
    for (std::size_t row = 0; row < kRows; ++row) {
      std::copy_n(rows.data() + row * 128, 128, out + row * (128 + 8));
    }
  });
  EXPECT_FALSE(found.guards_ok);
  EXPECT_FALSE(found.out_ok);
  EXPECT_TRUE(found.lse_ok);
  // 11 rows before it, 8 elements each: the last row's last 88 elements are outside.
  EXPECT_THAT(found.diagnosis,
              StartsWith("out-of-bounds write at byte 3072 of out, which has 3072; "));
  EXPECT_THAT(found.diagnosis, HasSubstr("; out of sequence 0, query token "));
}

TEST_F(Diagnosis, OfWritesOutsideAndIntoInputs) {
  const PagedVarlenCall& call = target_.buffers.call();
  auto* k = static_cast<std::uint16_t*>(const_cast<void*>(call.k));
  auto* end = static_cast<std::uint16_t*>(call.out) + 6 * 4 * 128;
  EXPECT_EQ(diagnosis([&](std::uint16_t*, float*) {
              end[2] = 0;
              k[0] ^= 1U;
            }),
            "out-of-bounds write at byte 6148 of out, which has 6144; modified its inputs (q, k, v "
            "or the tables)");
  auto* before = static_cast<std::uint8_t*>(call.lse) - 1;
  end[2] = static_cast<std::uint16_t>(kGuardWord);
  k[0] ^= 1U;
  EXPECT_EQ(diagnosis([&](std::uint16_t*, float*) { *before = 0; }),
            "out-of-bounds write 4 bytes before lse");
}

}  // namespace
}  // namespace fa2bench::test
