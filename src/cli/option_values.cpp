// SPDX-License-Identifier: MIT
#include "cli/option_values.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "base/error.hpp"

namespace fa2bench {

std::uint64_t parse_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, seed);
  if (code != std::errc{} || stop != end || text.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("--seed {}: expected an integer from 0 to 18446744073709551615", text));
  }
  return seed;
}

double parse_number(const char* option, const std::string& text, double lowest, double highest,
                    const char* unit) {
  double number = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, number);
  if (code != std::errc{} || stop != end || !(number >= lowest && number <= highest)) {
    throw Error(ErrorKind::usage, fmt::format("{} {}: expected {} from {} to {:.0f}", option, text,
                                              unit, lowest, highest));
  }
  return number;
}

double parse_seconds(const char* option, const std::string& text, double lowest) {
  return parse_number(option, text, lowest, 86400.0, "seconds");
}

double parse_percent(const char* option, std::string text, double lowest) {
  if (text.size() > 1 && text.back() == '%') text.pop_back();
  return parse_number(option, text, lowest, 100.0, "a percentage") / 100.0;
}

double parse_confidence(const std::string& text) {
  constexpr double kMost = 0.99999;
  const double confidence = parse_percent("--confidence", text, 50.0);
  if (confidence > kMost) {
    throw Error(ErrorKind::usage,
                fmt::format("--confidence {}: expected a percentage from 50 to 99.999", text));
  }
  return confidence;
}

}  // namespace fa2bench
