// SPDX-License-Identifier: MIT
#include "result/kernel_json.hpp"
#include "result/read_parts.hpp"
#include "result/read_report.hpp"

namespace fa2bench {
namespace {

Untimed read_untimed(const JsonReader& place) {
  return {read_enum(place, "mode", Mode::graph_warm), read_enum(place, "status", Status::not_run),
          place.at("reason").text()};
}

Fault read_fault(const JsonReader& place) {
  Fault fault;
  fault.tensor = place.at("tensor").text();
  fault.seq = read_int(place, "sequence");
  fault.token = read_int(place, "query_token");
  fault.head = read_int(place, "head");
  fault.column = read_int(place, "column");
  fault.expected = read_number(place, "expected");
  fault.actual = read_number(place, "actual");
  fault.tolerance = read_number(place, "tolerance");
  return fault;
}

std::optional<Repeats> read_repeats(const JsonReader& place) {
  if (is_null(place)) return std::nullopt;
  return Repeats{read_size(place, "calls"), place.at("same_out").boolean(),
                 place.at("same_lse").boolean(), read_number(place, "largest_difference")};
}

std::optional<GraphReplay> read_graph(const JsonReader& place) {
  if (is_null(place)) return std::nullopt;
  return GraphReplay{read_text(place, "obstacle"), read_int(place, "kernels"),
                     place.at("same_bits").boolean(),
                     read_optional_int(place, "allocations").value_or(0)};
}

EmptyRows read_empty_rows(const JsonReader& place) {
  return {read_size(place, "rows"), read_enum(place, "out", EmptyOut::mixed),
          read_enum(place, "lse", EmptyLse::mixed)};
}

VerifyReport read_verify(const JsonReader& place) {
  VerifyReport verify;
  verify.ok = place.at("ok").boolean();
  verify.mistake = read_text(place, "mistake");
  verify.rows = read_size(place, "rows");
  verify.rows_of = read_size(place, "rows_of");
  verify.out_ok = place.at("out_ok").boolean();
  verify.lse_ok = place.at("lse_ok").boolean();
  verify.guards_ok = place.at("guards_ok").boolean();
  verify.inputs_ok = place.at("inputs_ok").boolean();
  verify.unwritten = read_count(place, "unwritten");
  verify.non_finite = read_count(place, "non_finite");
  verify.max_abs_err = read_number(place, "max_abs_err");
  verify.tolerance = read_number(place, "tolerance");
  verify.worst_share = read_number(place, "worst_share");
  verify.worst_row_share = read_number(place, "worst_row_share");
  verify.f16_yardstick = read_number(place, "f16_yardstick_share");
  verify.lse_max_abs_err = read_number(place, "lse_max_abs_err");
  verify.lse_tolerance = read_number(place, "lse_tolerance");
  verify.lse_worst_share = read_number(place, "lse_worst_share");
  const JsonReader fault = place.at("fault");
  if (!is_null(fault)) verify.fault = read_fault(fault);
  const JsonReader empty_rows = place.at("empty_rows");
  if (!is_null(empty_rows)) verify.empty_rows = read_empty_rows(empty_rows);
  verify.constancy.repeats = read_repeats(place.at("repeats"));
  verify.constancy.other_pages = read_repeats(place.at("other_pages"));
  verify.constancy.timed_calls = read_repeats(place.at("timed_calls"));
  verify.constancy.graph = read_graph(place.at("graph"));
  return verify;
}

}  // namespace

Run read_run(const JsonReader& place) {
  Run run;
  run.shim = place.at("shim").text();
  run.status = read_enum(place, "status", Status::not_run);
  run.reason = read_text(place, "reason");
  run.output = read_text(place, "output");
  const JsonReader verify = place.at("verify");
  if (!is_null(verify)) run.verify = read_verify(verify);
  run.first_call_us = read_number(place, "first_call_us");
  if (place.find("launch_us")) run.launch_us = read_times(place, "launch_us");
  for (const JsonReader& mode : place.at("untimed").elements()) {
    run.untimed.push_back(read_untimed(mode));
  }
  for (const JsonReader& timing : place.at("timings").elements()) {
    run.timings.push_back(read_timing(timing));
  }
  run.kernels = read_kernels(place);
  return run;
}

}  // namespace fa2bench
