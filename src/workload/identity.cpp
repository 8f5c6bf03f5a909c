// SPDX-License-Identifier: MIT
#include "workload/identity.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>

#include "base/sha256.hpp"
#include "workload/plan.hpp"

namespace fa2bench {
namespace {

/// Runs of equal neighbours as count*q:kv.
void write_batch(const Workload& workload, std::string& text) {
  const std::size_t size = workload.q_lens.size();
  text += "batch";
  for (std::size_t first = 0, last = 0; first < size; first = last) {
    const std::int32_t q = workload.q_lens[first];
    const std::int32_t kv = workload.kv_lens[first];
    while (last < size && workload.q_lens[last] == q && workload.kv_lens[last] == kv) ++last;
    fmt::format_to(std::back_inserter(text), " {}*{}:{}", last - first, q, kv);
  }
  text += '\n';
}

void write_table(const Workload& workload, const Plan& plan, std::string& text) {
  const BlockTableRecipe& table = workload.table;
  fmt::format_to(std::back_inserter(text), "table {} unused {} width {} pool {} first {}\n",
                 to_text(table.layout), to_text(table.unused), plan.max_blocks_per_seq,
                 plan.num_blocks, table.first_block);
  if (table.layout != TableLayout::rows) return;
  for (const auto& row : table.rows) {
    fmt::format_to(std::back_inserter(text), "row {}\n", fmt::join(row, " "));
  }
}

}  // namespace

std::string canonical_text(const Workload& workload) {
  const Plan plan = make_plan(workload);
  const HeadShape& shape = workload.shape;
  std::string text = fmt::format("workload/1\nheads {}/{} dim {} block {}\n", shape.num_heads,
                                 shape.num_kv_heads, shape.head_dim, shape.block_size);
  write_batch(workload, text);
  fmt::format_to(std::back_inserter(text), "max {} {}\n", plan.max_q_len, plan.max_kv_len);
  write_table(workload, plan, text);
  const bool shared = workload.prefix.tokens > 0;
  fmt::format_to(std::back_inserter(text), "prefix {} groups {}\nseed {}\n", workload.prefix.tokens,
                 shared ? workload.prefix.groups : 0, workload.seed);
  return text;
}

std::string workload_id(const Workload& workload) {
  return sha256_of_text(canonical_text(workload)).substr(0, 16);
}

}  // namespace fa2bench
