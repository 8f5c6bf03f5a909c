// SPDX-License-Identifier: MIT
// Small text helpers: nearest known word, safe bytes for a terminal or a JSON string.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fa2bench {

/// The candidate with the smallest edit distance to `word`, or "" if none is close enough
/// (more than a third of the word's length, at least 2, would have to change).
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// Valid UTF-8 on one line: control characters and bytes that are not UTF-8 become \xNN, newlines
/// \n.
std::string printable(std::string_view bytes);

/// "a, b, c".
std::string join(const std::vector<std::string>& parts, std::string_view separator = ", ");

}  // namespace fa2bench
