// SPDX-License-Identifier: MIT
// A fuzz target: one function that takes any bytes. libFuzzer calls it (entry.cpp), and so does a
// plain program that feeds the committed inputs (replay.cpp).
#pragma once

#include <string_view>

#include "base/error.hpp"

namespace fa2bench::fuzz {

/// Each target defines it: feeds one input to the code under test and says whether that took it as
/// good. Error is a fine answer; whatever else goes wrong ends the process.
bool feed(std::string_view input);

/// Ends the process and says `what`, unless it holds.
void require(bool holds, std::string_view what);

/// The text of an Error goes to a terminal: one line without control characters, of bounded length,
/// whatever the input was.
void require_readable(const Error& error);

}  // namespace fa2bench::fuzz
