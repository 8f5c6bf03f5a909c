// SPDX-License-Identifier: MIT
// A self-test for people.
#pragma once

#include <string>

#include "result/self_test.hpp"

namespace fa2bench {

/// The device, a row for each check, and the verdict.
std::string self_test_table(const SelfTest& result);

/// One line: what was measured, what was expected, and what it means.
std::string failure_text(const SelfTestCheck& failed);

}  // namespace fa2bench
