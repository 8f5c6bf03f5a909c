// SPDX-License-Identifier: MIT
#include "worker/messages.hpp"

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "result/json_value.hpp"
#include "result/part_json.hpp"
#include "result/read_parts.hpp"
#include "result/read_report.hpp"
#include "workload/config.hpp"
#include "workload/config_writer.hpp"

namespace fa2bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kDocument = "a worker's message";

Json texts_json(const std::vector<std::string>& texts) {
  Json json = Json::array();
  for (const std::string& text : texts) json.push_back(text);
  return json;
}

Json to_json(const Open& open) {
  return {{"type", "open"},
          {"device", open.device},
          {"shims", texts_json(open.shims)},
          {"index", open.index},
          {"measure_ceilings", open.measure_ceilings},
          {"again", open.again},
          {"measure_launch", open.measure_launch},
          {"most_launch_us", finite(open.most_launch_us)}};
}

Json size_json(const std::optional<Bytes>& size) {
  return size ? Json(size->count) : Json(nullptr);
}

Json memory_json(const std::optional<SharedPool>& pool) {
  if (!pool) return nullptr;
  return {{"handles", texts_json(pool->handles)},
          {"layer_bytes", pool->layer_size.count},
          {"tag", pool->tag}};
}

Json sharing_json(const std::optional<MemorySharing>& sharing) {
  if (!sharing) return nullptr;
  return {{"shared", sharing->shared}, {"obstacle", printable(sharing->obstacle)}};
}

Json outputs_json(const std::optional<OutputFile>& outputs) {
  if (!outputs) return nullptr;
  return {{"path", outputs->path}, {"write", outputs->write}};
}

Json to_json(const RunRequest& request) {
  Json modes = Json::array();
  for (const Mode mode : request.modes) modes.push_back(to_text(mode));
  return {{"type", "run"},
          {"config", write_config(request.workload)},
          {"modes", std::move(modes)},
          {"limits", limits_json(request.limits)},
          {"check_graph", request.check_graph},
          {"trace_kernels", request.trace_kernels},
          {"profile", request.profile},
          {"in_turns", request.in_turns},
          {"reference_budget", request.reference_budget},
          {"memory", memory_json(request.memory)},
          {"outputs", outputs_json(request.outputs)},
          {"room_bytes", size_json(request.room)}};
}

Json to_json(const Turn& turn) {
  return {{"type", "turn"},
          {"placement", turn.placement},
          {"samples", turn.samples},
          {"warm_up_calls", turn.warm_up_calls},
          {"at_most_s", turn.at_most.count()},
          {"filled", turn.filled}};
}

Json to_json(const TurnsOver& over) {
  return {{"type", "turns_over"}, {"stop", to_text(over.stop)}};
}

Json to_json(const Took& took) {
  return {{"type", "took"},
          {"mode", to_text(took.mode)},
          {"device_us", took.device_us},
          {"host_us", took.host_us},
          {"cache", to_text(took.kind.cache)},
          {"calls", took.kind.calls},
          {"gated", took.kind.gated},
          {"host_blocking", took.host_blocking},
          {"around_s", took.around.count()},
          {"sampling_s", took.sampling.count()},
          {"filled", took.filled}};
}

Json to_json(const Opened& opened) {
  return {{"type", "opened"},
          {"device", device_json(opened.device)},
          {"device_note", printable(opened.device_note)},
          {"ceilings", ceilings_json(opened.ceilings)},
          {"shim", shim_json(opened.shim)},
          {"telemetry", run_telemetry_json(opened.telemetry)},
          {"launch_us", finite(opened.launch_us)},
          {"free_bytes", size_json(opened.free)}};
}

Json to_json(const Looked& looked) {
  return {{"type", "looked"},
          {"launch_us", finite(looked.launch_us)},
          {"before", telemetry_json(looked.before)}};
}

Json to_json(const Refused& refused) {
  return {{"type", "refused"},
          {"kind", static_cast<int>(refused.kind)},
          {"text", printable(refused.text)}};
}

Json to_json(const Phase& phase) {
  return {{"type", "phase"},
          {"name", phase.name},
          {"expected_s", phase.expected_s},
          {"so_far", phase.so_far ? run_json(*phase.so_far, DeviceKind::host) : Json(nullptr)},
          {"memory", sharing_json(phase.memory)}};
}

Json difference_json(const std::optional<OutputDifference>& difference) {
  if (!difference) return nullptr;
  return {{"same_out", difference->same_out},
          {"same_lse", difference->same_lse},
          {"largest_out", difference->largest_out},
          {"largest_lse", difference->largest_lse},
          {"same_empty_rows", difference->same_empty_rows},
          {"obstacle", printable(difference->obstacle)}};
}

Json to_json(const Ran& ran) {
  return {{"type", "ran"},
          {"run", run_json(ran.run, DeviceKind::host)},
          {"device_lost", ran.device_lost},
          {"difference", difference_json(ran.difference)}};
}

// Paths may hold bytes that are not UTF-8; they travel replaced, and then do not open: an error
// that names them, rather than a message that cannot be read.
template <typename Message>
std::string dump(const Message& message) {
  return std::visit(
      [](const auto& value) {
        return to_json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
      },
      message);
}

/// What may be null may as well not be there.
std::optional<JsonReader> find_value(const JsonReader& root, std::string_view key) {
  const std::optional<JsonReader> member = root.find(key);
  return !member || is_null(*member) ? std::nullopt : member;
}

std::optional<Bytes> find_size(const JsonReader& root, std::string_view key) {
  const std::optional<JsonReader> size = find_value(root, key);
  return size ? std::optional(Bytes{size->unsigned64()}) : std::nullopt;
}

