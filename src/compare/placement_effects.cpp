// SPDX-License-Identifier: MIT
#include "compare/placement_effects.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace fa2bench {
namespace {

/// Of at least one value; reorders them.
double middle(std::vector<double>& values) {
  assert(!values.empty());
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), half, values.end());
  if (values.size() % 2 == 1) return *half;
  return (*half + *std::max_element(values.begin(), half)) / 2.0;
}

}  // namespace

std::vector<double> placement_effects(const Grid& grid) {
  // Where no block is missing, two rounds do. The longer one row's blocks are missing while all
  // drift, the more it takes; what changes less than this is far below the noise.
  constexpr int kMostRounds = 20;
  constexpr double kSettled = 3e-5;
  std::vector<double> columns(grid.columns, 0.0);
  std::vector<double> rows(grid.rows, 0.0);
  std::vector<double> left;
  double change = 1.0;
  for (int round = 0; round < kMostRounds && change > kSettled; ++round) {
    change = 0.0;
    for (std::size_t row = 0; row < grid.rows; ++row) {
      left.clear();
      for (std::size_t column = 0; column < grid.columns; ++column) {
        if (const auto& value = grid.at(row, column)) left.push_back(*value - columns[column]);
      }
      const double effect = middle(left);
      change = std::max(change, std::abs(effect - rows[row]));
      rows[row] = effect;
    }
    for (std::size_t column = 0; column < grid.columns; ++column) {
      left.clear();
      for (std::size_t row = 0; row < grid.rows; ++row) {
        if (const auto& value = grid.at(row, column)) left.push_back(*value - rows[row]);
      }
      columns[column] = middle(left);
    }
  }
  return columns;
}

}  // namespace fa2bench
