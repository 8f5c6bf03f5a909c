// SPDX-License-Identifier: MIT
#include "result/sample_report.hpp"

#include <limits>
#include <optional>
#include <utility>

namespace fa2bench::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

BuildInfo sample_tool() {
  return {"0.1.0", "0123456789ab", "GNU 12.2.0", "Release", "none (CPU only)", "none"};
}

HostFacts sample_host() {
  return {"bench-1",
          "Debian GNU/Linux 12 (bookworm)",
          "Linux 6.1.0 x86_64",
          "Example CPU",
          8,
          Bytes{64ULL << 30U},
          "performance",
          0.25};
}

ShimRecord sample_shim(const std::string& label, bool device_memory) {
  ShimRecord shim;
  shim.label = label;
  shim.path = "/shims/lib" + label + ".so";
  shim.origin = "--shim";
  shim.description.device_memory = device_memory;
  shim.fingerprint.real_path = "/shims/build/lib" + label + ".so";
  shim.fingerprint.size_bytes = 4096;
  shim.fingerprint.sha256 = std::string(64, 'a');
  return shim;
}

Fault sample_fault() {
  Fault fault;
  fault.tensor = "out";
  fault.seq = 1;
  fault.token = 0;
  fault.head = 3;
  fault.column = 17;
  fault.expected = 0.25;
  fault.actual = kNan;
  fault.tolerance = 0.0009765625;
  return fault;
}

Telemetry cpu_telemetry(double mhz) {
  Telemetry telemetry;
  telemetry.cpu_mhz = mhz;
  telemetry.load_average = 0.5;
  return telemetry;
}

Telemetry gpu_telemetry(double mhz, std::vector<std::string> reasons) {
  Telemetry telemetry;
  telemetry.sm_mhz = mhz;
  telemetry.sm_mhz_in_call = 0.96875 * mhz;
  telemetry.memory_mhz = 3201.0;
  telemetry.temperature_c = 41.0;
  telemetry.power_w = 123.5;
  telemetry.utilization_percent = 0.0;
  telemetry.throttle_reasons = std::move(reasons);
  telemetry.other_compute_processes = 0;
  return telemetry;
}

/// Two calls a sample, in three placements that differ.
Samples sample_step() {
  Samples samples;
  samples.mode = Mode::step;
  samples.cache = CacheState::rotated;
  samples.calls = 2;
  samples.device_us = {198.0, 200.0, 202.0, 199.0, 201.0, 203.0, 204.0, 202.0};
  for (const double sample : samples.device_us) samples.host_us.push_back(sample * 2.0);
  samples.settled = true;
  samples.trials = {{3, 24, 0.5, 0, 0, 4}, {2, 3, 0.5, 1, 0, 5}, {3, 3, 0.25, 0, 1, 4}};
  samples.telemetry = {
      {0, gpu_telemetry(1980.0, {})}, {1, gpu_telemetry(1755.0, {"sw_power_cap"})}, {2, {}}};
  samples.event_floor_us = 2.875;
  samples.gated = true;
  samples.stop = Stop::time_limit;
  samples.wall_s = 3.0;
  return samples;
}

Report report_on(DeviceKind kind) {
  Report report;
  report.started = "2030-01-02T03:04:05Z";
  report.tool = sample_tool();
  report.host = sample_host();
  report.device.kind = kind;
  report.device.memory = Bytes{64ULL << 30U};
  report.config_files = {"configs/decode.json"};
  report.config_sha256 = std::string(64, 'c');
  return report;
}

}  // namespace

Run sample_run(const std::string& shim, Status status, const std::string& reason) {
  Run run;
  run.shim = shim;
  run.status = status;
  run.reason = reason;
  return run;
}

WorkloadResult sample_workload(const std::string& name) {
  WorkloadResult result;
  Workload& workload = result.workload;
  workload.name = name;
  workload.id = "00112233445566ff";
  workload.shape = {4, 2, 128, 16};
  workload.q_lens = {1, 1};
  workload.kv_lens = {3, 5};
  workload.layers = 2;
  Plan& plan = result.plan;
  plan.num_seqs = 2;
  plan.total_q_tokens = 2;
  plan.total_kv_tokens = 8;
  plan.max_q_len = 1;
  plan.max_kv_len = 5;
  plan.max_blocks_per_seq = 3;
  plan.live_blocks = 2;
  plan.num_blocks = 10;
  plan.cost.visible_pairs = 8;
  plan.cost.flops = 65536.0;
  plan.cost.bytes_unique = kib(20);
  plan.cost.bytes_logical = kib(20);
  return result;
}

