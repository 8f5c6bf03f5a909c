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
  crashed.candidate_status = Status::crashed;
  crashed.reason = "slow: crashed: signal 11 (segmentation fault)";
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

namespace {

/// Four processes of two placements each, so that a process is what counts.
Samples processes_samples(Mode mode, double us) {
  Samples samples = sample_samples(mode);
  samples.trials.clear();
  for (std::size_t i = 0; i < samples.device_us.size(); ++i) {
    samples.device_us[i] = us + static_cast<double>(i) / 8.0;
    samples.host_us[i] = us / 10.0;
    samples.trials.push_back({1, 3, 0.5, 0, static_cast<int>(i / 2), i % 2});
  }
  return samples;
}

}  // namespace

Report compared_report() {
  Report report = cuda_report();
  report.complete = true;
  report.unmet_requirement = "";
  report.comparison = sample_comparison();
  report.workloads.clear();
  report.shims.resize(1);
  for (const char* label : {"fast", "slow"}) {
    report.shims.push_back(report.shims[0]);
    report.shims.back().label = label;
  }
  const auto ok = [&](const std::string& shim, const WorkloadResult& of, Mode mode, double us) {
    Run run = sample_run(shim, Status::ok, "");
    run.verify = sample_verify();
    run.timings = {
        make_timing(processes_samples(mode, us), of.plan, report.device, report.ceilings)};
    return run;
  };
  WorkloadResult decode = sample_workload("decode");
  decode.workload.gates = {{"cold_us_max", 104.0}, {"graph_us_max", 50.0}};
  decode.runs = {ok("old", decode, Mode::cold, 100.0), ok("fast", decode, Mode::cold, 97.9),
                 ok("slow", decode, Mode::cold, 105.2)};
  decode.runs[2].untimed = {{Mode::warm, Status::crashed, "signal 11 (segmentation fault)"}};
  WorkloadResult prefill = sample_workload("prefill");
  prefill.runs = {ok("old", prefill, Mode::cold, 100.0), ok("fast", prefill, Mode::cold, 98.0),
                  ok("slow", prefill, Mode::cold, 125.0)};
  WorkloadResult hostile = sample_workload("a|b, \"c\" <d> & `e` @f %0A ::g");
  hostile.runs = {
      sample_run("old", Status::does_not_fit, "needs 80.0 GiB of device memory"),
      sample_run("fast", Status::unsupported, "head_dim 512"),
      sample_run("slow", Status::wrong, "before timing: <b>out</b> | ]]> \x1b[31m\n::error::x")};
  hostile.runs[2].output = "last words\x01\n";
  WorkloadResult late = sample_workload("late");
  for (const char* label : {"old", "fast", "slow"}) {
    late.runs.push_back(sample_run(label, Status::not_run, "interrupted"));
  }
  report.workloads = {decode, prefill, hostile, late};
  return report;
}

}  // namespace fa2bench::test
