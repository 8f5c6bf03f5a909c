// SPDX-License-Identifier: MIT
#include "fuzz_target.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/text.hpp"

namespace fa2bench::fuzz {

void require(bool holds, std::string_view what) {
  if (holds) return;
  fmt::print(stderr, "broken: {}\n", what);
  std::abort();
}

void require_readable(const Error& error) {
  constexpr std::size_t kLongestLine = 8192;
  const std::string text = error.what();
  require(!text.empty(), "an error says nothing");
  require(text.size() <= kLongestLine, "an error is too long to be read: " + text.substr(0, 1000));
  require(printable(text) == text, "an error has control characters or is no UTF-8: " + text);
}

}  // namespace fa2bench::fuzz
