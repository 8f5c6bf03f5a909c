// SPDX-License-Identifier: MIT
#include "result/sample_report.hpp"

namespace fa2bench::test {
namespace {

Comparison row(const std::string& workload, Mode mode, const std::string& candidate) {
  Comparison row;
  row.workload = workload;
  row.workload_id = "00112233445566ff";
  row.mode = mode;
  row.baseline = "old";
  row.candidate = candidate;
  row.floor = 0.0005;
  row.processes = 4;
  row.placements = 120;
  return row;
}

Comparison measured(const std::string& workload, Mode mode, const std::string& candidate,
                    double ratio, double half_width, Verdict verdict) {
  Comparison measured = row(workload, mode, candidate);
  measured.baseline_us = 100.0;
  measured.candidate_us = 100.0 * ratio;
  measured.ratio = ratio;
  measured.interval = Interval{ratio - half_width, ratio + half_width};
  measured.p_value = verdict == Verdict::same ? 0.5 : 0.0001;
  measured.verdict = verdict;
  return measured;
}

OutputDifference output(const std::string& workload, const std::string& candidate) {
  OutputDifference output;
  output.workload = workload;
  output.workload_id = "00112233445566ff";
  output.candidate = candidate;
  output.same_out = output.same_lse = true;
  return output;
}

}  // namespace

ComparisonReport sample_comparison() {
  ComparisonReport report;
  report.baseline = "old";
  report.candidates = {"fast", "slow"};
  report.memory = MemorySharing{true, ""};
  Comparison crashed = row("decode", Mode::warm, "slow");
  crashed.baseline_us = 98.5;
  crashed.reason = "slow crashed: signal 11 (segmentation fault)";
  report.rows = {
      measured("decode", Mode::cold, "fast", 0.979, 0.003, Verdict::faster),
      measured("decode", Mode::warm, "fast", 1.0002, 0.0008, Verdict::same),
      measured("decode", Mode::cold, "slow", 1.052, 0.0125, Verdict::slower),
      crashed,
      measured("prefill", Mode::cold, "fast", 0.98, 0.03, Verdict::inconclusive),
      measured("prefill", Mode::cold, "slow", 1.25, 0.03, Verdict::slower),
  };
  report.rows[4].reason = "the interval is wider than the smallest effect";
  report.outputs = {output("decode", "fast"), output("prefill", "fast"), output("decode", "slow"),
                    output("prefill", "slow")};
  report.outputs[2].same_out = report.outputs[2].same_empty_rows = false;
  report.outputs[2].largest_out = 0.0009765625;
  report.outputs[3].obstacle = "slow was wrong";
  report.leftovers = {{"old", "late", "ffeeddccbbaa9988", std::nullopt},
                      {"old", "decode", "00112233445566ff", Mode::graph}};
  report.notes = {"fast and old are one build: the same SHA-256"};
  return report;
}

}  // namespace fa2bench::test
