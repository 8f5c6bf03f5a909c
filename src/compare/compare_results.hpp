// SPDX-License-Identifier: MIT
// One or several results, the baseline, against another: each from a run of its own.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "compare/differences.hpp"
#include "result/comparison.hpp"

namespace fa2bench {

/// Separate runs show less than one run does in which shims take turns: a difference has to be
/// larger, more so on a CPU, where the runs themselves differ by several per cent.
ComparisonRules rules_for_separate_runs(DeviceKind kind);

/// Which shims of results that have several; "": those of equal labels, or the only one.
struct ShimChoice {
  std::string of_base;
  std::string of_new;
};

struct ResultComparison {
  ComparisonReport report;
  /// Why their numbers mean different things; then the rows mean nothing. Empty: they do not.
  std::vector<std::string> forbidding;
  std::size_t common = 0;  ///< workloads that both sides have
  bool wrong = false;      ///< the candidate was, on a workload that both have
  bool failed = false;     ///< likewise
};

/// At least one baseline. Throws Error(usage) where it is not clear which shims are meant.
ResultComparison compare_results(std::span<const NamedReport> baselines, const NamedReport& next,
                                 const ShimChoice& shims, const ComparisonRules& rules);

/// Whatever forbids the comparison apart.
ExitCode exit_code(const ResultComparison& comparison);

}  // namespace fa2bench
