// SPDX-License-Identifier: MIT
#include "workload/config_writer.hpp"

#include <cstddef>
#include <nlohmann/json.hpp>

#include "workload/config.hpp"

namespace fa2bench {
namespace {

using Json = nlohmann::ordered_json;

Json table_json(const BlockTableRecipe& table) {
  Json json = {{"unused", to_text(table.unused)}, {"first_block", table.first_block}};
  if (table.layout == TableLayout::rows) {
    json["rows"] = table.rows;
  } else {
    json["layout"] = to_text(table.layout);
  }
  if (table.width > 0) json["width"] = table.width;
  if (table.pool_blocks > 0) json["pool_blocks"] = table.pool_blocks;
  return json;
}

/// Whether a sequence has a length that the reader takes only with permission.
bool needs_empty_rows(const Workload& workload) {
  for (std::size_t s = 0; s < workload.q_lens.size(); ++s) {
    if (workload.q_lens[s] == 0 || workload.kv_lens[s] < workload.q_lens[s]) return true;
  }
  return false;
}

}  // namespace

std::string write_config(const Workload& workload) {
  Json json = {
      {"name", workload.name},
      {"num_heads", workload.shape.num_heads},
      {"num_kv_heads", workload.shape.num_kv_heads},
      {"head_dim", workload.shape.head_dim},
      {"block_size", workload.shape.block_size},
      {"layers", workload.layers},
      {"q_lens", workload.q_lens},
      {"kv_lens", workload.kv_lens},
      {"block_table", table_json(workload.table)},
      {"shared_prefix", {{"tokens", workload.prefix.tokens}, {"groups", workload.prefix.groups}}},
      {"seed", workload.seed}};
  if (needs_empty_rows(workload)) json["allow_empty_rows"] = true;
  if (workload.stated_max_q_len) json["max_q_len"] = *workload.stated_max_q_len;
  if (workload.stated_max_kv_len) json["max_kv_len"] = *workload.stated_max_kv_len;
  for (const Gate& gate : workload.gates) json["require"][gate.key] = gate.bound;
  return Json{{"schema", kConfigSchema}, {"workloads", Json::array({std::move(json)})}}.dump();
}

}  // namespace fa2bench
