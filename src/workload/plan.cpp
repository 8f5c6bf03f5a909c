// SPDX-License-Identifier: MIT
#include "workload/plan.hpp"

#include <algorithm>
#include <cstddef>

#include "workload/table_size.hpp"

namespace fa2bench {
namespace {

constexpr std::uint64_t kHalfBytes = 2;
constexpr std::uint64_t kFloatBytes = 4;
constexpr std::uint64_t kInt32Bytes = 4;

constexpr std::uint64_t u64(std::int64_t value) { return static_cast<std::uint64_t>(value); }

/// Sums and maxima over the sequences.
void measure_lengths(const Workload& workload, Plan& plan) {
  plan.num_seqs = static_cast<std::int64_t>(workload.q_lens.size());
  for (std::size_t s = 0; s < workload.q_lens.size(); ++s) {
    const std::int64_t q = workload.q_lens[s];
    const std::int64_t kv = workload.kv_lens[s];
    plan.total_q_tokens += q;
    plan.total_kv_tokens += kv;
    plan.max_q_len = std::max(plan.max_q_len, q);
    plan.max_kv_len = std::max(plan.max_kv_len, kv);
    // Query i sees the kv - q older tokens and i + 1 of this step: q (kv - q) + q (q + 1) / 2.
    plan.cost.visible_pairs += u64(q * (kv - q) + q * (q + 1) / 2);
  }
  plan.max_q_len = workload.stated_max_q_len.value_or(static_cast<std::int32_t>(plan.max_q_len));
  plan.max_kv_len = workload.stated_max_kv_len.value_or(static_cast<std::int32_t>(plan.max_kv_len));
}

}  // namespace

Plan make_plan(const Workload& workload) {
  Plan plan;
  measure_lengths(workload, plan);
  const TableSize size = table_size(workload);
  plan.max_blocks_per_seq = size.width;
  plan.live_blocks = size.live_blocks;
  plan.num_blocks = size.num_blocks;

  const HeadShape& shape = workload.shape;
  const std::uint64_t q_elements =
      u64(plan.total_q_tokens) * u64(shape.num_heads) * u64(shape.head_dim);
  const Bytes kv_slot{u64(shape.num_kv_heads) * u64(shape.head_dim) * kHalfBytes};  // of one tensor

  Memory& memory = plan.memory;
  memory.k_pool = kv_slot * (u64(plan.num_blocks) * u64(shape.block_size));
  memory.q = Bytes{q_elements * kHalfBytes};
  memory.lse = Bytes{u64(plan.total_q_tokens) * u64(shape.num_heads) * kFloatBytes};
  const std::uint64_t entries = u64(plan.num_seqs) * u64(plan.max_blocks_per_seq);
  memory.tables = Bytes{(2 * u64(plan.num_seqs) + 1 + entries) * kInt32Bytes};
  // BlockTable::content and ::live_slots beside the tables; twice, for the placement on other
  // pages.
  memory.host = (memory.tables + Bytes{u64(plan.num_blocks) * (4 + 2)}) * 2;

  Cost& cost = plan.cost;
  cost.flops = 4.0 * shape.num_heads * shape.head_dim * static_cast<double>(cost.visible_pairs);
  const Bytes q_out_lse = memory.q * 2 + memory.lse;
  cost.bytes_unique = kv_slot * (2 * size.live_slots) + q_out_lse;
  cost.bytes_logical = kv_slot * (2 * u64(plan.total_kv_tokens)) + q_out_lse;
  return plan;
}

}  // namespace fa2bench
