// SPDX-License-Identifier: MIT
#include "compare/ratio.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "compare/placement_effects.hpp"
#include "stats/mean.hpp"
#include "stats/student.hpp"
#include "stats/trimmed_mean.hpp"

namespace fa2bench {
namespace {

/// The blocks of two shims; the baseline's participants are the first rows.
struct BlockSides {
  Grid grid;
  std::size_t of_baseline = 0;  ///< rows
};

/// Where `value` stands in a sorted list that has it.
template <class T>
std::size_t index_of(const std::vector<T>& sorted, const T& value) {
  return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), value) -
                                  sorted.begin());
}

template <class T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// Placements in which both sides took part, sorted.
std::vector<std::size_t> shared_placements(std::span<const BlockTime> blocks, int baseline,
                                           int candidate) {
  std::vector<std::size_t> of_baseline;
  std::vector<std::size_t> of_candidate;
  for (const BlockTime& block : blocks) {
    if (block.shim == baseline) of_baseline.push_back(block.placement);
    if (block.shim == candidate) of_candidate.push_back(block.placement);
  }
  sort_unique(of_baseline);
  sort_unique(of_candidate);
  std::vector<std::size_t> shared;
  std::set_intersection(of_baseline.begin(), of_baseline.end(), of_candidate.begin(),
                        of_candidate.end(), std::back_inserter(shared));
  return shared;
}

/// Logarithms of the blocks in `placements`; those of one participant in one placement averaged.
BlockSides lay_out(std::span<const BlockTime> blocks, const std::vector<std::size_t>& placements,
                   int baseline, int candidate) {
  using Participant = std::pair<bool, int>;  // whether of the candidate, process
  std::vector<BlockTime> used;
  std::vector<Participant> participants;
  for (const BlockTime& block : blocks) {
    if (block.shim != baseline && block.shim != candidate) continue;
    if (!std::binary_search(placements.begin(), placements.end(), block.placement)) continue;
    used.push_back(block);
    participants.emplace_back(block.shim == candidate, block.process);
  }
  sort_unique(participants);
  BlockSides sides;
  sides.of_baseline = index_of(participants, {true, std::numeric_limits<int>::min()});
  sides.grid.rows = participants.size();
  sides.grid.columns = placements.size();
  sides.grid.values.resize(sides.grid.rows * sides.grid.columns);
  std::vector<int> counts(sides.grid.values.size(), 0);
  for (const BlockTime& block : used) {
    const Participant participant{block.shim == candidate, block.process};
    const std::size_t cell = index_of(participants, participant) * sides.grid.columns +
                             index_of(placements, block.placement);
    sides.grid.values[cell] = sides.grid.values[cell].value_or(0.0) + std::log(block.median_us);
    ++counts[cell];
  }
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    if (counts[cell] > 1) *sides.grid.values[cell] /= counts[cell];
  }
  return sides;
}

/// Each row without what the columns do, and the standard error that its blocks imply.
std::vector<TrimmedMean> participants_of(const Grid& grid, std::span<const double> effects) {
  std::vector<TrimmedMean> means;
  for (std::size_t row = 0; row < grid.rows; ++row) {
    std::vector<double> left;
    for (std::size_t column = 0; column < grid.columns; ++column) {
      if (const auto& value = grid.at(row, column)) left.push_back(*value - effects[column]);
    }
    means.push_back(mean_of_middle_half(std::move(left)));
  }
  return means;
}

/// Of each column, the mean of those rows from `first` to before `last` that are there.
std::vector<double> side_of_placements(const Grid& grid, std::size_t first, std::size_t last) {
  std::vector<double> side;
  for (std::size_t column = 0; column < grid.columns; ++column) {
    std::vector<double> there;
    for (std::size_t row = first; row < last; ++row) {
      if (const auto& value = grid.at(row, column)) there.push_back(*value);
    }
    side.push_back(mean(there));
  }
  return side;
}

/// A difference of logarithms: the candidate's less the baseline's.
struct Difference {
  double value = 0.0;
  double error = 0.0;
  double freedom = 0.0;  ///< of Student's t; below 1: no interval
  double baseline = 0.0;
  double floor = 0.0;  ///< of the baseline against itself
};

