// SPDX-License-Identifier: MIT
#include "verify/reading_mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "verify/block_mistakes.hpp"

namespace fa2bench {
namespace {

/// A row sees the first keys(row) keys of its sequence.
ReadingMistake other_keys(const Evidence& evidence, std::string name,
                          std::function<std::int64_t(const CheckedRow&)> keys) {
  const auto readings = [&workload = evidence.workload, keys = std::move(keys)](
                            const CheckedRow& row, int head) {
    Reading reading = right_reading(workload, row, head);
    reading.keys = keys(row);
    return std::vector{reading};
  };
  return {std::move(name), readings};
}

/// Block `column` of a row is block(row, column).
ReadingMistake other_blocks(const Evidence& evidence, BlockMistake mistake) {
  const auto readings = [&workload = evidence.workload, block = std::move(mistake.block)](
                            const CheckedRow& row, int head) {
    Reading reading = right_reading(workload, row, head);
    reading.block = [block, seq = row.seq](std::int64_t column) { return block(seq, column); };
    return std::vector{reading};
  };
  return {std::move(mistake.name), readings};
}

ReadingMistake other_kv_head(const Evidence& evidence) {
  return {"", [&workload = evidence.workload](const CheckedRow& row, int head) {
            const int kv_heads = workload.shape.num_kv_heads;
            std::vector<Reading> others;
            for (int i = 0; i < kv_heads; ++i) {
              Reading other = right_reading(workload, row, head);
              const int right = other.kv_head;
              other.kv_head = (head + i) % kv_heads;  // head % num_kv_heads is the likeliest
              if (other.kv_head != right) others.push_back(std::move(other));
            }
            return others;
          }};
}

}  // namespace

std::vector<ReadingMistake> reading_mistakes(const Evidence& evidence) {
  const std::int64_t block_size = evidence.workload.shape.block_size;
  const auto kv_len = [&workload = evidence.workload](const CheckedRow& row) {
    return std::int64_t{workload.kv_lens[static_cast<std::size_t>(row.seq)]};
  };
  // Keys 0 ... keys - 1 without their last block; short rows are taken to keep their only one.
  const auto without_last_block = [block_size](std::int64_t keys, std::int64_t visible) {
    const std::int64_t whole = (keys - 1) / block_size * block_size;
    return whole > 0 ? std::min(visible, whole) : visible;
  };

  std::vector<ReadingMistake> all;
  const auto add = [&](std::string name, std::function<std::int64_t(const CheckedRow&)> keys) {
    all.push_back(other_keys(evidence, std::move(name), std::move(keys)));
  };
  add("matches a top-left causal mask", [kv_len](const CheckedRow& row) {
    return std::min(std::int64_t{row.token} + 1, kv_len(row));
  });
  add("matches no causal mask", kv_len);
  if (evidence.workload.shape.num_kv_heads > 1) all.push_back(other_kv_head(evidence));
  add("last block dropped",
      [=](const CheckedRow& row) { return without_last_block(kv_len(row), row.visible_keys); });
  add("partial last block dropped", [=](const CheckedRow& row) {
    return std::min(row.visible_keys, kv_len(row) / block_size * block_size);
  });
  add("last visible block dropped", [=](const CheckedRow& row) {
    return without_last_block(row.visible_keys, row.visible_keys);
  });
  add("last visible key dropped", [](const CheckedRow& row) { return row.visible_keys - 1; });
  for (BlockMistake& mistake : block_mistakes(evidence)) {
    all.push_back(other_blocks(evidence, std::move(mistake)));
  }
  return all;
}

ReadingMistake key_limit_mistake(const Evidence& evidence, std::int64_t limit) {
  return other_keys(evidence, fmt::format("keys past the first {} of a sequence dropped", limit),
                    [limit](const CheckedRow& row) { return std::min(row.visible_keys, limit); });
}

}  // namespace fa2bench