Open read_open(const JsonReader& root) {
  Open open;
  open.device = root.at("device").text();
  open.shims = read_texts(root, "shims");
  open.index = read_count(root, "index");
  open.measure_ceilings = root.at("measure_ceilings").boolean();
  open.again = root.at("again").boolean();
  open.measure_launch = root.at("measure_launch").boolean();
  if (find_value(root, "most_launch_us")) open.most_launch_us = read_number(root, "most_launch_us");
  return open;
}

SharedPool read_pool(const JsonReader& json) {
  return {read_texts(json, "handles"), Bytes{read_count(json, "layer_bytes")},
          read_count(json, "tag")};
}

RunRequest read_run_request(const JsonReader& root) {
  RunRequest request;
  const JsonDocument config = parse_json(kDocument, root.at("config").text());
  std::vector<Workload> workloads = read_config(config);
  if (workloads.size() != 1) root.at("config").fail("a config of one workload");
  request.workload = std::move(workloads.front());
  static const std::vector<std::string> kModes(kModeNames.begin(), kModeNames.end());
  for (const JsonReader& mode : root.at("modes").elements()) {
    request.modes.push_back(static_cast<Mode>(mode.one_of(kModes)));
  }
  request.limits = read_limits(root.at("limits"));
  request.check_graph = root.at("check_graph").boolean();
  request.trace_kernels = root.at("trace_kernels").boolean();
  request.profile = root.at("profile").boolean();
  request.in_turns = root.at("in_turns").boolean();
  request.reference_budget = root.at("reference_budget").number(0.0, kReferenceBudget);
  if (const auto memory = find_value(root, "memory")) request.memory = read_pool(*memory);
  if (const auto outputs = find_value(root, "outputs")) {
    request.outputs = OutputFile{outputs->at("path").text(), outputs->at("write").boolean()};
  }
  request.room = find_size(root, "room_bytes");
  return request;
}

std::vector<std::uint64_t> read_checksums(const JsonReader& root) {
  std::vector<std::uint64_t> checksums;
  for (const JsonReader& element : root.at("filled").elements()) {
    checksums.push_back(element.unsigned64());
  }
  return checksums;
}

Turn read_turn(const JsonReader& root) {
  return {read_count(root, "placement"), read_count(root, "samples"),
          read_count(root, "warm_up_calls"), Seconds(root.at("at_most_s").number(0.0, 1e9)),
          read_checksums(root)};
}

Took read_took(const JsonReader& root) {
  Took took;
  took.mode = read_enum(root, "mode", Mode::graph_warm);
  took.device_us = read_times(root, "device_us");
  took.host_us = read_times(root, "host_us");
  took.kind.cache = read_enum(root, "cache", CacheState::as_left);
  took.kind.calls = static_cast<int>(root.at("calls").integer(1, 1 << 30));
  took.kind.gated = root.at("gated").boolean();
  took.host_blocking = root.at("host_blocking").boolean();
  took.around = Seconds(root.at("around_s").number(0.0, 1e9));
  took.sampling = Seconds(root.at("sampling_s").number(0.0, 1e9));
  took.filled = read_checksums(root);
  return took;
}

std::optional<OutputDifference> read_difference(const JsonReader& place) {
  if (is_null(place)) return std::nullopt;
  OutputDifference difference;
  difference.same_out = place.at("same_out").boolean();
  difference.same_lse = place.at("same_lse").boolean();
  difference.largest_out = read_number(place, "largest_out");
  difference.largest_lse = read_number(place, "largest_lse");
  difference.same_empty_rows = place.at("same_empty_rows").boolean();
  difference.obstacle = place.at("obstacle").text();
  return difference;
}

Phase read_phase(const JsonReader& root) {
  Phase phase{root.at("name").text(), root.at("expected_s").number(0.0, 1e9)};
  if (const auto so_far = find_value(root, "so_far")) phase.so_far = read_run(*so_far);
  if (const auto memory = find_value(root, "memory")) {
    phase.memory = MemorySharing{memory->at("shared").boolean(), memory->at("obstacle").text()};
  }
  return phase;
}

}  // namespace

std::string to_message(const Request& request) { return dump(request); }
std::string to_message(const Reply& reply) { return dump(reply); }

Request read_request(const std::string& text) {
  const JsonDocument document = parse_json(kDocument, text);
  const JsonReader root(document);
  switch (root.at("type").one_of({"open", "run", "turn", "turns_over"})) {
    case 0:
      return read_open(root);
    case 1:
      return read_run_request(root);
    case 2:
      return read_turn(root);
    default:
      return TurnsOver{read_enum(root, "stop", Stop::call_wrong)};
  }
}

Reply read_reply(const std::string& text) {
  const JsonDocument document = parse_json(kDocument, text);
  const JsonReader root(document);
  switch (root.at("type").one_of({"opened", "refused", "phase", "ran", "looked", "took"})) {
    case 0:
      return Opened{read_device(root.at("device")),     root.at("device_note").text(),
                    read_ceilings(root.at("ceilings")), read_shim(root.at("shim")),
                    read_run_telemetry(root),           read_optional_number(root, "launch_us"),
                    find_size(root, "free_bytes")};
    case 1:
      return Refused{static_cast<ErrorKind>(root.at("kind").integer(0, 2)), root.at("text").text()};
    case 2:
      return read_phase(root);
    case 4:
      return Looked{read_optional_number(root, "launch_us"), read_telemetry(root.at("before"))};
    case 5:
      return read_took(root);
    default:
      return Ran{read_run(root.at("run")), root.at("device_lost").boolean(),
                 read_difference(root.at("difference"))};
  }
}

}  // namespace fa2bench
