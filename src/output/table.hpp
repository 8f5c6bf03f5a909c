// SPDX-License-Identifier: MIT
// Text tables for a terminal or a log.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fa2bench {

/// Columns that a terminal takes for it: code points of UTF-8, which is right for the letters and
/// signs used here, less what sets colors.
std::size_t display_width(const std::string& text);
/// At most so many columns: its start and its end, with "…" for what is left out between.
std::string shortened(const std::string& text, std::size_t longest);
/// Lines of at most so many columns, broken at spaces; a longer word keeps a line of its own.
std::string wrapped(const std::string& text, std::size_t columns);

/// Columns aligned by display width, numbers to the right.
class Table {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::right;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  /// One cell for each column.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// Title line, rule, rows; newline at the end of each.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace fa2bench
