// SPDX-License-Identifier: MIT
#include "measure/blocks.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

#include "stats/trimmed_mean.hpp"

namespace fa2bench {
namespace {

constexpr std::size_t kLeastProcesses = 3;
constexpr std::size_t kLeastStreams = 8;
constexpr std::size_t kLeastTrialsOfAStream = 2;

using Key = std::pair<int, int>;  ///< process, and stream unless processes are what counts

Key key_of(const Trial& trial, Block block) {
  return {trial.process, block == Block::streams ? trial.stream : 0};
}

std::map<Key, std::size_t> count(std::span<const Trial> trials, Block block) {
  std::map<Key, std::size_t> counts;
  for (const Trial& trial : trials) ++counts[key_of(trial, block)];
  return counts;
}

}  // namespace

Block independent_block(std::span<const Trial> trials) {
  if (count(trials, Block::processes).size() >= kLeastProcesses) return Block::processes;
  const std::map<Key, std::size_t> streams = count(trials, Block::streams);
  const bool enough = streams.size() >= kLeastStreams &&
                      std::all_of(streams.begin(), streams.end(), [](const auto& stream) {
                        return stream.second >= kLeastTrialsOfAStream;
                      });
  return enough ? Block::streams : Block::trials;
}

std::vector<double> independent_values(std::span<const double> medians,
                                       std::span<const Trial> trials) {
  assert(medians.size() == trials.size());
  const Block block = independent_block(trials);
  if (block == Block::trials) return {medians.begin(), medians.end()};
  std::map<Key, std::vector<double>> groups;
  for (std::size_t t = 0; t < trials.size(); ++t) {
    groups[key_of(trials[t], block)].push_back(medians[t]);
  }
  std::vector<double> centers;
  for (auto& [key, values] : groups) {
    centers.push_back(mean_of_middle_half(std::move(values)).mean);
  }
  return centers;
}

}  // namespace fa2bench
