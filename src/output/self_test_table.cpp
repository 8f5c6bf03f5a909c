// SPDX-License-Identifier: MIT
#include "output/self_test_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "output/table.hpp"

namespace fa2bench {
namespace {

/// Of a check's unit, as it is written after a number.
std::string unit_text(const std::string& unit) {
  if (unit == "us") return "µs";
  if (unit == "percent") return "%";
  if (unit == "gb_per_s") return "GB/s";
  if (unit == "tflop_per_s") return "TFLOP/s";
  return "";
}

std::string outcome_text(SelfTestCheck::Outcome outcome) {
  return outcome == SelfTestCheck::Outcome::not_available ? "not available" : to_text(outcome);
}

}  // namespace

std::string self_test_table(const SelfTest& result) {
  using Align = Table::Align;
  Table table({{"check", Align::left},
               {"measured"},
               {"expected"},
               {"unit", Align::left},
               {"outcome", Align::left}});
  std::string reasons;  // below the table: a column of sentences would make it too wide
  for (const SelfTestCheck& check : result.checks) {
    table.add({check.what, check.measured ? fmt::format("{:.4g}", *check.measured) : "-",
               expectation(check), unit_text(check.unit), outcome_text(check.outcome)});
    if (check.reason.empty()) continue;
    reasons += fmt::format("{}: {}: {}\n", outcome_text(check.outcome), check.what,
                           printable(check.reason));
  }
  const auto count = [&](SelfTestCheck::Outcome outcome) {
    return std::count_if(result.checks.begin(), result.checks.end(),
                         [=](const SelfTestCheck& check) { return check.outcome == outcome; });
  };
  using Outcome = SelfTestCheck::Outcome;
  if (!reasons.empty()) reasons += '\n';
  return fmt::format("{}\n\n{}\n{}{}: {} ok, {} failed, {} not available\n",
                     printable(result.device.name), table.text(), reasons,
                     result.failure() == nullptr ? "can be trusted" : "cannot be trusted",
                     count(Outcome::ok), count(Outcome::failed), count(Outcome::not_available));
}

std::string failure_text(const SelfTestCheck& failed) {
  const std::string unit = unit_text(failed.unit);
  return fmt::format("{}: {:.4g}, expected {}{}{}: {}", failed.what, failed.measured.value_or(0.0),
                     expectation(failed), unit.empty() ? "" : " ", unit, failed.reason);
}

}  // namespace fa2bench
