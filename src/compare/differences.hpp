// SPDX-License-Identifier: MIT
// What differs between two runs beside the shims. Some of it makes their numbers mean different
// things, and then no ratio of them means anything; the rest may explain a ratio.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compare/pairing.hpp"
#include "result/report.hpp"

namespace fa2bench {

/// A result and what messages call it.
struct NamedReport {
  std::string name;
  Report report;
};

struct Differences {
  std::vector<std::string> forbidding;  ///< one line each; empty: comparable
  std::vector<std::string> others;      ///< likewise
};

/// Of the runs and their devices. The index and the UUID of a GPU are no difference: it is the
/// model that counts.
Differences differences_of_runs(const NamedReport& base, const NamedReport& next);

/// Of how what is paired was timed (the state of the cache, with and without the gate), and of the
/// data. At most one line for each kind, with the first pair that has it and the number of them.
std::vector<std::string> differences_of_pairs(std::span<const TimedPair> pairs);
std::vector<std::string> differences_of_data(const NamedReport& base, const NamedReport& next);

/// Whether the shims of both sides have one SHA-256, as far as it is known.
bool is_one_build(const Side& base, const Side& next);

/// What the shims of both sides are to each other: "same build" or the two hashes; and whether
/// power or heat held one of the sides back, or its clock was another.
std::vector<std::string> notes_on_shims(const Side& base, const Side& next);
std::vector<std::string> notes_on_clocks(std::span<const TimedPair> pairs);

}  // namespace fa2bench
