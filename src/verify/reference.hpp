// SPDX-License-Identifier: MIT
// Attention in float64 on chosen rows, from the data recipe alone: no pool is held or read.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/rows.hpp"
#include "verify/streaming_softmax.hpp"
#include "workload/block_table.hpp"
#include "workload/workload.hpp"

namespace fa2bench {

struct Reference {
  std::vector<CheckedRow> rows;
  int num_heads = 0;
  std::vector<HeadReference> heads;  ///< [rows, num_heads]

  [[nodiscard]] const HeadReference& at(std::size_t row, int head) const {
    return heads[row * static_cast<std::size_t>(num_heads) + static_cast<std::size_t>(head)];
  }
};

/// q of one (token, head), times 1 / sqrt(head_dim).
std::vector<double> scaled_query(const Workload& workload, std::int64_t global_token, int head);

/// Index, in the recipe of k and v, of the first element of one slot of one KV head.
std::uint64_t kv_element(const HeadShape& shape, std::uint32_t logical_block, std::int64_t slot,
                         int kv_head);

/// Computes on all cores. The keys of a sequence are made in tiles, so memory is bounded by the
/// rows, whatever the context. `table` says which logical block stands where.
Reference compute_reference(const Workload& workload, const BlockTable& table,
                            std::vector<CheckedRow> rows);

}  // namespace fa2bench
