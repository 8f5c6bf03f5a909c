// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "result/json_value.hpp"
#include "result/kernel_json.hpp"
#include "result/part_json.hpp"

namespace fa2bench {
namespace {

using Json = nlohmann::ordered_json;

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

Json to_json(const std::optional<Repeats>& repeats) {
  if (!repeats) return nullptr;
  return {{"calls", repeats->calls},
          {"same_out", repeats->same_out},
          {"same_lse", repeats->same_lse},
          {"largest_difference", finite(repeats->largest_difference)}};
}

Json to_json(const std::optional<GraphReplay>& graph) {
  if (!graph) return nullptr;
  return {{"obstacle", text_or_null(graph->obstacle)},
          {"kernels", graph->kernels},
          {"same_bits", graph->same_bits}};
}

Json to_json(const EmptyRows& empty) {
  return {{"rows", empty.rows}, {"out", to_text(empty.out)}, {"lse", to_text(empty.lse)}};
}

Json to_json(const VerifyReport& verify) {
  const auto compared = [&](double value) { return verify.rows > 0 ? finite(value) : nullptr; };
  Json fault = nullptr;
  if (verify.fault) {
    const Fault& f = *verify.fault;
    fault = {{"tensor", f.tensor},         {"sequence", f.seq},
             {"query_token", f.token},     {"head", f.head},
             {"column", f.column},         {"expected", finite(f.expected)},
             {"actual", finite(f.actual)}, {"tolerance", finite(f.tolerance)}};
  }
  return {{"ok", verify.ok},
          {"mistake", text_or_null(verify.mistake)},
          {"rows", verify.rows},
          {"rows_of", verify.rows_of},
          {"out_ok", verify.out_ok},
          {"lse_ok", verify.lse_ok},
          {"guards_ok", verify.guards_ok},
          {"inputs_ok", verify.inputs_ok},
          {"unwritten", verify.unwritten},
          {"non_finite", verify.non_finite},
          {"max_abs_err", compared(verify.max_abs_err)},
          {"tolerance", compared(verify.tolerance)},
          {"worst_share", compared(verify.worst_share)},
          {"worst_row_share", compared(verify.worst_row_share)},
          {"f16_yardstick_share", compared(verify.f16_yardstick)},
          {"lse_max_abs_err", compared(verify.lse_max_abs_err)},
          {"lse_tolerance", compared(verify.lse_tolerance)},
          {"lse_worst_share", compared(verify.lse_worst_share)},
          {"fault", std::move(fault)},
          {"empty_rows", verify.empty_rows ? to_json(*verify.empty_rows) : Json(nullptr)},
          {"repeats", to_json(verify.constancy.repeats)},
          {"other_pages", to_json(verify.constancy.other_pages)},
          {"timed_calls", to_json(verify.constancy.timed_calls)},
          {"graph", to_json(verify.constancy.graph)}};
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
          {"gated", timing.samples.gated},
          {"host_blocking", timing.samples.host_blocking},
          {"stop", to_text(timing.samples.stop)},
          {"sampling_s", finite(timing.samples.wall_s)},
          {"warm_up_calls", timing.samples.warm_up_calls},
          {"first_call_us", finite(timing.samples.first_call_us)},
          {"samples_us", std::move(samples)},
          {"host_samples_us", std::move(host_samples)}};
}

}  // namespace

Json run_json(const Run& run, DeviceKind kind) {
  Json timings = Json::array();
  for (const Timing& timing : run.timings) timings.push_back(to_json(timing, kind));
  return {{"shim", printable(run.shim)},
          {"status", to_text(run.status)},
          {"reason", text_or_null(run.reason)},
          {"output", text_or_null(run.output)},
          {"verify", run.verify ? to_json(*run.verify) : Json(nullptr)},
          {"timings", std::move(timings)},
          {"kernels", kernel_json(run.kernels)}};
}

}  // namespace fa2bench
