// SPDX-License-Identifier: MIT
// The rows of a comparison from what a run in turns found.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "compare/ratio.hpp"
#include "result/report.hpp"

namespace fa2bench {

/// The blocks of samples of this mode, of every shim that has a time in it; `shim` is the index of
/// its run.
std::vector<BlockTime> blocks_of(const WorkloadResult& result, Mode mode);

/// Whether both sides said alike that there is nothing to time: no code for the shape, no memory,
/// or no query token.
bool same_answer(const Run& base, const Run& other);

/// The candidate, index of its run, against the first run; without verdict. If there is no ratio,
/// the reason says which side lacks a time, and why. None where both gave the same answer, of the
/// mode or of all. `look`: at which sampling of this mode ended.
std::optional<Comparison> compare_turns(const WorkloadResult& result, Mode mode,
                                        std::size_t candidate, std::size_t look,
                                        const ComparisonRules& rules);

}  // namespace fa2bench
