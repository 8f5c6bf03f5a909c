// SPDX-License-Identifier: MIT
#include "compare/placement_effects.hpp"

#include <algorithm>
#include <cassert>

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
  // The second round mends what missing blocks and the first guess of the rows have left; a third
  // changes nothing that could be seen beside the noise.
  constexpr int kRounds = 2;
  std::vector<double> columns(grid.columns, 0.0);
  std::vector<double> rows(grid.rows, 0.0);
  std::vector<double> left;
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t row = 0; row < grid.rows; ++row) {
      left.clear();
      for (std::size_t column = 0; column < grid.columns; ++column) {
        if (const auto& value = grid.at(row, column)) left.push_back(*value - columns[column]);
      }
      rows[row] = middle(left);
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
