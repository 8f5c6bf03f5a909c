// SPDX-License-Identifier: MIT
#include "stats/drift.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "stats/trimmed_mean.hpp"

namespace fa2bench {

bool settled(std::span<const double> samples) {
  constexpr std::size_t kBlocks = 3;
  constexpr double kTolerance = 0.002;
  constexpr double kErrors = 2.0;
  if (samples.size() < kBlocks * kDriftBlock) return false;
  const auto newest = samples.last(kBlocks * kDriftBlock);
  std::array<TrimmedMean, kBlocks> blocks;
  std::array<double, kBlocks> errors{};
  for (std::size_t i = 0; i < kBlocks; ++i) {
    const auto block = newest.subspan(i * kDriftBlock, kDriftBlock);
    blocks[i] = trimmed_mean({block.begin(), block.end()}, kDriftBlock / 4);
    errors[i] = blocks[i].error;
  }
  std::sort(errors.begin(), errors.end());
  const double last = blocks.back().mean;
  const double noise = std::sqrt(2.0) * errors[kBlocks / 2];
  const double allowed = std::max(kTolerance * std::abs(last), kErrors * noise);
  return std::all_of(blocks.begin(), blocks.end() - 1, [=](const TrimmedMean& block) {
    return std::abs(block.mean - last) <= allowed;
  });
}

}  // namespace fa2bench
