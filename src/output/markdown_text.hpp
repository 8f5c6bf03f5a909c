// SPDX-License-Identifier: MIT
// Text from outside in Markdown: shown as it is, whatever it holds.
#pragma once

#include <string>

namespace fa2bench {

/// For a sentence: what formats is escaped, and what GitHub makes a mention, a reference or a link
/// of is broken by a character without width.
std::string markdown_text(const std::string& text);

/// As a code span; in a table its "|" needs a backslash too. "" stays "".
std::string markdown_code(const std::string& text, bool in_table);

/// A block of lines, whatever backticks they hold.
std::string markdown_block(const std::string& lines);

}  // namespace fa2bench
