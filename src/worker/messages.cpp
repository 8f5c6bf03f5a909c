// SPDX-License-Identifier: MIT
#include "worker/messages.hpp"

#include <nlohmann/json.hpp>

#include "base/text.hpp"
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
          {"again", open.again}};
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
          {"memory", memory_json(request.memory)}};
}

Json to_json(const Opened& opened) {
  return {{"type", "opened"},
          {"device", device_json(opened.device)},
          {"device_note", printable(opened.device_note)},
          {"ceilings", ceilings_json(opened.ceilings)},
          {"shim", shim_json(opened.shim)},
          {"telemetry", run_telemetry_json(opened.telemetry)}};
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

Json to_json(const Ran& ran) {
  return {{"type", "ran"},
          {"run", run_json(ran.run, DeviceKind::host)},
          {"device_lost", ran.device_lost}};
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

Open read_open(const JsonReader& root) {
  Open open;
  open.device = root.at("device").text();
  open.shims = read_texts(root, "shims");
  open.index = read_count(root, "index");
  open.measure_ceilings = root.at("measure_ceilings").boolean();
  open.again = root.at("again").boolean();
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
  const JsonReader memory = root.at("memory");
  if (!is_null(memory)) request.memory = read_pool(memory);
  return request;
}

Phase read_phase(const JsonReader& root) {
  Phase phase{root.at("name").text(), root.at("expected_s").number(0.0, 1e9)};
  const JsonReader so_far = root.at("so_far");
  if (!is_null(so_far)) phase.so_far = read_run(so_far);
  const JsonReader memory = root.at("memory");
  if (!is_null(memory)) {
    phase.memory = MemorySharing{memory.at("shared").boolean(), memory.at("obstacle").text()};
  }
  return phase;
}

}  // namespace

std::string to_message(const Request& request) { return dump(request); }
std::string to_message(const Reply& reply) { return dump(reply); }

Request read_request(const std::string& text) {
  const JsonDocument document = parse_json(kDocument, text);
  const JsonReader root(document);
  if (root.at("type").one_of({"open", "run"}) == 0) return read_open(root);
  return read_run_request(root);
}

Reply read_reply(const std::string& text) {
  const JsonDocument document = parse_json(kDocument, text);
  const JsonReader root(document);
  switch (root.at("type").one_of({"opened", "refused", "phase", "ran"})) {
    case 0:
      return Opened{read_device(root.at("device")), root.at("device_note").text(),
                    read_ceilings(root.at("ceilings")), read_shim(root.at("shim")),
                    read_run_telemetry(root)};
    case 1:
      return Refused{static_cast<ErrorKind>(root.at("kind").integer(0, 2)), root.at("text").text()};
    case 2:
      return read_phase(root);
    default:
      return Ran{read_run(root.at("run")), root.at("device_lost").boolean()};
  }
}

}  // namespace fa2bench
