// SPDX-License-Identifier: MIT
#include "output/markdown_text.hpp"

#include <algorithm>
#include <string_view>

#include "base/text.hpp"

namespace fa2bench {
namespace {

constexpr const char* kWordJoiner = "\xE2\x81\xA0";

/// A run of backticks longer than each in `text`, and no shorter than `least`.
std::string fence(const std::string& text, std::size_t least) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  std::string ticks;
  ticks.append(std::max(least, longest + 1), '`');
  return ticks;
}

}  // namespace

std::string markdown_text(const std::string& text) {
  constexpr std::string_view kFormats = "\\`*_{}[]<>()#+!|~&";
  std::string safe;
  const std::string line = printable(text);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (kFormats.find(c) != std::string_view::npos) safe += '\\';
    safe += c;
    const bool link = c == ':' && line.compare(i, 3, "://") == 0;
    const bool host = line.compare(i, 4, "www.") == 0;
    if (c == '@' || c == '#' || link || host) safe += kWordJoiner;
  }
  return safe;
}

std::string markdown_code(const std::string& text, bool in_table) {
  const std::string line = printable(text);
  if (line.empty()) return "";
  const std::string ticks = fence(line, 1);
  // A space on both sides is taken off again; it keeps a backtick at an end apart from the fence.
  const bool padded = line.front() == '`' || line.back() == '`' || line.front() == ' ';
  std::string safe;
  for (const char c : line) {
    if (c == '|' && in_table) safe += '\\';
    safe += c;
  }
  const std::string pad = padded ? " " : "";
  return ticks + pad + safe + pad + ticks;
}

std::string markdown_block(const std::string& lines) {
  const std::string ticks = fence(lines, 3);
  return ticks + "text\n" + lines + (lines.ends_with('\n') ? "" : "\n") + ticks + '\n';
}

}  // namespace fa2bench
