// SPDX-License-Identifier: MIT
#include "measure/flush_effect.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/random.hpp"
#include "stats/summary.hpp"

namespace fa2bench {
namespace {

/// The words of all lines: in each chain a random circle (Sattolo's shuffle), which no prefetcher
/// foresees.
std::vector<std::uint32_t> shuffled_lines(std::uint32_t chains, std::uint32_t lines_per_chain) {
  std::vector<std::uint32_t> words(std::size_t{chains} * lines_per_chain * kLineWords);
  std::vector<std::uint32_t> next(lines_per_chain);
  CounterRng rng(1, 0);
  for (std::uint32_t chain = 0; chain < chains; ++chain) {
    const std::uint32_t first = chain * lines_per_chain;
    for (std::uint32_t i = 0; i < lines_per_chain; ++i) next[i] = first + i;
    for (std::uint32_t i = lines_per_chain - 1; i > 0; --i) std::swap(next[i], next[rng.below(i)]);
    for (std::uint32_t i = 0; i < lines_per_chain; ++i) {
      words[std::size_t{first + i} * kLineWords] = next[i];
    }
  }
  return words;
}

}  // namespace

FlushEffect measure_flush_effect(Device& device) {
  constexpr std::uint32_t kChains = 256;
  constexpr int kRounds = 7;
  const Bytes cache = device.facts().l2;
  const auto lines_per_chain = static_cast<std::uint32_t>(
      std::max<std::uint64_t>(2, cache.count / 3 / (std::uint64_t{kChains} * kLineWords * 4)));
  const std::vector<std::uint32_t> words = shuffled_lines(kChains, lines_per_chain);
  const Bytes size{words.size() * sizeof(std::uint32_t)};
  const DeviceMemory lines = device.allocate(size);
  const DeviceMemory sweep = device.allocate(cache * 4);
  device.upload(lines.get(), words.data(), size);
  const LineWalk walk{static_cast<const std::uint32_t*>(lines.get()), kChains, lines_per_chain};
  const auto walk_us = [&](const std::function<void()>& before) {
    before();
    const auto call = [&] {
      device.enqueue_walk(walk);
      return 0;
    };
    const CallTime time = device.has_gate() ? device.time_gated_call(call) : device.time_call(call);
    return time.device.count();
  };
  device.enqueue_walk(walk);  // loads the kernel
  device.evict_cache();       // allocates
  device.synchronize();
  std::vector<double> warm;
  std::vector<double> emptied;
  std::vector<double> cold;
  for (int round = 0; round < kRounds; ++round) {
    const auto word = static_cast<std::uint32_t>(round);
    cold.push_back(walk_us([&] { device.fill_words(sweep.get(), word, cache * 4); }));
    warm.push_back(walk_us([&] { device.enqueue_walk(walk); }));
    emptied.push_back(walk_us([&] { device.evict_cache(); }));
  }
  return {median(warm), median(emptied), median(cold)};
}

}  // namespace fa2bench
