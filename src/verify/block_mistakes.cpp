// SPDX-License-Identifier: MIT
#include "verify/block_mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <utility>

#include "workload/table_size.hpp"

namespace fa2bench {
namespace {

std::int64_t needed(const Evidence& evidence, std::size_t seq) {
  return blocks_of(evidence.workload.kv_lens[seq], evidence.workload.shape.block_size);
}

/// Elements of one block in a pool.
std::int64_t block_elements(const HeadShape& shape) {
  return std::int64_t{shape.block_size} * shape.num_kv_heads * shape.head_dim;
}

std::int64_t largest_live_id(const Evidence& evidence) {
  const BlockTable& table = evidence.table;
  std::int64_t largest = 0;
  for (std::size_t seq = 0; seq < evidence.workload.kv_lens.size(); ++seq) {
    const auto first = table.entries.begin() +
                       static_cast<std::ptrdiff_t>(seq) * static_cast<std::ptrdiff_t>(table.width);
    for (std::int64_t column = 0; column < needed(evidence, seq); ++column) {
      largest = std::max<std::int64_t>(largest, first[column]);
    }
  }
  return largest;
}

void add_ignored_tables(const Evidence& evidence, std::vector<BlockMistake>& to) {
  const BlockTable& table = evidence.table;
  // What stands past the live blocks differs from shim to shim: some clamp.
  const auto inside = [largest = largest_live_id(evidence)](std::int64_t id) {
    return id <= largest ? id : kNoBlock;
  };
  to.push_back({"block table ignored (blocks taken as contiguous)",
                [&table, inside](std::int32_t seq, std::int64_t column) {
                  const auto first = static_cast<std::size_t>(seq * table.width);
                  return inside(table.entries[first] + column);
                }});
  std::vector<std::int64_t> starts{0};
  for (std::size_t seq = 0; seq < evidence.workload.kv_lens.size(); ++seq) {
    starts.push_back(starts.back() + needed(evidence, seq));
  }
  to.push_back({"block table ignored (blocks taken as 0, 1, 2, ... through the batch)",
                [inside, starts = std::move(starts)](std::int32_t seq, std::int64_t column) {
                  return inside(starts[static_cast<std::size_t>(seq)] + column);
                }});
  to.push_back({"block table ignored (blocks taken as sequence * max_blocks_per_seq + column)",
                [&table, inside](std::int32_t seq, std::int64_t column) {
                  return inside(seq * table.width + column);
                }});
}

void add_wrong_stride(const Evidence& evidence, std::vector<BlockMistake>& to) {
  const BlockTable& table = evidence.table;
  const std::int64_t stride =
      blocks_of(evidence.plan.max_kv_len, evidence.workload.shape.block_size);
  if (stride == table.width) return;
  const auto block = [&table, stride](std::int32_t seq, std::int64_t column) -> std::int64_t {
    const auto entry = static_cast<std::size_t>(seq * stride + column);
    return entry < table.entries.size() ? table.entries[entry] : kNoBlock;
  };
  for (std::size_t seq = 1; seq < evidence.workload.kv_lens.size(); ++seq) {
    const auto id = static_cast<std::int32_t>(seq);
    for (std::int64_t column = 0; column < needed(evidence, seq); ++column) {
      if (block(id, column) == table.entries[static_cast<std::size_t>(id * table.width + column)]) {
        continue;
      }
      to.push_back({fmt::format("row stride ceil(max_kv_len / block_size) used instead of "
                                "max_blocks_per_seq (first misread: sequence {})",
                                seq),
                    block});
      return;
    }
  }
}

std::string offset_name(std::int64_t smallest_wrong, std::int64_t largest_right) {
  return fmt::format("32-bit block offset (smallest failing block id {}{})", smallest_wrong,
                     largest_right < 0 ? std::string(", no row passes")
                                       : fmt::format(", largest passing one {}", largest_right));
}

/// Largest id of each checked row's blocks, in the order of the rows.
std::vector<std::int64_t> largest_ids(const Evidence& evidence) {
  std::vector<std::int64_t> largest;
  for (const CheckedRow& row : evidence.reference.rows) {
    std::int64_t id = -1;
    const std::int64_t columns = blocks_of(row.visible_keys, evidence.workload.shape.block_size);
    for (std::int64_t column = 0; column < columns; ++column) {
      id = std::max<std::int64_t>(
          id, evidence.table
                  .entries[static_cast<std::size_t>(row.seq * evidence.table.width + column)]);
    }
    largest.push_back(id);
  }
  return largest;
}

struct IdRange {
  std::int64_t smallest_wrong = std::numeric_limits<std::int64_t>::max();
  std::int64_t largest_right = -1;
};

IdRange id_range(const Evidence& evidence) {
  const std::vector<std::int64_t> largest = largest_ids(evidence);
  std::vector<bool> wrong(largest.size());
  for (const Pair& pair : list_pairs(evidence).wrong_out) wrong[pair.row] = true;
  IdRange range;
  for (std::size_t row = 0; row < largest.size(); ++row) {
    if (wrong[row]) {
      range.smallest_wrong = std::min(range.smallest_wrong, largest[row]);
    } else {
      range.largest_right = std::max(range.largest_right, largest[row]);
    }
  }
  return range;
}

void add_narrow_offsets(const Evidence& evidence, std::vector<BlockMistake>& to) {
  const BlockTable& table = evidence.table;
  const std::int64_t elements = block_elements(evidence.workload.shape);
  for (const std::int64_t unit : {elements, 2 * elements}) {  // of an offset: elements, bytes
    constexpr std::int64_t kRange = std::int64_t{1} << 32;
    if (largest_live_id(evidence) * unit < kRange || kRange % unit != 0) continue;
    const IdRange range = id_range(evidence);
    to.push_back({offset_name(range.smallest_wrong, range.largest_right),
                  [&table, ids = kRange / unit](std::int32_t seq, std::int64_t column) {
                    const auto entry = static_cast<std::size_t>(seq * table.width + column);
                    return table.entries[entry] % ids;
                  }});
  }
}

}  // namespace

std::vector<BlockMistake> block_mistakes(const Evidence& evidence) {
  std::vector<BlockMistake> all;
  add_ignored_tables(evidence, all);
  add_wrong_stride(evidence, all);
  add_narrow_offsets(evidence, all);
  return all;
}

std::string offset_suspicion(const Evidence& evidence, bool alone) {
  const std::int64_t elements = block_elements(evidence.workload.shape);
  const IdRange range = id_range(evidence);
  if (range.largest_right < 0 && !alone) return "";
  if (range.smallest_wrong == std::numeric_limits<std::int64_t>::max()) return "";
  for (const std::int64_t limit : {std::int64_t{1} << 31, std::int64_t{1} << 32}) {
    for (const std::int64_t unit : {2 * elements, elements}) {
      // The first block that begins or ends past the limit.
      const std::int64_t first = limit / unit;
      if (range.smallest_wrong >= first && range.largest_right < first) {
        return (range.largest_right < 0 ? "perhaps a " : "") +
               offset_name(range.smallest_wrong, range.largest_right);
      }
    }
  }
  return "";
}

}  // namespace fa2bench
