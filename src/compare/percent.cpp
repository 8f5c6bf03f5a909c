// SPDX-License-Identifier: MIT
#include "compare/percent.hpp"

#include <fmt/format.h>

#include <cmath>

namespace fa2bench {

std::string percent_number(double part) {
  const double value = 100.0 * std::abs(part);
  const int digits = value < 0.1 ? 3 : value < 1.0 ? 2 : 1;
  std::string text = fmt::format("{:.{}f}", value, digits);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace fa2bench
