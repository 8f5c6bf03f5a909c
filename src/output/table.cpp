// SPDX-License-Identifier: MIT
#include "output/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <sstream>

namespace fa2bench {
namespace {

bool starts_letter(char c) { return (static_cast<std::uint8_t>(c) & 0xC0U) != 0x80U; }

/// The text of so many code points from the one numbered `first`.
std::string code_points(const std::string& text, std::size_t first, std::size_t count) {
  std::string part;
  std::size_t letters = 0;
  for (const char c : text) {
    if (starts_letter(c)) ++letters;
    if (letters > first && letters <= first + count) part += c;
  }
  return part;
}

}  // namespace

std::size_t display_width(const std::string& text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {
      i = std::min(text.find('m', i), text.size());
    } else if (starts_letter(text[i])) {
      ++width;
    }
  }
  return width;
}

std::string shortened(const std::string& text, std::size_t longest) {
  const std::size_t width = display_width(text);
  if (width <= longest || longest == 0) return text;
  const std::size_t end = (longest - 1) / 2;
  return code_points(text, 0, longest - 1 - end) + "…" + code_points(text, width - end, end);
}

std::string wrapped(const std::string& text, std::size_t columns) {
  std::istringstream words(text);
  std::string lines;
  std::size_t width = 0;
  for (std::string word; words >> word;) {
    const std::size_t length = display_width(word);
    const bool fits = width + 1 + length <= columns;
    if (width > 0) lines += fits ? ' ' : '\n';
    width = (width > 0 && fits ? width + 1 : 0) + length;
    lines += word;
  }
  return lines;
}

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
