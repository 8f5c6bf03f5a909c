// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "result/json_value.hpp"
#include "result/kernel_json.hpp"
#include "result/part_json.hpp"

namespace fa2bench {
namespace {

using Json = nlohmann::ordered_json;

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
          {"allocations", graph->allocations},
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

Json to_json(const Untimed& untimed) {
  return {{"mode", to_text(untimed.mode)},
          {"status", to_text(untimed.status)},
          {"reason", printable(untimed.reason)}};
}

}  // namespace

Json run_json(const Run& run, DeviceKind kind) {
  Json timings = Json::array();
  for (const Timing& timing : run.timings) timings.push_back(timing_json(timing, kind));
  Json untimed = Json::array();
  for (const Untimed& mode : run.untimed) untimed.push_back(to_json(mode));
  return {{"shim", printable(run.shim)},
          {"status", to_text(run.status)},
          {"reason", text_or_null(run.reason)},
          {"output", text_or_null(run.output)},
          {"verify", run.verify ? to_json(*run.verify) : Json(nullptr)},
          {"first_call_us", finite(run.first_call_us)},
          {"launch_us", run.launch_us},
          {"timings", std::move(timings)},
          {"untimed", std::move(untimed)},
          {"kernels", kernel_json(run.kernels)}};
}

}  // namespace fa2bench
