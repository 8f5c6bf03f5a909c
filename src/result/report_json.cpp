// SPDX-License-Identifier: MIT
#include "result/report_json.hpp"

#include <nlohmann/json.hpp>

#include "result/comparison_json.hpp"
#include "result/gates_json.hpp"
#include "result/json_text.hpp"
#include "result/json_value.hpp"
#include "result/part_json.hpp"

namespace fa2bench {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const BuildInfo& tool) {
  return {{"name", "ferrum-fa2-bench"}, {"version", tool.version},       {"git", tool.git},
          {"compiler", tool.compiler},  {"build_type", tool.build_type}, {"cuda", tool.cuda},
          {"nvtx", tool.nvtx}};
}

Json to_json(const HostFacts& host) {
  return {{"hostname", text_or_null(host.hostname)},
          {"system", text_or_null(host.system)},
          {"kernel", text_or_null(host.kernel)},
          {"cpu", text_or_null(host.cpu)},
          {"logical_cpus", host.logical_cpus},
          {"memory_bytes", host.memory.count},
          {"cpu_governor", text_or_null(host.cpu_governor)},
          {"load_average", finite(host.load_average)}};
}

Json shape_json(const Workload& workload, const Plan& plan) {
  return {{"num_heads", workload.shape.num_heads},
          {"num_kv_heads", workload.shape.num_kv_heads},
          {"head_dim", workload.shape.head_dim},
          {"block_size", workload.shape.block_size},
          {"num_seqs", plan.num_seqs},
          {"total_q_tokens", plan.total_q_tokens},
          {"total_kv_tokens", plan.total_kv_tokens},
          {"max_q_len", plan.max_q_len},
          {"max_kv_len", plan.max_kv_len},
          {"stated_max_q_len", int_or_null(workload.stated_max_q_len)},
          {"stated_max_kv_len", int_or_null(workload.stated_max_kv_len)},
          {"max_blocks_per_seq", plan.max_blocks_per_seq},
          {"num_blocks", plan.num_blocks},
          {"live_blocks", plan.live_blocks},
          {"layers", workload.layers > 0 ? Json(workload.layers) : Json(nullptr)}};
}

Json data_json(const WorkloadResult& result) {
  const Workload& workload = result.workload;
  return {{"recipe", printable(result.recipe)},
          {"seed", std::to_string(workload.seed)},  // a string: JSON readers lose 64-bit integers
          {"layout", to_text(workload.table.layout)},
          {"unused_entries", to_text(workload.table.unused)},
          {"unused_slots", "nan"}};
}

Json workload_json(const Report& report, const WorkloadResult& result) {
  Json runs = Json::array();
  for (const Run& run : result.runs) runs.push_back(run_json(run, report.device.kind));
  return {{"name", printable(result.workload.name)},
          {"id", result.workload.id},
          {"shape", shape_json(result.workload, result.plan)},
          {"data", data_json(result)},
          {"cost",
           {{"flops", finite(result.plan.cost.flops)},
            {"bytes_unique", result.plan.cost.bytes_unique.count},
            {"bytes_logical", result.plan.cost.bytes_logical.count}}},
          {"require", gates_json(result.workload.gates)},
          {"missed", missed_json(report, result)},
          {"runs", std::move(runs)}};
}

}  // namespace

Json device_json(const DeviceFacts& device) {
  const bool cuda = device.kind == DeviceKind::cuda;
  return {{"kind", cuda ? "cuda" : "cpu"},
          {"name", printable(device.name)},
          {"uuid", text_or_null(device.uuid)},
          {"index", device.index},
          {"compute_capability", text_or_null(device.compute_capability)},
          {"driver", text_or_null(device.driver)},
          {"cuda_driver", text_or_null(device.cuda_driver)},
          {"processors", device.processors},
          {"l2_bytes", device.l2.count},
          {"memory_bytes", device.memory.count},
          {"ecc", bool_or_null(device.ecc)},
          {"mig", bool_or_null(device.mig)},
          {"persistence_mode", bool_or_null(device.persistence)},
          {"power_limit_w", finite(device.power_limit_w)},
          {"max_sm_mhz", finite(device.max_sm_mhz)}};
}

Json ceilings_json(const Ceilings& ceilings) {
  return {{"read_gb_per_s", finite(ceilings.read_gb_per_s)},
          {"matrix_tflop_per_s", finite(ceilings.matrix_tflop_per_s)},
          {"note", text_or_null(ceilings.note)}};
}

Json limits_json(const SamplingLimits& limits) {
  return {{"time_limit_s", finite(limits.time_limit.count())},
          {"least_time_s", finite(limits.least_time.count())},
          {"precision", finite(limits.precision)},
          {"min_trials", limits.min_trials},
          {"max_trials", limits.max_trials},
          {"min_samples", limits.min_samples},
          {"max_samples", limits.max_samples},
          {"trial_time_s", finite(limits.trial_time.count())},
          {"duty", finite(limits.duty)},
          {"processes", limits.processes}};
}

Json shim_json(const ShimRecord& shim) {
  Json dependencies = Json::array();
  for (const MappedLibrary& library : shim.fingerprint.dependencies) {
    dependencies.push_back({{"name", printable(library.name)},
                            {"path", printable(library.real_path.string())},
                            {"sha256", text_or_null(library.sha256)},
                            {"build_id", text_or_null(library.build_id)}});
  }
  return {{"label", printable(shim.label)},
          {"path", printable(shim.path)},
          {"real_path", printable(shim.fingerprint.real_path.string())},
          {"origin", shim.origin},
          {"error", text_or_null(shim.error)},
          {"sha256", text_or_null(shim.fingerprint.sha256)},
          {"size_bytes", shim.fingerprint.size_bytes},
          {"build_id", text_or_null(shim.fingerprint.build_id)},
          {"describe",
           {{"described", shim.description.described},
            {"name", text_or_null(shim.description.name)},
            {"version", text_or_null(shim.description.version)},
            {"memory", shim.description.device_memory ? "device" : "host"},
            {"head_dims", shim.description.head_dims},
            {"block_sizes", shim.description.block_sizes}}},
          {"dependencies", std::move(dependencies)}};
}

std::string report_json(const Report& report) {
  Json shims = Json::array();
  for (const ShimRecord& shim : report.shims) shims.push_back(shim_json(shim));
  Json workloads = Json::array();
  for (const WorkloadResult& result : report.workloads) {
    workloads.push_back(workload_json(report, result));
  }
  Json command = Json::array();
  for (const std::string& word : report.command) command.push_back(printable(word));
  Json files = Json::array();
  for (const std::string& file : report.config_files) files.push_back(printable(file));
  const Json json = {{"schema", kResultSchema},
                     {"complete", report.complete},
                     {"started", report.started},
                     {"finished", text_or_null(report.finished)},
                     {"command", std::move(command)},
                     {"tool", to_json(report.tool)},
                     {"environment",
                      {{"host", to_json(report.host)},
                       {"device", device_json(report.device)},
                       {"ceilings", ceilings_json(report.ceilings)},
                       {"telemetry", run_telemetry_json(report.telemetry)},
                       {"quick_launch_us", finite(report.quick_launch_us)},
                       {"unmet_requirement", text_or_null(report.unmet_requirement)}}},
                     {"config", {{"files", std::move(files)}, {"sha256", report.config_sha256}}},
                     {"limits", limits_json(report.limits)},
                     {"profiler", text_or_null(report.profiler)},
                     {"shims", std::move(shims)},
                     {"workloads", std::move(workloads)},
                     {"comparison", comparison_json(report.comparison)}};
  return pretty_json(json);
}

}  // namespace fa2bench