Samples sample_samples(Mode mode) {
  Samples samples;
  samples.mode = mode;
  // Equal at the top: p95 and p99 need no rounding.
  samples.device_us = {98.0, 99.0, 99.5, 100.0, 100.0, 100.5, 110.0, 110.0};
  for (const double sample : samples.device_us) samples.host_us.push_back(sample / 10.0);
  samples.cache = mode == Mode::cold ? CacheState::swept : CacheState::as_left;
  samples.trials = {{8, 3, 0.5}};
  samples.telemetry = {{0, {}}};
  samples.event_floor_us = 2.875;
  samples.stop = Stop::precise;
  samples.wall_s = 0.25;
  return samples;
}

VerifyReport sample_verify() {
  VerifyReport verify;
  verify.ok = verify.out_ok = verify.lse_ok = verify.guards_ok = verify.inputs_ok = true;
  verify.rows = verify.rows_of = 2;
  verify.max_abs_err = 0.0001220703125;
  verify.tolerance = 0.0009765625;
  verify.worst_share = 0.25;
  verify.worst_row_share = 0.125;
  verify.lse_max_abs_err = 1e-07;
  verify.lse_tolerance = 1e-05;
  verify.lse_worst_share = 0.01;
  verify.f16_yardstick = 0.5;
  verify.constancy.repeats = Repeats{3, false, true, 0.0009765625};
  verify.constancy.other_pages = Repeats{1, true, false, 0.0};
  verify.constancy.timed_calls = Repeats{48, true, true, 0.0};
  return verify;
}

KernelReport sample_kernels() {
  KernelReport report;
  report.calls = 10;
  report.gated = true;
  report.span_us = 33.25;
  const Launch attention{LaunchKind::kernel,
                         "void fa2::attention<__half, (int)128, (bool)1>(fa2::Params)",
                         {132, 2, 1},
                         {128, 1, 1},
                         168,
                         kib(65)};
  const Launch combine{LaunchKind::kernel, "combine", {32, 1, 4}, {256, 1, 1}, 40, {}};
  const Launch fill{LaunchKind::fill, "64 bytes", {}, {}, 0, {}};
  report.blocking = {{"cudaMallocAsync", 1}, {"cudaStreamSynchronize", 2}};
  report.launches = {{fill, 1.25, 0.0}, {attention, 20.0, 1.5}, {combine, 9.5, -0.25}};
  return report;
}

ComparisonReport comparison_with_gaps() {
  ComparisonReport report;
  report.rules = {0.02, 0.95};
  report.baseline = "old";
  report.candidates = {"new", "newer"};
  report.memory = MemorySharing{false, "cudaIpcOpenMemHandle: not supported"};
  const std::string id = "00112233445566ff";
  report.rows = {{"décode", id, Mode::cold, "old", "newer", Status::ok, Status::ok, 100.0, 97.5,
                  0.975, Interval{0.97, 0.98}, 1e-05, 0.001, 4, 12, Verdict::faster, ""},
                 {"décode",
                  id,
                  Mode::step,
                  "old",
                  "new",
                  Status::ok,
                  Status::wrong,
                  100.0,
                  {},
                  {},
                  {},
                  {},
                  kNan,
                  4,
                  0,
                  Verdict::inconclusive,
                  "new: wrong: before timing"}};
  report.incomplete = {"old is not complete: its run was not over, or was stopped"};
  report.outputs = {{"décode", id, "newer", false, true, 0.0009765625, 0.0, false, ""},
                    {"décode", id, "new", false, false, kNan, kNan, false, "new: crashed"}};
  report.leftovers = {{"old", "huge", "ffeeddccbbaa9988", {}},
                      {"newer", "décode", id, Mode::graph}};
  report.notes = {"new and newer are the same build"};
  return report;
}

