// SPDX-License-Identifier: MIT
#include "result/report_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "result/json_text.hpp"

namespace fa2bench {
namespace {

using Json = nlohmann::ordered_json;

/// null instead of NaN and infinity, which JSON does not have.
Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json finite(std::optional<double> value) { return value ? finite(*value) : Json(nullptr); }
Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(printable(text));
}

Json to_json(const BuildInfo& tool) {
  return {{"name", "ferrum-fa2-bench"}, {"version", tool.version},       {"git", tool.git},
          {"compiler", tool.compiler},  {"build_type", tool.build_type}, {"cuda", tool.cuda},
          {"nvtx", tool.nvtx}};
}

Json to_json(const HostFacts& host) {
  return {{"hostname", text_or_null(host.hostname)}, {"system", text_or_null(host.system)},
          {"kernel", text_or_null(host.kernel)},     {"cpu", text_or_null(host.cpu)},
          {"logical_cpus", host.logical_cpus},       {"memory_bytes", host.memory.count}};
}

Json to_json(const DeviceFacts& device) {
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
          {"memory_bytes", device.memory.count}};
}

Json to_json(const Ceilings& ceilings) {
  return {{"read_gb_per_s", finite(ceilings.read_gb_per_s)},
          {"matrix_tflop_per_s", finite(ceilings.matrix_tflop_per_s)},
          {"note", text_or_null(ceilings.note)}};
}

Json to_json(const ShimRecord& shim) {
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
          {"sha256", shim.fingerprint.sha256},
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

Json summary_json(const Summary& summary) {
  Json interval = nullptr;
  if (summary.median_interval) {
    interval = {summary.median_interval->low, summary.median_interval->high};
  }
  return {{"median", finite(summary.median)}, {"ci95", std::move(interval)},
          {"min", finite(summary.min)},       {"max", finite(summary.max)},
          {"mean", finite(summary.mean)},     {"p95", finite(summary.p95)},
          {"p99", finite(summary.p99)},       {"mad", finite(summary.mad)}};
}

Json to_json(const VerifyReport& verify) {
  Json fault = nullptr;
  if (verify.fault) {
    const Fault& f = *verify.fault;
    fault = {{"tensor", f.tensor},         {"sequence", f.seq},
             {"query_token", f.token},     {"head", f.head},
             {"column", f.column},         {"expected", finite(f.expected)},
             {"actual", finite(f.actual)}, {"tolerance", finite(f.tolerance)}};
  }
  return {{"ok", verify.ok},
          {"rows", verify.rows},
          {"rows_of", verify.rows_of},
          {"out_ok", verify.out_ok},
          {"lse_ok", verify.lse_ok},
          {"guards_ok", verify.guards_ok},
          {"inputs_ok", verify.inputs_ok},
          {"unwritten", verify.unwritten},
          {"non_finite", verify.non_finite},
          {"max_abs_err", finite(verify.max_abs_err)},
          {"tolerance", finite(verify.tolerance)},
          {"worst_share", finite(verify.worst_share)},
          {"worst_row_share", finite(verify.worst_row_share)},
          {"f16_yardstick_share", finite(verify.f16_yardstick)},
          {"lse_max_abs_err", finite(verify.lse_max_abs_err)},
          {"lse_tolerance", finite(verify.lse_tolerance)},
          {"lse_worst_share", finite(verify.lse_worst_share)},
          {"fault", std::move(fault)}};
}

Json to_json(const Timing& timing, DeviceKind kind) {
  Json samples = Json::array();
  for (const double sample : timing.samples.device_us) samples.push_back(finite(sample));
  Json host_samples = Json::array();
  for (const double sample : timing.samples.host_us) host_samples.push_back(finite(sample));
  return {{"mode", to_text(timing.samples.mode)},
          {kind == DeviceKind::cuda ? "gpu_us" : "cpu_us", summary_json(timing.device)},
          {"host_us", summary_json(timing.host)},
          {"tb_per_s", finite(timing.tb_per_s)},
          {"tflop_per_s", finite(timing.tflop_per_s)},
          {"speed_of_light", finite(timing.speed_of_light)},
          {"limit", text_or_null(timing.limit)},
          {"cache_resident", timing.cache_resident},
          {"stop", to_text(timing.samples.stop)},
          {"sampling_s", finite(timing.samples.wall_s)},
          {"warm_up_calls", timing.samples.warm_up_calls},
          {"first_call_us", finite(timing.samples.first_call_us)},
          {"samples_us", std::move(samples)},
          {"host_samples_us", std::move(host_samples)}};
}

Json to_json(const Run& run, DeviceKind kind) {
  Json timings = Json::array();
  for (const Timing& timing : run.timings) timings.push_back(to_json(timing, kind));
  return {{"shim", printable(run.shim)},
          {"status", to_text(run.status)},
          {"reason", text_or_null(run.reason)},
          {"verify", run.verify ? to_json(*run.verify) : Json(nullptr)},
          {"timings", std::move(timings)}};
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
          {"max_blocks_per_seq", plan.max_blocks_per_seq},
          {"num_blocks", plan.num_blocks},
          {"live_blocks", plan.live_blocks}};
}

Json data_json(const Workload& workload) {
  return {{"recipe", kDataRecipe},
          {"seed", std::to_string(workload.seed)},  // a string: JSON readers lose 64-bit integers
          {"layout", to_text(workload.table.layout)},
          {"unused_entries", to_text(workload.table.unused)},
          {"unused_slots", "nan"}};
}

Json to_json(const WorkloadResult& result, DeviceKind kind) {
  Json runs = Json::array();
  for (const Run& run : result.runs) runs.push_back(to_json(run, kind));
  return {{"name", printable(result.workload.name)},
          {"id", result.workload.id},
          {"shape", shape_json(result.workload, result.plan)},
          {"data", data_json(result.workload)},
          {"cost",
           {{"flops", finite(result.plan.cost.flops)},
            {"bytes_unique", result.plan.cost.bytes_unique.count},
            {"bytes_logical", result.plan.cost.bytes_logical.count}}},
          {"runs", std::move(runs)}};
}

}  // namespace

std::string report_json(const Report& report) {
  Json shims = Json::array();
  for (const ShimRecord& shim : report.shims) shims.push_back(to_json(shim));
  Json workloads = Json::array();
  for (const WorkloadResult& result : report.workloads) {
    workloads.push_back(to_json(result, report.device.kind));
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
                       {"device", to_json(report.device)},
                       {"ceilings", to_json(report.ceilings)}}},
                     {"config", {{"files", std::move(files)}, {"sha256", report.config_sha256}}},
                     {"limits",
                      {{"time_limit_s", finite(report.limits.time_limit.count())},
                       {"precision", finite(report.limits.precision)},
                       {"min_samples", report.limits.min_samples},
                       {"max_samples", report.limits.max_samples}}},
                     {"shims", std::move(shims)},
                     {"workloads", std::move(workloads)}};
  return pretty_json(json);
}

}  // namespace fa2bench
