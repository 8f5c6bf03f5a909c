// SPDX-License-Identifier: MIT
// What the self-test of a machine found, as plain values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"

namespace fa2bench {

/// One thing measured. It is right if it lies within `low` and `high`, where they are given.
struct SelfTestCheck {
  enum class Outcome { ok, failed, not_available };

  std::string name;                ///< "spin_20_us": for parsers; never changes its meaning
  std::string what;                ///< "kernel of 20 µs, less the event floor"
  std::string unit;                ///< "us", "gb_per_s", "percent", …
  std::optional<double> measured;  ///< none with not_available
  std::optional<double> low;
  std::optional<double> high;
  Outcome outcome = Outcome::ok;
  std::string reason;  ///< unless ok: what it means, or why there is none
};
const char* to_text(SelfTestCheck::Outcome outcome);

struct SelfTest {
  DeviceFacts device;
  std::string started;  ///< UTC
  std::vector<SelfTestCheck> checks;

  /// The first check that failed; null if the machine can be trusted.
  [[nodiscard]] const SelfTestCheck* failure() const;
};

/// Sets the outcome; `reason` says what it means if it lies outside. NaN lies outside.
SelfTestCheck judge(SelfTestCheck check, double measured, const std::string& reason);
SelfTestCheck not_available(SelfTestCheck check, const std::string& reason);

/// "19.5 … 20.5", "≤ 3.5", "≥ 1" or "".
std::string expectation(const SelfTestCheck& check);

/// {"schema": "ferrum-fa2-bench/selftest/v1", …}, described in selftest.schema.json.
std::string self_test_json(const SelfTest& result);

}  // namespace fa2bench
