// SPDX-License-Identifier: MIT
// Two shims taking turns on a simulated machine; seeded, the same with every library.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "compare/looks.hpp"
#include "compare/ratio.hpp"
#include "result/comparison.hpp"
#include "stats/noise.hpp"

namespace fa2bench::test {

/// What adds to times, as on an H200; parts of the time, as standard deviations.
struct Machine {
  double process = 0.001;       ///< of a process, in all its blocks
  double placement = 0.002;     ///< of a placement, in all blocks there
  double block = 0.003;         ///< of a block alone
  double two_valued_us = 0.0;   ///< what each call takes more in one process of two
  double odd_placements = 0.0;  ///< share of the placements that take 10 % more
  double odd_blocks = 0.01;     ///< share of the blocks that take 5 % more
  double missing = 0.0;         ///< share of the blocks that are not there
  int processes = 4;
  std::size_t placements = 40;
};

/// What the processes of both shims have about them, in all workloads.
struct Processes {
  std::vector<double> part;      ///< exp() of it is a factor
  std::vector<double> added_us;  ///< to each call
};

inline Processes start_processes(Noise& noise, const Machine& machine) {
  Processes processes;
  for (int i = 0; i < 2 * machine.processes; ++i) {
    processes.part.push_back(machine.process * noise.normal());
    processes.added_us.push_back(noise.uniform() < 0.5 ? machine.two_valued_us : 0.0);
  }
  return processes;
}

/// Shim 0, of `time_us`, and shim 1, of `ratio` times that, a block of each process in each
/// placement.
inline std::vector<BlockTime> take_turns(Noise& noise, const Machine& machine,
                                         const Processes& processes, double time_us, double ratio) {
  std::vector<BlockTime> blocks;
  for (std::size_t placement = 0; placement < machine.placements; ++placement) {
    double common = machine.placement * noise.normal();
    if (noise.uniform() < machine.odd_placements) common += 0.1;
    for (int i = 0; i < 2 * machine.processes; ++i) {
      const auto participant = static_cast<std::size_t>(i);
      const int shim = i % 2;
      double scatter = common + processes.part[participant] + machine.block * noise.normal();
      if (noise.uniform() < machine.odd_blocks) scatter += 0.05;
      if (machine.missing > 0.0 && noise.uniform() < machine.missing) continue;
      const double own = time_us * (shim == 1 ? ratio : 1.0);
      blocks.push_back(
          {placement, shim, i / 2, (own + processes.added_us[participant]) * (1.0 + scatter)});
    }
  }
  return blocks;
}

/// The estimate at the look at which `rows` comparisons' run would have stopped.
inline RatioEstimate with_looks(const std::vector<BlockTime>& blocks, std::size_t placements,
                                const ComparisonRules& rules, std::size_t rows) {
  RatioEstimate estimate;
  for (std::size_t look = 0; look < kLooks.size(); ++look) {
    const double due = kLooks[look] * static_cast<double>(placements);
    const double seen = std::max(due, static_cast<double>(kLeastPlacements));
    std::vector<BlockTime> so_far;
    for (const BlockTime& block : blocks) {
      if (static_cast<double>(block.placement) < seen) so_far.push_back(block);
    }
    estimate = estimate_at_look(so_far, 0, 1, rules.confidence, look);
    if (is_decided(std::vector{estimate}, rules, rows)) break;
  }
  return estimate;
}

}  // namespace fa2bench::test
