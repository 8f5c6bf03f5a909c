// SPDX-License-Identifier: MIT
#include "app/output_exchange.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "app/fake_shim.hpp"
#include "base/half.hpp"

namespace fa2bench {
namespace {

/// Two sequences of one query token, the first of which sees no key; one head of two elements.
Workload workload() {
  Workload workload = test::small_workload("a");
  workload.q_lens = {1, 1};
  workload.kv_lens = {0, 5};
  return workload;
}

Outputs outputs() {
  const std::uint16_t one = float_to_half(1.0F);
  return {{one, one, one, one}, {0.5F, 0.5F}};
}

TEST(OutputDifferences, OfTheSameBitsAreNone) {
  const OutputDifference none = compare_outputs(workload(), outputs(), outputs());
  EXPECT_TRUE(none.same_out && none.same_lse && none.same_empty_rows);
  EXPECT_EQ(none.largest_out, 0.0);
}

TEST(OutputDifferences, AreTheLargestOfAnyElement) {
  Outputs others = outputs();
  others.out[2] = float_to_half(1.5F);
  others.out[3] = float_to_half(0.75F);
  others.lse[1] = 0.25F;
  const OutputDifference found = compare_outputs(workload(), outputs(), others);
  EXPECT_FALSE(found.same_out || found.same_lse);
  EXPECT_TRUE(found.same_empty_rows);
  EXPECT_EQ(found.largest_out, 0.5);
  EXPECT_EQ(found.largest_lse, 0.25);
}

TEST(OutputDifferences, OfRowsWithoutKeysAreToldApart) {
  Outputs others = outputs();
  others.out[0] = float_to_half(9.0F);
  others.lse[0] = -std::numeric_limits<float>::infinity();
  const OutputDifference found = compare_outputs(workload(), outputs(), others);
  EXPECT_TRUE(found.same_out && found.same_lse);
  EXPECT_FALSE(found.same_empty_rows);
  EXPECT_EQ(found.largest_out, 0.0);
}

}  // namespace
}  // namespace fa2bench
