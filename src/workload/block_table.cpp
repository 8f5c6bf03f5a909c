// SPDX-License-Identifier: MIT
#include "workload/block_table.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "base/random.hpp"
#include "workload/placement.hpp"
#include "workload/table_size.hpp"

namespace fa2bench {
namespace {

// Random streams beside those of the tensors (data.hpp): two per trial.
constexpr std::uint32_t kFirstPlacementStream = 0x100;
constexpr std::uint32_t kOtherPagesStream = 0xFF;

/// Notes that `physical` holds logical block `number` with `slots` live tokens.
void use_block(std::int32_t physical, std::int64_t number, std::int64_t slots, BlockTable& table) {
  const auto id = static_cast<std::size_t>(physical);
  table.content[id] = static_cast<std::uint32_t>(number);
  table.live_slots[id] = std::max(table.live_slots[id], static_cast<std::uint16_t>(slots));
}

void fill_placed(const Workload& workload, const LogicalBlocks& logical,
                 const std::vector<std::int32_t>& physical, BlockTable& table) {
  const std::int64_t block_size = workload.shape.block_size;
  for (std::size_t s = 0; s < workload.kv_lens.size(); ++s) {
    std::int32_t* row = table.entries.data() + s * static_cast<std::size_t>(table.width);
    for (std::int64_t column = 0; column < logical.needed[s]; ++column) {
      const std::int64_t number = logical.number(s, column);
      row[column] = physical[static_cast<std::size_t>(number)];
      use_block(row[column], number,
                std::min(block_size, workload.kv_lens[s] - column * block_size), table);
    }
  }
}

/// Ids from the config. Entries past the live ones stand as given; the rest follows the policy.
void fill_rows(const Workload& workload, BlockTable& table) {
  const std::int64_t block_size = workload.shape.block_size;
  std::int64_t next = 0;
  for (std::size_t s = 0; s < workload.kv_lens.size(); ++s) {
    std::int32_t* row = table.entries.data() + s * static_cast<std::size_t>(table.width);
    const auto& given = workload.table.rows[s];
    std::copy(given.begin(), given.end(), row);
    std::int64_t left = workload.kv_lens[s];
    for (std::int64_t column = 0; left > 0; ++column, left -= block_size) {
      const std::uint32_t known = table.content[static_cast<std::size_t>(row[column])];
      const std::int64_t number = known == kUnusedBlock ? next++ : std::int64_t{known};
      use_block(row[column], number, std::min(block_size, left), table);
    }
  }
}

/// Draws entries for table columns that no sequence uses.
class UnusedFiller {
 public:
  UnusedFiller(const Workload& workload, const BlockTable& table, std::uint32_t stream)
      : workload_(workload), table_(table), rng_(workload.seed, stream) {
    if (workload.table.unused != UnusedEntries::poison_block) return;
    for (std::size_t id = 0; id < table.content.size(); ++id) {
      if (table.content[id] == kUnusedBlock) poison_.push_back(static_cast<std::int32_t>(id));
    }
  }

  std::int32_t draw(std::size_t sequence) {
    switch (workload_.table.unused) {
      case UnusedEntries::minus_one:
        return -1;
      case UnusedEntries::int_max:
        return INT32_MAX;
      case UnusedEntries::num_blocks:
        return static_cast<std::int32_t>(table_.num_blocks);
      case UnusedEntries::live_block:
        return live_block_of_another(sequence);
      case UnusedEntries::poison_block:
        return poison_[rng_.below(poison_.size())];
    }
    return -1;
  }

 private:
  /// A block of another sequence; of this one where it is alone.
  std::int32_t live_block_of_another(std::size_t sequence) {
    const std::size_t num_seqs = workload_.kv_lens.size();
    std::size_t other = sequence;
    if (num_seqs > 1) other = (sequence + 1 + rng_.below(num_seqs - 1)) % num_seqs;
    const std::int64_t live = blocks_of(workload_.kv_lens[other], workload_.shape.block_size);
    return table_.entries[other * static_cast<std::size_t>(table_.width) +
                          rng_.below(static_cast<std::uint64_t>(live))];
  }

  const Workload& workload_;
  const BlockTable& table_;
  CounterRng rng_;
  std::vector<std::int32_t> poison_;
};

void fill_unused(const Workload& workload, std::uint32_t stream, BlockTable& table) {
  UnusedFiller filler(workload, table, stream);
  const auto width = static_cast<std::size_t>(table.width);
  const bool given = workload.table.layout == TableLayout::rows;
  for (std::size_t s = 0; s < workload.kv_lens.size(); ++s) {
    const auto used =
        given ? workload.table.rows[s].size()
              : static_cast<std::size_t>(blocks_of(workload.kv_lens[s], workload.shape.block_size));
    for (std::size_t column = used; column < width; ++column) {
      table.entries[s * width + column] = filler.draw(s);
    }
  }
}

}  // namespace

BlockTable build_block_table(const Workload& workload, std::uint32_t trial) {
  const TableSize size = table_size(workload);
  const std::uint32_t stream = kFirstPlacementStream + 2 * trial;
  BlockTable table;
  table.num_blocks = size.num_blocks;
  table.width = size.width;
  table.entries.resize(workload.kv_lens.size() * static_cast<std::size_t>(size.width));
  table.content.assign(static_cast<std::size_t>(size.num_blocks), kUnusedBlock);
  table.live_slots.assign(static_cast<std::size_t>(size.num_blocks), 0);
  if (workload.table.layout == TableLayout::rows) {
    fill_rows(workload, table);
  } else {
    const LogicalBlocks logical = number_logical_blocks(workload);
    fill_placed(workload, logical, place_blocks(workload, logical, size, stream), table);
  }
  fill_unused(workload, stream + 1, table);
  return table;
}

BlockTable on_other_pages(const Workload& workload, const BlockTable& table) {
  CounterRng rng(workload.seed, kOtherPagesStream);
  const auto first = static_cast<std::size_t>(workload.table.first_block);
  std::vector<std::int32_t> moved(table.content.size());  // to where each page goes
  std::iota(moved.begin(), moved.end(), 0);
  for (std::size_t i = moved.size(); i > first + 1; --i) {
    std::swap(moved[i - 1], moved[first + rng.below(i - first)]);
  }
  BlockTable other = table;
  for (std::size_t page = 0; page < moved.size(); ++page) {
    const auto to = static_cast<std::size_t>(moved[page]);
    other.content[to] = table.content[page];
    other.live_slots[to] = table.live_slots[page];
  }
  for (std::int32_t& entry : other.entries) {
    if (entry >= 0 && entry < table.num_blocks) entry = moved[static_cast<std::size_t>(entry)];
  }
  return other;
}

}  // namespace fa2bench
