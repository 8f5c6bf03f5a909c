// SPDX-License-Identifier: MIT
#include "result/kernel_json.hpp"
#include "result/read_parts.hpp"
#include "result/read_report.hpp"

namespace fa2bench {
namespace {

/// A summary is made from its samples again, so that it can never disagree with them.
Timing read_timing(const JsonReader& place) {
  Timing timing;
  timing.samples.mode = read_enum(place, "mode", CacheMode::warm);
  timing.samples.stop = read_enum(place, "stop", Stop::call_failed);
  timing.samples.gated = place.at("gated").boolean();
  timing.samples.host_blocking = place.at("host_blocking").boolean();
  timing.samples.wall_s = read_number(place, "sampling_s");
  timing.samples.warm_up_calls = read_count(place, "warm_up_calls");
  timing.samples.first_call_us = read_number(place, "first_call_us");
  timing.samples.device_us = read_numbers(place, "samples_us");
  timing.samples.host_us = read_numbers(place, "host_samples_us");
  if (timing.samples.device_us.empty()) place.at("samples_us").fail("at least one sample");
  if (timing.samples.host_us.size() != timing.samples.device_us.size()) {
    place.at("host_samples_us").fail("as many as samples_us");
  }
  timing.device = summarize(timing.samples.device_us);
  timing.host = summarize(timing.samples.host_us);
  timing.tb_per_s = read_optional_number(place, "tb_per_s");
  timing.tflop_per_s = read_optional_number(place, "tflop_per_s");
  timing.speed_of_light = read_optional_number(place, "speed_of_light");
  timing.limit = read_text(place, "limit");
  timing.cache_resident = place.at("cache_resident").boolean();
  return timing;
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
                     place.at("same_bits").boolean()};
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
  for (const JsonReader& timing : place.at("timings").elements()) {
    run.timings.push_back(read_timing(timing));
  }
  run.kernels = read_kernels(place);
  return run;
}

}  // namespace fa2bench
