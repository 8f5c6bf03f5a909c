// SPDX-License-Identifier: MIT
// A correct f16 kernel must pass with room to spare, whatever the shape.
#include <gtest/gtest.h>

#include <cmath>

#include "verify/host_target.hpp"
#include "verify/naive_attention.hpp"
#include "verify/tolerance.hpp"
#include "verify/yardstick.hpp"

namespace fa2bench::test {
namespace {

constexpr const char* kShapes[] = {
    R"({"batch": "q1"})",
    R"({"batch": "64q1s2"})",
    R"({"batch": "64q1s3_64q1s4_64q1s5"})",
    R"({"batch": "q1s15_q1s16_q1s17_q1s31_q1s33_q1s63_q1s65_q1s127_q1s129_q1s255_q1s257"})",
    R"({"batch": "q1s500_q1s1000_q1s2000"})",
    R"({"batch": "q1s16384", "num_heads": 2, "num_kv_heads": 1})",
    R"({"batch": "q70"})",
    R"({"batch": "q200_q17s300"})",
    R"({"batch": "q4s1500"})",
    R"({"batch": "300q1s40"})",
    R"({"batch": "q33s100_3q1s257", "num_heads": 28, "num_kv_heads": 4})",
    R"({"batch": "q33s100_3q1s257", "num_heads": 5, "num_kv_heads": 1})",
    R"({"batch": "q33s100_3q1s257", "head_dim": 64})",
    R"({"batch": "q33s100_3q1s257", "head_dim": 32})",
    R"({"batch": "q33s100_3q1s257", "head_dim": 256})",
    R"({"batch": "q33s100_3q1s257", "block_size": 256})",
    R"({"batch": "100q1s200", "seed": 2})",
    R"({"batch": "100q1s200", "seed": 3})",
    R"({"batch": "100q1s200", "seed": 4})",
};

TEST(Tolerance, LeavesRoomForAPlainF16Kernel) {
  for (const char* json : kShapes) {
    const HostTarget target(json);
    const VerifyReport report =
        target.after([](const PagedVarlenCall& call) { naive_attention(call, Mistake::none); });
    EXPECT_TRUE(report.ok) << json << ": " << report.diagnosis;
    EXPECT_LT(report.worst_share, 0.7) << json;
    EXPECT_LT(report.worst_row_share, 0.7) << json;
    EXPECT_LT(report.lse_worst_share, 0.7) << json;
    EXPECT_LT(report.f16_yardstick, 0.7) << json;
    EXPECT_LE(report.f16_yardstick, report.worst_share * 1.5 + 1e-3) << json;
  }
}

TEST(Tolerance, OfAnElementIsTheFormulaInTheHeader) {
  HeadReference reference;
  reference.out = {0.5, -2.0};
  reference.spread = {0.25, 0.0};
  reference.lse = 3.0;
  reference.score_bound = 8.0;
  const double u = std::pow(2.0, -11);
  const double s = u / std::sqrt(3.0) * 0.25;
  const double subnormal = std::pow(2.0, -25) * 10.0;  // the sum of weights is one at least
  const ElementTolerance first = element_tolerance(reference, 0, 100);
  EXPECT_DOUBLE_EQ(first.bound, u * 0.5 + std::pow(2.0, -25) + 8 * s +
                                    100 * std::pow(2.0, -27) * 0.5 + 8 * subnormal);
  const ElementTolerance second = element_tolerance(reference, 1, 1);
  EXPECT_DOUBLE_EQ(second.bound, u * 2.0 + std::pow(2.0, -25) + std::pow(2.0, -27) * 2.0 +
                                     8 * std::pow(2.0, -25));
  EXPECT_LT(second.deviation, second.bound);
}

TEST(Tolerance, OfLseGrowsWithTheScores) {
  HeadReference reference;
  reference.lse = -4.0;
  reference.score_bound = 16.0;
  EXPECT_DOUBLE_EQ(lse_tolerance(reference), std::pow(2.0, -13) + 5.0 * std::pow(2.0, -18));
}

TEST(Yardstick, IsTheErrorOfAPlainKernelAsAPartOfTheBound) {
  const Workload workload = read_one(R"({"batch": "20q1s300"})");
  const BlockTable table = build_block_table(workload);
  const Reference reference = compute_reference(workload, table, choose_rows(workload));
  const double yardstick = f16_yardstick(workload, table, reference);
  EXPECT_GT(yardstick, 0.1);
  EXPECT_LT(yardstick, 0.7);
  EXPECT_EQ(f16_yardstick(workload, table, reference), yardstick);
}

}  // namespace
}  // namespace fa2bench::test
