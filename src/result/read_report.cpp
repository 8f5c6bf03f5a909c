// SPDX-License-Identifier: MIT
#include "result/read_report.hpp"

#include "result/comparison_json.hpp"
#include "result/gates_json.hpp"
#include "result/read_parts.hpp"
#include "result/report_json.hpp"

namespace fa2bench {
namespace {

BuildInfo read_tool(const JsonReader& place) {
  return {read_text(place, "version"),    read_text(place, "git"),  read_text(place, "compiler"),
          read_text(place, "build_type"), read_text(place, "cuda"), read_text(place, "nvtx")};
}

HostFacts read_host(const JsonReader& place) {
  HostFacts host{read_text(place, "hostname"),
                 read_text(place, "system"),
                 read_text(place, "kernel"),
                 read_text(place, "cpu"),
                 read_int(place, "logical_cpus"),
                 {read_count(place, "memory_bytes")},
                 "",
                 {}};
  if (place.find("cpu_governor")) {  // results of older builds lack what follows
    host.cpu_governor = read_text(place, "cpu_governor");
    host.load_average = read_optional_number(place, "load_average");
  }
  return host;
}

WorkloadResult read_workload(const JsonReader& place) {
  WorkloadResult result;
  result.workload.name = place.at("name").text();
  result.workload.id = place.at("id").text();
  const JsonReader shape = place.at("shape");
  result.workload.shape = {read_int(shape, "num_heads"), read_int(shape, "num_kv_heads"),
                           read_int(shape, "head_dim"), read_int(shape, "block_size")};
  result.workload.stated_max_q_len = read_optional_int(shape, "stated_max_q_len");
  result.workload.stated_max_kv_len = read_optional_int(shape, "stated_max_kv_len");
  result.workload.layers = read_optional_int(shape, "layers").value_or(0);
  Plan& plan = result.plan;
  plan.num_seqs = read_size(shape, "num_seqs");
  plan.total_q_tokens = read_size(shape, "total_q_tokens");
  plan.total_kv_tokens = read_size(shape, "total_kv_tokens");
  plan.max_q_len = read_size(shape, "max_q_len");
  plan.max_kv_len = read_size(shape, "max_kv_len");
  plan.max_blocks_per_seq = read_size(shape, "max_blocks_per_seq");
  plan.num_blocks = read_size(shape, "num_blocks");
  plan.live_blocks = read_size(shape, "live_blocks");
  const JsonReader data = place.at("data");
  result.recipe = data.at("recipe").text();
  result.workload.seed = data.at("seed").unsigned64();
  result.workload.table.layout = read_enum(data, "layout", TableLayout::rows);
  result.workload.table.unused = read_enum(data, "unused_entries", UnusedEntries::poison_block);
  const JsonReader cost = place.at("cost");
  plan.cost.flops = read_number(cost, "flops");
  plan.cost.bytes_unique = {read_count(cost, "bytes_unique")};
  plan.cost.bytes_logical = {read_count(cost, "bytes_logical")};
  result.workload.gates = read_gates(place);
  for (const JsonReader& run : place.at("runs").elements()) result.runs.push_back(read_run(run));
  return result;
}

}  // namespace

SamplingLimits read_limits(const JsonReader& place) {
  SamplingLimits limits;
  limits.time_limit = Seconds(place.at("time_limit_s").number(0.0, 1e9));
  limits.least_time = Seconds(place.at("least_time_s").number(0.0, 1e9));
  limits.precision = place.at("precision").number(0.0, 1.0);
  limits.min_trials = read_count(place, "min_trials");
  limits.max_trials = read_count(place, "max_trials");
  limits.min_samples = read_count(place, "min_samples");
  limits.max_samples = read_count(place, "max_samples");
  limits.trial_time = Seconds(place.at("trial_time_s").number(0.0, 1e9));
  limits.duty = place.at("duty").number(0.0, 1.0);
  limits.processes = static_cast<int>(place.at("processes").integer(1, INT32_MAX));
  return limits;
}

DeviceFacts read_device(const JsonReader& place) {
  DeviceFacts device;
  const bool cuda = place.at("kind").one_of({"cpu", "cuda"}) == 1;
  device.kind = cuda ? DeviceKind::cuda : DeviceKind::host;
  device.index = read_int(place, "index");
  device.name = place.at("name").text();
  device.uuid = read_text(place, "uuid");
  device.compute_capability = read_text(place, "compute_capability");
  device.driver = read_text(place, "driver");
  device.cuda_driver = read_text(place, "cuda_driver");
  device.processors = read_int(place, "processors");
  device.l2 = {read_count(place, "l2_bytes")};
  device.memory = {read_count(place, "memory_bytes")};
  if (place.find("ecc")) {  // results of older builds lack what follows
    device.ecc = read_optional_bool(place, "ecc");
    device.mig = read_optional_bool(place, "mig");
    device.persistence = read_optional_bool(place, "persistence_mode");
    device.power_limit_w = read_optional_number(place, "power_limit_w");
    device.max_sm_mhz = read_optional_number(place, "max_sm_mhz");
  }
  return device;
}

Ceilings read_ceilings(const JsonReader& place) {
  return {read_optional_number(place, "read_gb_per_s"),
          read_optional_number(place, "matrix_tflop_per_s"), read_text(place, "note")};
}

ShimRecord read_shim(const JsonReader& place) {
  ShimRecord shim;
  shim.label = place.at("label").text();
  shim.path = place.at("path").text();
  shim.origin = place.at("origin").text();
  shim.error = read_text(place, "error");
  shim.fingerprint.real_path = place.at("real_path").text();
  shim.fingerprint.sha256 = read_text(place, "sha256");
  shim.fingerprint.size_bytes = read_count(place, "size_bytes");
  shim.fingerprint.build_id = read_text(place, "build_id");
  for (const JsonReader& library : place.at("dependencies").elements()) {
    shim.fingerprint.dependencies.push_back({library.at("name").text(), library.at("path").text(),
                                             read_text(library, "sha256"),
                                             read_text(library, "build_id")});
  }
  const JsonReader describe = place.at("describe");
  shim.description.described = describe.at("described").boolean();
  shim.description.name = read_text(describe, "name");
  shim.description.version = read_text(describe, "version");
  shim.description.device_memory = describe.at("memory").one_of({"host", "device"}) == 1;
  const auto ints = [&](const char* key) {
    std::vector<int> values;
    for (const JsonReader& element : describe.at(key).elements()) {
      values.push_back(static_cast<int>(element.integer(0, INT32_MAX)));
    }
    return values;
  };
  shim.description.head_dims = ints("head_dims");
  shim.description.block_sizes = ints("block_sizes");
  return shim;
}

Report read_report(const JsonDocument& document) {
  const JsonReader root(document);
  (void)root.at("schema").one_of({kResultSchema});
  Report report;
  report.complete = root.at("complete").boolean();
  report.started = root.at("started").text();
  report.finished = read_text(root, "finished");
  report.command = read_texts(root, "command");
  report.tool = read_tool(root.at("tool"));
  const JsonReader environment = root.at("environment");
  report.host = read_host(environment.at("host"));
  report.device = read_device(environment.at("device"));
  report.ceilings = read_ceilings(environment.at("ceilings"));
  report.telemetry = read_run_telemetry(environment);
  if (environment.find("quick_launch_us")) {
    report.quick_launch_us = read_optional_number(environment, "quick_launch_us");
  }
  if (environment.find("unmet_requirement")) {
    report.unmet_requirement = read_text(environment, "unmet_requirement");
  }
  report.config_files = read_texts(root.at("config"), "files");
  report.config_sha256 = root.at("config").at("sha256").text();
  report.limits = read_limits(root.at("limits"));
  if (root.find("profiler")) report.profiler = read_text(root, "profiler");
  for (const JsonReader& shim : root.at("shims").elements()) {
    report.shims.push_back(read_shim(shim));
  }
  for (const JsonReader& workload : root.at("workloads").elements()) {
    report.workloads.push_back(read_workload(workload));
  }
  report.comparison = read_comparison(root);
  return report;
}

}  // namespace fa2bench
