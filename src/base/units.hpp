// SPDX-License-Identifier: MIT
// Bytes and times as types, and how they read in a table.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <string>

namespace fa2bench {

/// A size in bytes. Arithmetic is unsigned 64-bit; callers bound their inputs (config limits).
struct Bytes {
  std::uint64_t count = 0;

  friend constexpr auto operator<=>(Bytes, Bytes) = default;
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return {a.count + b.count}; }
  friend constexpr Bytes operator*(Bytes a, std::uint64_t n) { return {a.count * n}; }
  constexpr Bytes& operator+=(Bytes other) {
    count += other.count;
    return *this;
  }
};

constexpr Bytes kib(std::uint64_t n) { return {n << 10U}; }
constexpr Bytes mib(std::uint64_t n) { return {n << 20U}; }

/// Times of kernels and host code.
using Microseconds = std::chrono::duration<double, std::micro>;
using Seconds = std::chrono::duration<double>;

/// Three digits or so with a fitting unit: "3.20 GiB", "32.0 MiB", "320 KiB", "512 B".
std::string to_text(Bytes bytes);
/// Four significant digits with a fitting unit: "26.41 µs", "7.368 ms", "1.204 s"; "-" if not
/// finite.
std::string to_text(Microseconds time);

}  // namespace fa2bench
