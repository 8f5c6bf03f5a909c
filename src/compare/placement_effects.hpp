// SPDX-License-Identifier: MIT
// What a placement of the memory, and the moment at which it was timed, do to everybody alike: the
// larger part of the scatter between blocks of samples, and no difference between shims.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace fa2bench {

/// A row for each participant, a column for each placement; none where it took no part. Each row
/// and each column has a value.
struct Grid {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::optional<double>> values;  ///< row after row

  [[nodiscard]] const std::optional<double>& at(std::size_t row, std::size_t column) const {
    return values[row * columns + column];
  }
};

/// The effect of each column in the additive model value = row + column + noise, by median polish
/// (Tukey, Exploratory Data Analysis, 1977, chapter 11): outlying blocks do not move it, and no
/// column is lost because a participant is missing from it. What noise it has is in all rows of a
/// column alike, so that it cancels from differences of rows.
std::vector<double> placement_effects(const Grid& grid);

}  // namespace fa2bench
