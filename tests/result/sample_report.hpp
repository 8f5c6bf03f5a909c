// SPDX-License-Identifier: MIT
// Small reports made by hand, for the tests of result/ and output/.
#pragma once

#include <string>
#include <vector>

#include "result/report.hpp"

namespace fa2bench::test {

/// Two sequences of one query token, 4/2 heads; 8 visible pairs, 65536 FLOPs, 20 KiB.
WorkloadResult sample_workload(const std::string& name);

/// Eight samples with median 100 µs, host times a tenth of it.
Samples sample_samples(Mode mode);

/// A run without a word of verification or timing.
Run sample_run(const std::string& shim, Status status, const std::string& reason);

/// A verification that found nothing.
VerifyReport sample_verify();
/// Two kernels and a fill.
KernelReport sample_kernels();

/// One row with everything known and one with nothing known, two kinds of leftovers; some
/// numbers are NaN.
ComparisonReport comparison_with_gaps();

/// One shim on the CPU: "decode" ok in both modes, "wide heads" unsupported; complete.
Report cpu_report();

/// Two shims on a GPU, stopped before the end: ok and wrong, does_not_fit, not_run; some numbers
/// are NaN or infinite and some texts are no UTF-8.
Report cuda_report();

/// "fast" and "slow" against "old" in one run on shared memory: every verdict, a candidate that
/// crashed, outputs that differ, a leftover and a note.
ComparisonReport sample_comparison();

/// The run that it is of, with demands that are missed and names that are hostile to some format.
Report compared_report();

}  // namespace fa2bench::test