/// |even - odd|.
double between_halves(std::span<const double> values) {
  std::vector<double> even;
  std::vector<double> odd;
  for (std::size_t i = 0; i < values.size(); ++i) (i % 2 == 0 ? even : odd).push_back(values[i]);
  if (odd.empty()) return 0.0;
  return std::abs(mean_of_middle_half(std::move(even)).mean -
                  mean_of_middle_half(std::move(odd)).mean);
}

Difference of_processes(const BlockSides& sides) {
  const std::vector<double> effects = placement_effects(sides.grid);
  const std::vector<TrimmedMean> participants = participants_of(sides.grid, effects);
  std::vector<double> means;
  double sampling = 0.0;
  for (const TrimmedMean& participant : participants) {
    means.push_back(participant.mean);
    sampling += participant.error * participant.error;
  }
  // What the fit of the placements took of the noise is put back.
  const auto rows = static_cast<double>(means.size());
  sampling *= 1.0 / (rows - 1.0);
  const auto baseline = std::span<const double>(means).first(sides.of_baseline);
  const auto candidate = std::span<const double>(means).subspan(sides.of_baseline);
  Difference difference;
  difference.value = mean(candidate) - mean(baseline);
  difference.freedom = sides.grid.columns < 2 ? 0.0 : rows - 2.0;
  const double spread =
      (squares_around_mean(baseline) + squares_around_mean(candidate)) / (rows - 2.0);
  difference.error =
      std::sqrt(std::max(spread, sampling) * (1.0 / static_cast<double>(baseline.size()) +
                                              1.0 / static_cast<double>(candidate.size())));
  difference.baseline = mean(baseline) + mean_of_middle_half(effects).mean;
  difference.floor = between_halves(baseline);
  return difference;
}

Difference of_placements(const BlockSides& sides) {
  const std::vector<double> baseline = side_of_placements(sides.grid, 0, sides.of_baseline);
  std::vector<double> differences =
      side_of_placements(sides.grid, sides.of_baseline, sides.grid.rows);
  for (std::size_t i = 0; i < differences.size(); ++i) differences[i] -= baseline[i];
  const TrimmedMean center = mean_of_middle_half(std::move(differences));
  Difference difference;
  difference.value = center.mean;
  difference.error = center.error;
  difference.freedom = sides.grid.columns < 3 ? 0.0 : static_cast<double>(center.kept) - 1.0;
  difference.baseline = mean_of_middle_half(baseline).mean;
  difference.floor = between_halves(baseline);
  return difference;
}

void state(RatioEstimate& estimate, const Difference& difference, double confidence) {
  estimate.ratio = std::exp(difference.value);
  estimate.baseline_us = std::exp(difference.baseline);
  estimate.candidate_us = std::exp(difference.baseline + difference.value);
  estimate.floor = std::expm1(difference.floor);
  if (difference.freedom < 1.0) return;
  const double half = student_reach(difference.freedom, confidence) * difference.error;
  estimate.interval =
      Interval{std::exp(difference.value - half), std::exp(difference.value + half)};
  const double beyond = std::abs(difference.value) - difference.floor;
  estimate.p_value =
      beyond <= 0.0 ? 1.0 : student_both_tails(difference.freedom, beyond / difference.error);
}

}  // namespace

RatioEstimate estimate_ratio(std::span<const BlockTime> blocks, int baseline, int candidate,
                             double confidence) {
  RatioEstimate estimate;
  for (const BlockTime& block : blocks) {
    if (block.shim != baseline && block.shim != candidate) continue;
    if (!std::isfinite(block.median_us) || block.median_us <= 0.0) {
      estimate.obstacle = "a block of samples has no usable time";
      return estimate;
    }
  }
  const std::vector<std::size_t> placements = shared_placements(blocks, baseline, candidate);
  if (placements.empty()) {
    estimate.obstacle = "there is no placement in which both were timed";
    return estimate;
  }
  const BlockSides sides = lay_out(blocks, placements, baseline, candidate);
  estimate.placements = placements.size();
  estimate.processes = std::min(sides.of_baseline, sides.grid.rows - sides.of_baseline);
  estimate.of_processes = estimate.processes >= 2;
  state(estimate, estimate.of_processes ? of_processes(sides) : of_placements(sides), confidence);
  return estimate;
}

}  // namespace fa2bench
