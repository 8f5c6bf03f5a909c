// SPDX-License-Identifier: MIT
// Numbers on the command line, read strictly. Each throws Error(usage) that names the option.
#pragma once

#include <cstdint>
#include <string>

namespace fa2bench {

/// CLI11 would read "-1", "0x10", "010" and what is past 64 bits as some other number.
std::uint64_t parse_seed(const std::string& text);

/// Not CLI::Range, which lets "nan" pass. `unit` is said where the text is no such number.
double parse_number(const char* option, const std::string& text, double lowest, double highest,
                    const char* unit);

double parse_seconds(const char* option, const std::string& text, double lowest);

/// A part of 1 from "50" or "50%".
double parse_percent(const char* option, std::string text, double lowest);

/// Of --confidence. Nothing is sure at 100 %, and at 50 % anything is.
double parse_confidence(const std::string& text);

}  // namespace fa2bench
