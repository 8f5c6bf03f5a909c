// SPDX-License-Identifier: MIT
// How a candidate's time stands to a baseline's where they come from runs of their own.
//
// The logarithms of each side's independent values (measure/blocks.hpp: processes, else streams,
// else trials) are compared by Welch's t ("The generalization of 'Student's' problem when several
// different population variances are involved", Biometrika 34, 1947). But runs differ by more than
// the values within a run say: what a run has of its own (clocks, heat, where the driver put
// things) does not cancel, as it does between shims that take turns in one. So the interval is
// widened, and the p-value is that of a ratio beyond it, by a floor: what separate runs of one
// build were seen to differ by.
#pragma once

#include <span>
#include <vector>

#include "result/comparison.hpp"
#include "result/report.hpp"

namespace fa2bench {

/// On a GPU: separate runs of the same build on one H200, at default settings, differ by up to
/// 0.57 % (one of four workloads that two runs of build 1debdfe1c217 had in common; seven runs in a
/// row of four workloads range over 0.12 to 0.41 %, bench_results/h200/timing.json, part "repeat").
inline constexpr double kFloorOfGpuRuns = 0.006;
/// On a CPU: machines with other work on them differ by several per cent from minute to minute.
inline constexpr double kFloorOfCpuRuns = 0.05;

/// What the values within a timing say: logarithms of µs, one of each independent block. Empty if
/// one of them is not a positive number.
std::vector<double> independent_logs(const Timing& timing);

/// Trials of one process have in common what it has of its own, so fewer processes a side say
/// nothing of the next one.
inline constexpr std::size_t kProcessesThatTell = 3;
/// The range of fewer runs is too often near 0 by chance to be all that runs differ by: that of two
/// is less than half of their standard deviation once in four times, that of five once in 300
/// (independent normal values).
inline constexpr std::size_t kRunsThatTell = 5;

/// How far, as |ratio - 1|, one more run of the same build may be from these: of five and more by
/// the prediction interval of normal values at this confidence, of fewer at least as far as the two
/// that differ most; 0 of one.
double spread_of_runs(std::span<const Timing* const> timings, double confidence);

/// Fills in times, ratio, interval, p-value, floor and processes; or the reason why there is none.
void compare_timings(std::span<const Timing* const> baselines, const Timing& candidate,
                     double floor, double confidence, Comparison& row);

}  // namespace fa2bench