Report cpu_report() {
  Report report = report_on(DeviceKind::host);
  report.complete = true;
  report.finished = "2030-01-02T03:05:00Z";
  report.command = {"ferrum-fa2-bench", "--config", "configs/decode.json"};
  report.device.name = "Example CPU";
  report.device.processors = 8;
  report.device.l2 = mib(32);
  report.ceilings = {204.8, 1.5, ""};
  report.telemetry = {cpu_telemetry(1200.0), cpu_telemetry(3400.5), cpu_telemetry(3400.0)};
  ShimRecord shim = sample_shim("good", false);
  shim.origin = "bundled";
  shim.description = {"good-cpu", "1.2", false, {64, 128}, {16}, true};
  shim.fingerprint.build_id = "beef";
  shim.fingerprint.dependencies = {
      {"libfa2core.so", "/shims/libfa2core.so", std::string(64, 'b'), ""},
      {"libc.so.6", "/lib/libc.so.6", "", "cafe"}};
  report.shims = {shim};

  WorkloadResult decode = sample_workload("decode");
  decode.workload.seed = 18446744073709551615ULL;
  decode.workload.stated_max_q_len = 1;
  decode.workload.stated_max_kv_len = 800;
  decode.plan.max_kv_len = 800;
  Run ok = sample_run("good", Status::ok, "");
  ok.verify = sample_verify();
  ok.first_call_us = 5000.0;
  for (const Mode mode : {Mode::cold, Mode::warm}) {
    ok.timings.push_back(
        make_timing(sample_samples(mode), decode.plan, report.device, report.ceilings));
  }
  decode.runs = {ok};
  WorkloadResult wide = sample_workload("wide heads");
  wide.runs = {sample_run("good", Status::unsupported, "head_dim 512: the shim describes 64, 128")};
  report.workloads = {decode, wide};
  return report;
}

Report cuda_report() {
  Report report = report_on(DeviceKind::cuda);
  report.command = {"ferrum-fa2-bench", "--config", "caf\xE9.json"};
  report.config_files = {"caf\xE9.json"};
  report.device.name = "Example GPU";
  report.device.uuid = "GPU-0123";
  report.device.index = 1;
  report.device.compute_capability = "9.0";
  report.device.driver = "580.1";
  report.device.cuda_driver = "13.0";
  report.device.processors = 132;
  report.device.l2 = mib(50);
  report.device.ecc = true;
  report.device.mig = false;
  report.device.persistence = true;
  report.device.power_limit_w = 700.0;
  report.device.max_sm_mhz = 1980.0;
  report.telemetry.before = gpu_telemetry(345.0, {"gpu_idle"});
  report.telemetry.ready = gpu_telemetry(1755.0, {"sw_power_cap", "bit_9"});
  report.quick_launch_us = 1.4375;
  report.unmet_requirement = "--require-clocks 1980±1%: the SM clock is 1755 MHz";
  report.ceilings = {4000.0, std::nullopt, "no matrix rate: cuBLASLt is not here"};
  report.shims = {sample_shim("old", true), sample_shim("new", true)};

  WorkloadResult decode = sample_workload("décode");
  Run ok = sample_run("old", Status::ok, "");
  ok.verify = sample_verify();
  ok.first_call_us = 5000.0;
  ok.launch_us = {1.375, 1.40625};
  ok.timings = {
      make_timing(sample_samples(Mode::cold), decode.plan, report.device, report.ceilings)};
  ok.timings[0].speed_of_light = kInfinity;
  ok.timings.push_back(make_timing(sample_step(), decode.plan, report.device, report.ceilings));
  ok.untimed = {{Mode::graph, Status::failed, "not capturable: capture: operation not permitted"}};
  ok.verify->constancy.graph = GraphReplay{"", 2, true, 1};
  ok.kernels = sample_kernels();
  Run wrong = sample_run("new", Status::wrong, "before timing: \xFF");
  wrong.verify = sample_verify();
  wrong.verify->ok = wrong.verify->out_ok = false;
  wrong.verify->non_finite = 128;
  wrong.verify->mistake = "reads slots past seq_len";
  wrong.verify->empty_rows = EmptyRows{1, EmptyOut::unwritten, EmptyLse::pos_inf};
  wrong.verify->constancy = {};
  wrong.verify->max_abs_err = wrong.verify->worst_share = kNan;
  wrong.verify->fault = sample_fault();
  decode.runs = {ok, wrong};
  decode.workload.gates = {{"cold_us_max", 99.5}, {"step_us_max", 150.0}, {"warm_us_max", 80.0}};
  WorkloadResult huge = sample_workload("huge");
  for (const char* label : {"old", "new"}) {
    huge.runs.push_back(sample_run(label, Status::does_not_fit, "needs 80.0 GiB of device memory"));
  }
  WorkloadResult late = sample_workload("late");
  for (const char* label : {"old", "new"}) {
    late.runs.push_back(sample_run(label, Status::not_run, "interrupted"));
  }
  report.workloads = {decode, huge, late};
  report.comparison = comparison_with_gaps();
  return report;
}

}  // namespace fa2bench::test
