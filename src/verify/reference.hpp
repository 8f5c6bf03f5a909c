// SPDX-License-Identifier: MIT
// Attention in float64 on chosen rows, from the data recipe alone: no pool is held or read.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/rows.hpp"
#include "workload/block_table.hpp"
#include "workload/workload.hpp"

namespace fa2bench {

/// The exact result of one (row, head), and what its rounding errors scale with.
struct HeadReference {
  std::vector<double> out;     ///< [head_dim]
  std::vector<double> spread;  ///< [head_dim]: sqrt(sum_j (p_j v_j)^2), p the softmax weights
  double lse = 0.0;            ///< natural log, of scaled scores; -inf without visible keys
  double score_bound = 0.0;    ///< |q| max_j |k_j| / sqrt(head_dim): no score is larger
};

struct Reference {
  std::vector<CheckedRow> rows;
  int num_heads = 0;
  std::vector<HeadReference> heads;  ///< [rows, num_heads]

  [[nodiscard]] const HeadReference& at(std::size_t row, int head) const {
    return heads[row * static_cast<std::size_t>(num_heads) + static_cast<std::size_t>(head)];
  }
};

/// Computes on all cores. The keys of a sequence are made in tiles, so memory is bounded by the
/// rows, whatever the context. `table` says which logical block stands where.
Reference compute_reference(const Workload& workload, const BlockTable& table,
                            std::vector<CheckedRow> rows);

}  // namespace fa2bench
