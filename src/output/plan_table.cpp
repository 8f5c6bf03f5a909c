// SPDX-License-Identifier: MIT
#include "output/plan_table.hpp"

#include <fmt/format.h>

#include "output/table.hpp"
#include "result/gates_json.hpp"
#include "result/json_text.hpp"
#include "result/json_value.hpp"

namespace fa2bench {

std::string plan_table(const std::vector<PlannedWorkload>& planned) {
  using Align = Table::Align;
  std::vector<Table::Column> columns{{"workload", Align::left}, {"id", Align::left}};
  for (const char* title : {"heads", "seqs", "q tokens", "max q", "max kv", "blocks", "table width",
                            "GFLOP", "bytes", "FLOP/B", "device memory"}) {
    columns.push_back({title, Align::right});
  }
  Table table(std::move(columns));
  for (const PlannedWorkload& entry : planned) {
    const Plan& plan = entry.plan;
    const auto bytes = static_cast<double>(plan.cost.bytes_unique.count);
    table.add(
        {entry.workload.name, entry.workload.id,
         fmt::format("{}/{}", entry.workload.shape.num_heads, entry.workload.shape.num_kv_heads),
         std::to_string(plan.num_seqs), std::to_string(plan.total_q_tokens),
         std::to_string(plan.max_q_len), std::to_string(plan.max_kv_len),
         fmt::format("{} of {}", plan.live_blocks, plan.num_blocks),
         std::to_string(plan.max_blocks_per_seq), fmt::format("{:.4g}", plan.cost.flops * 1e-9),
         to_text(plan.cost.bytes_unique),
         bytes > 0.0 ? fmt::format("{:.3g}", plan.cost.flops / bytes) : "-",
         to_text(entry.device_memory)});
  }
  return table.text();
}

std::string plan_json(const std::vector<PlannedWorkload>& planned) {
  using Json = nlohmann::ordered_json;
  Json workloads = Json::array();
  for (const PlannedWorkload& entry : planned) {
    const Plan& plan = entry.plan;
    const HeadShape& shape = entry.workload.shape;
    workloads.push_back({{"name", entry.workload.name},
                         {"id", entry.workload.id},
                         {"num_heads", shape.num_heads},
                         {"num_kv_heads", shape.num_kv_heads},
                         {"head_dim", shape.head_dim},
                         {"block_size", shape.block_size},
                         {"num_seqs", plan.num_seqs},
                         {"total_q_tokens", plan.total_q_tokens},
                         {"total_kv_tokens", plan.total_kv_tokens},
                         {"max_q_len", plan.max_q_len},
                         {"max_kv_len", plan.max_kv_len},
                         {"stated_max_q_len", int_or_null(entry.workload.stated_max_q_len)},
                         {"stated_max_kv_len", int_or_null(entry.workload.stated_max_kv_len)},
                         {"max_blocks_per_seq", plan.max_blocks_per_seq},
                         {"live_blocks", plan.live_blocks},
                         {"num_blocks", plan.num_blocks},
                         {"layers", entry.workload.layers},
                         {"require", gates_json(entry.workload.gates)},
                         {"flops", plan.cost.flops},
                         {"bytes_unique", plan.cost.bytes_unique.count},
                         {"bytes_logical", plan.cost.bytes_logical.count},
                         {"pool_bytes", plan.memory.k_pool.count * 2},
                         {"device_memory_bytes", entry.device_memory.count},
                         {"host_memory_bytes", plan.memory.host.count}});
  }
  return pretty_json({{"schema", "ferrum-fa2-bench/plan/v1"}, {"workloads", std::move(workloads)}});
}

}  // namespace fa2bench
