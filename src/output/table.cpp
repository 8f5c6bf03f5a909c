// SPDX-License-Identifier: MIT
#include "output/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace fa2bench {
namespace {

/// Code points of UTF-8: what a terminal shows for the letters and signs used here.
std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<std::uint8_t>(c) & 0xC0U) != 0x80U;
  }));
}

}  // namespace

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) widths.push_back(display_width(column.title));
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  std::string text;
  const auto add_line = [&](const auto& cell_of) {
    std::string line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string& cell = cell_of(i);
      const std::string gap(widths[i] - display_width(cell), ' ');
      if (i > 0) line += "  ";
      line += columns_[i].align == Align::left ? cell + gap : gap + cell;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  };
  add_line([&](std::size_t i) -> const std::string& { return columns_[i].title; });
  std::size_t total = 0;
  for (const std::size_t width : widths) total += width;
  for (std::size_t i = 0; i < total + 2 * (widths.size() - 1); ++i) text += "─";
  text += '\n';
  for (const auto& row : rows_) {
    add_line([&](std::size_t i) -> const std::string& { return row[i]; });
  }
  return text;
}

}  // namespace fa2bench
