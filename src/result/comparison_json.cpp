// SPDX-License-Identifier: MIT
#include "result/comparison_json.hpp"

#include <utility>

#include "result/json_text.hpp"
#include "result/json_value.hpp"
#include "result/read_parts.hpp"

namespace fa2bench {
namespace {

using Json = nlohmann::ordered_json;

Json texts_json(const std::vector<std::string>& texts) {
  Json json = Json::array();
  for (const std::string& text : texts) json.push_back(printable(text));
  return json;
}

Json to_json(const std::optional<Interval>& interval) {
  if (!interval) return nullptr;
  return Json::array({finite(interval->low), finite(interval->high)});
}

Json to_json(const Comparison& row) {
  return {{"workload", printable(row.workload)},
          {"workload_id", row.workload_id},
          {"mode", to_text(row.mode)},
          {"baseline", printable(row.baseline)},
          {"candidate", printable(row.candidate)},
          {"baseline_status", to_text(row.baseline_status)},
          {"candidate_status", to_text(row.candidate_status)},
          {"baseline_us", finite(row.baseline_us)},
          {"candidate_us", finite(row.candidate_us)},
          {"ratio", finite(row.ratio)},
          {"interval", to_json(row.interval)},
          {"p_value", finite(row.p_value)},
          {"floor", finite(row.floor)},
          {"processes", row.processes},
          {"placements", row.placements},
          {"verdict", to_text(row.verdict)},
          {"reason", text_or_null(row.reason)}};
}

Json to_json(const OutputDifference& outputs) {
  return {{"workload", printable(outputs.workload)},
          {"workload_id", outputs.workload_id},
          {"candidate", printable(outputs.candidate)},
          {"same_out", outputs.same_out},
          {"same_lse", outputs.same_lse},
          {"largest_out_difference", finite(outputs.largest_out)},
          {"largest_lse_difference", finite(outputs.largest_lse)},
          {"same_empty_rows", outputs.same_empty_rows},
          {"obstacle", text_or_null(outputs.obstacle)}};
}

Json to_json(const std::optional<MemorySharing>& memory) {
  if (!memory) return nullptr;
  return {{"shared", memory->shared}, {"obstacle", text_or_null(memory->obstacle)}};
}

Json to_json(const Leftover& leftover) {
  return {{"side", printable(leftover.side)},
          {"workload", printable(leftover.workload)},
          {"workload_id", leftover.workload_id},
          {"mode", leftover.mode ? Json(to_text(*leftover.mode)) : Json(nullptr)}};
}

template <typename Value>
Json list_json(const std::vector<Value>& values) {
  Json json = Json::array();
  for (const Value& value : values) json.push_back(to_json(value));
  return json;
}

Json report_json(const ComparisonReport& report) {
  return {{"rules",
           {{"min_effect", finite(report.rules.min_effect)},
            {"confidence", finite(report.rules.confidence)}}},
          {"interleaved", report.interleaved},
          {"baseline", printable(report.baseline)},
          {"candidates", texts_json(report.candidates)},
          {"memory", to_json(report.memory)},
          {"rows", list_json(report.rows)},
          {"outputs", list_json(report.outputs)},
          {"leftovers", list_json(report.leftovers)},
          {"incomplete", texts_json(report.incomplete)},
          {"notes", texts_json(report.notes)}};
}

std::optional<Interval> read_interval(const JsonReader& place) {
  if (is_null(place)) return std::nullopt;
  const JsonElements ends = place.elements();
  constexpr double kMax = std::numeric_limits<double>::max();
  if (ends.size() != 2) place.fail("two ratios");
  const Interval interval{ends[0].number(0.0, kMax), ends[1].number(0.0, kMax)};
  if (interval.low > interval.high) place.fail("the lower end first");
  return interval;
}

/// Older builds did not tell.
Status read_status(const JsonReader& place, std::string_view key) {
  return place.find(key) ? read_enum(place, key, Status::not_run) : Status::ok;
}

Comparison read_row(const JsonReader& place) {
  Comparison row;
  row.workload = place.at("workload").text();
  row.workload_id = place.at("workload_id").text();
  row.mode = read_enum(place, "mode", Mode::graph_warm);
  row.baseline = place.at("baseline").text();
  row.candidate = place.at("candidate").text();
  row.baseline_status = read_status(place, "baseline_status");
  row.candidate_status = read_status(place, "candidate_status");
  row.baseline_us = read_optional_number(place, "baseline_us");
  row.candidate_us = read_optional_number(place, "candidate_us");
  row.ratio = read_optional_number(place, "ratio");
  row.interval = read_interval(place.at("interval"));
  row.p_value = read_optional_number(place, "p_value");
  row.floor = read_number(place, "floor");
  row.processes = read_count(place, "processes");
  row.placements = read_count(place, "placements");
  row.verdict = read_enum(place, "verdict", Verdict::inconclusive);
  row.reason = read_text(place, "reason");
  return row;
}

OutputDifference read_outputs(const JsonReader& place) {
  OutputDifference outputs;
  outputs.workload = place.at("workload").text();
  outputs.workload_id = place.at("workload_id").text();
  outputs.candidate = place.at("candidate").text();
  outputs.same_out = place.at("same_out").boolean();
  outputs.same_lse = place.at("same_lse").boolean();
  outputs.largest_out = read_number(place, "largest_out_difference");
  outputs.largest_lse = read_number(place, "largest_lse_difference");
  outputs.same_empty_rows = place.at("same_empty_rows").boolean();
  outputs.obstacle = read_text(place, "obstacle");
  return outputs;
}

Leftover read_leftover(const JsonReader& place) {
  Leftover leftover{
      place.at("side").text(), place.at("workload").text(), place.at("workload_id").text(), {}};
  if (!is_null(place.at("mode"))) leftover.mode = read_enum(place, "mode", Mode::graph_warm);
  return leftover;
}

ComparisonReport read_parts(const JsonReader& place) {
  ComparisonReport report;
  const JsonReader rules = place.at("rules");
  report.rules.min_effect = rules.at("min_effect").number(0.0, 1.0);
  report.rules.confidence = rules.at("confidence").number(0.0, 1.0);
  report.interleaved = place.at("interleaved").boolean();
  report.baseline = place.at("baseline").text();
  report.candidates = read_texts(place, "candidates");
  if (const JsonReader memory = place.at("memory"); !is_null(memory)) {
    report.memory = {memory.at("shared").boolean(), read_text(memory, "obstacle")};
  }
  for (const JsonReader& row : place.at("rows").elements()) report.rows.push_back(read_row(row));
  for (const JsonReader& outputs : place.at("outputs").elements()) {
    report.outputs.push_back(read_outputs(outputs));
  }
  for (const JsonReader& leftover : place.at("leftovers").elements()) {
    report.leftovers.push_back(read_leftover(leftover));
  }
  if (place.find("incomplete")) report.incomplete = read_texts(place, "incomplete");
  report.notes = read_texts(place, "notes");
  return report;
}

}  // namespace

Json comparison_json(const std::optional<ComparisonReport>& report) {
  return report ? report_json(*report) : Json(nullptr);
}

std::string comparison_file(const ComparisonReport& report) {
  Json json = {{"schema", kComparisonSchema}};
  json.update(report_json(report));
  return pretty_json(json);
}

std::optional<ComparisonReport> read_comparison(const JsonReader& parent) {
  const auto place = parent.find("comparison");
  return !place || is_null(*place) ? std::nullopt : std::optional(read_parts(*place));
}

ComparisonReport read_comparison_file(const JsonDocument& document) {
  const JsonReader root(document);
  (void)root.at("schema").one_of({kComparisonSchema});
  return read_parts(root);
}

}  // namespace fa2bench
