// SPDX-License-Identifier: MIT
#include "compare/ratio.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace fa2bench {
namespace {

TEST(Ratio, TakesOffWhatPlacementsDoToAll) {
  std::vector<BlockTime> blocks;
  for (std::size_t placement = 0; placement < 12; ++placement) {
    for (int process = 0; process < 3; ++process) {
      const double time = (10.0 + static_cast<double>(placement % 5)) * (1.0 + 0.001 * process);
      blocks.push_back({placement, 0, process, time});
      blocks.push_back({placement, 1, process, 1.05 * time});
    }
  }
  const RatioEstimate estimate = estimate_ratio(blocks, 0, 1, 0.99);
  EXPECT_NEAR(estimate.ratio.value(), 1.05, 1e-12);
  EXPECT_TRUE(estimate.of_processes);
  EXPECT_EQ(estimate.processes, 3U);
  EXPECT_EQ(estimate.placements, 12U);
  EXPECT_NEAR(estimate.candidate_us / estimate.baseline_us, 1.05, 1e-12);
}

}  // namespace
}  // namespace fa2bench
