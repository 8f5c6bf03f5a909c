// SPDX-License-Identifier: MIT
#include "verify/reference.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.hpp"
#include "verify/tile_math.hpp"

namespace fa2bench {
namespace {

/// All checked rows of one sequence and the query heads of one KV head.
class Task {
 public:
  Task(const Workload& workload, const BlockTable& table, const CheckedRow* first,
       const CheckedRow* last, int kv_head)
      : workload_(workload),
        table_(table),
        first_(first),
        last_(last),
        kv_head_(kv_head),
        tile_(static_cast<std::size_t>(workload.shape.head_dim)),
        scores_(kTileKeys) {}

  /// Results in the order [rows, heads of the group].
  std::vector<HeadReference> run() {
    const int group = workload_.shape.group();
    std::vector<StreamingSoftmax> softmaxes;
    std::int64_t keys = 0;
    for (const CheckedRow* row = first_; row != last_; ++row) {
      keys = std::max(keys, row->visible_keys);
      for (int g = 0; g < group; ++g) {
        softmaxes.emplace_back(scaled_query(workload_, row->global_token, kv_head_ * group + g));
      }
    }
    const auto tile_keys = static_cast<std::int64_t>(kTileKeys);
    for (std::int64_t begin = 0; begin < keys; begin += tile_keys) {
      load_tile(begin, std::min(keys - begin, tile_keys));
      std::size_t i = 0;
      for (const CheckedRow* row = first_; row != last_; ++row) {
        const std::int64_t visible = std::min(row->visible_keys - begin, tile_keys);
        for (int g = 0; g < group; ++g, ++i) {
          if (visible > 0) softmaxes[i].absorb(tile_, static_cast<std::size_t>(visible), scores_);
        }
      }
    }
    std::vector<HeadReference> results;
    results.reserve(softmaxes.size());
    for (const StreamingSoftmax& softmax : softmaxes) results.push_back(softmax.result());
    return results;
  }

 private:
  void load_tile(std::int64_t begin, std::int64_t count) {
    const HeadShape& shape = workload_.shape;
    tile_.clear();
    for (std::int64_t j = 0; j < count; ++j) {
      const std::int64_t key = begin + j;
      const auto entry =
          static_cast<std::size_t>(first_->seq * table_.width + key / shape.block_size);
      const std::uint32_t content = table_.content[static_cast<std::size_t>(table_.entries[entry])];
      tile_.load(workload_.seed, kv_element(shape, content, key % shape.block_size, kv_head_),
                 static_cast<std::size_t>(j));
    }
  }

  const Workload& workload_;
  const BlockTable& table_;
  const CheckedRow* first_;
  const CheckedRow* last_;
  int kv_head_;
  KeyTile tile_;
  std::vector<double> scores_;
};

}  // namespace

std::vector<double> scaled_query(const Workload& workload, std::int64_t global_token, int head) {
  const HeadShape& shape = workload.shape;
  std::vector<double> q(static_cast<std::size_t>(shape.head_dim));
  const auto index =
      static_cast<std::uint64_t>((global_token * shape.num_heads + head) * shape.head_dim);
  generate(workload.seed, Tensor::q, index, q.size(), q.data());
  const double scale = 1.0 / std::sqrt(static_cast<double>(shape.head_dim));
  for (double& x : q) x *= scale;
  return q;
}

std::uint64_t kv_element(const HeadShape& shape, std::uint32_t logical_block, std::int64_t slot,
                         int kv_head) {
  const std::int64_t slots = std::int64_t{logical_block} * shape.block_size + slot;
  return static_cast<std::uint64_t>((slots * shape.num_kv_heads + kv_head) * shape.head_dim);
}

Reference compute_reference(const Workload& workload, const BlockTable& table,
                            std::vector<CheckedRow> rows) {
  Reference reference;
  reference.rows = std::move(rows);
  reference.num_heads = workload.shape.num_heads;
  reference.heads.resize(reference.rows.size() * static_cast<std::size_t>(reference.num_heads));

  std::vector<std::size_t> begins;  // first row of each sequence
  for (std::size_t i = 0; i < reference.rows.size(); ++i) {
    if (i == 0 || reference.rows[i].seq != reference.rows[i - 1].seq) begins.push_back(i);
  }
  const auto kv_heads = static_cast<std::size_t>(workload.shape.num_kv_heads);
  const auto group = static_cast<std::size_t>(workload.shape.group());
  parallel_for(begins.size() * kv_heads, [&](std::size_t task) {
    const std::size_t sequence = task / kv_heads;
    const std::size_t kv_head = task % kv_heads;
    const std::size_t first = begins[sequence];
    const std::size_t last =
        sequence + 1 < begins.size() ? begins[sequence + 1] : reference.rows.size();
    std::vector<HeadReference> results =
        Task(workload, table, reference.rows.data() + first, reference.rows.data() + last,
             static_cast<int>(kv_head))
            .run();
    for (std::size_t row = first; row < last; ++row) {
      for (std::size_t g = 0; g < group; ++g) {
        reference.heads[row * kv_heads * group + kv_head * group + g] =
            std::move(results[(row - first) * group + g]);
      }
    }
  });
  return reference;
}

}  // namespace fa2bench
