// SPDX-License-Identifier: MIT
#include "result/self_test.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/build_info.hpp"
#include "result/json_text.hpp"
#include "result/json_value.hpp"
#include "result/part_json.hpp"

namespace fa2bench {

const char* to_text(SelfTestCheck::Outcome outcome) {
  switch (outcome) {
    case SelfTestCheck::Outcome::ok:
      return "ok";
    case SelfTestCheck::Outcome::failed:
      return "failed";
    case SelfTestCheck::Outcome::not_available:
      break;
  }
  return "not_available";
}

const SelfTestCheck* SelfTest::failure() const {
  const auto found = std::find_if(checks.begin(), checks.end(), [](const SelfTestCheck& check) {
    return check.outcome == SelfTestCheck::Outcome::failed;
  });
  return found == checks.end() ? nullptr : &*found;
}

SelfTestCheck judge(SelfTestCheck check, double measured, const std::string& reason) {
  check.measured = measured;
  const bool inside =
      measured >= check.low.value_or(measured) && measured <= check.high.value_or(measured);
  if (!inside) {
    check.outcome = SelfTestCheck::Outcome::failed;
    check.reason = reason;
  }
  return check;
}

SelfTestCheck not_available(SelfTestCheck check, const std::string& reason) {
  check.outcome = SelfTestCheck::Outcome::not_available;
  check.reason = reason;
  return check;
}

std::string expectation(const SelfTestCheck& check) {
  if (check.low && check.high) return fmt::format("{:.4g} … {:.4g}", *check.low, *check.high);
  if (check.high) return fmt::format("≤ {:.4g}", *check.high);
  if (check.low) return fmt::format("≥ {:.4g}", *check.low);
  return "";
}

std::string self_test_json(const SelfTest& result) {
  using Json = nlohmann::ordered_json;
  Json checks = Json::array();
  for (const SelfTestCheck& check : result.checks) {
    checks.push_back({{"name", check.name},
                      {"what", check.what},
                      {"unit", check.unit},
                      {"measured", finite(check.measured)},
                      {"low", finite(check.low)},
                      {"high", finite(check.high)},
                      {"outcome", to_text(check.outcome)},
                      {"reason", text_or_null(check.reason)}});
  }
  const BuildInfo build = build_info();
  return pretty_json({{"schema", "ferrum-fa2-bench/selftest/v1"},
                      {"started", result.started},
                      {"tool", {{"version", build.version}, {"git", build.git}}},
                      {"device", device_json(result.device)},
                      {"trusted", result.failure() == nullptr},
                      {"checks", std::move(checks)}});
}

}  // namespace fa2bench
