// SPDX-License-Identifier: MIT
#include "base/units.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace fa2bench {
namespace {

/// At most one decimal less than four significant digits: 7.368, 73.68, 736.8.
std::string four_digits(double value) {
  const double size = std::fabs(value);
  if (size >= 999.95) return fmt::format("{:.0f}", value);
  if (size >= 99.995) return fmt::format("{:.1f}", value);
  if (size >= 9.9995) return fmt::format("{:.2f}", value);
  return fmt::format("{:.3f}", value);
}

}  // namespace

std::string to_text(Bytes bytes) {
  constexpr std::array kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  auto value = static_cast<double>(bytes.count);
  std::size_t unit = 0;
  while (value >= 1024.0 && unit + 1 < kUnits.size()) {
    value /= 1024.0;
    ++unit;
  }
  if (unit == 0) return fmt::format("{} B", bytes.count);
  return fmt::format("{:.{}f} {}", value, value < 10.0 ? 2 : (value < 100.0 ? 1 : 0), kUnits[unit]);
}

std::string to_text(Microseconds time) {
  const double us = time.count();
  if (!std::isfinite(us)) return "-";
  const double size = std::fabs(us);
  if (size < 1e3) return four_digits(us) + " µs";
  if (size < 1e6) return four_digits(us / 1e3) + " ms";
  return four_digits(us / 1e6) + " s";
}

}  // namespace fa2bench
