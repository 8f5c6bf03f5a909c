// SPDX-License-Identifier: MIT
#include "cpu/key_slots.hpp"

#include <algorithm>

namespace fa2bench::faulty {

SlotFinder::SlotFinder(const Call& call, const Policy& policy)
    : call_(call), policy_(policy), row_stride_(call.max_blocks_per_seq) {
  if (policy.stride_from_max_kv) row_stride_ = std::min(row_stride_, blocks_of(call.max_kv_len));
  for (int seq = 0; seq < call.num_seqs; ++seq) {
    const std::int32_t* row =
        call.block_tables + static_cast<std::int64_t>(seq) * call.max_blocks_per_seq;
    for (std::int64_t column = 0; column < blocks_of(call.seq_lens[seq]); ++column) {
      largest_live_ = std::max(largest_live_, row[column]);
    }
  }
}

std::int64_t SlotFinder::blocks_of(std::int64_t keys) const {
  return (keys + call_.block_size - 1) / call_.block_size;
}

std::int32_t SlotFinder::tamed(std::int64_t id, std::int32_t other) const {
  return id >= 0 && id <= largest_live_ ? static_cast<std::int32_t>(id) : other;
}

std::int32_t SlotFinder::block_at(int seq, std::int64_t column) const {
  const std::int32_t* row = call_.block_tables + seq * row_stride_;
  switch (policy_.table) {
    case Policy::Table::followed:
      break;
    case Policy::Table::contiguous:
      return tamed(std::int64_t{row[0]} + column, largest_live_);
    case Policy::Table::ignored:
      return tamed(blocks_so_far_ + column, largest_live_);
  }
  return tamed(row[column], tamed(row[0], 0));
}

void SlotFinder::add_block(std::int32_t block, std::int64_t first, std::int64_t last,
                           KeySlots& slots) const {
  const std::int64_t slot_elements = std::int64_t{call_.num_kv_heads} * call_.head_dim;
  std::int64_t offset = block * slot_elements * call_.block_size;
  switch (policy_.offset) {
    case Policy::Offset::wide:
      break;
    case Policy::Offset::int32_bytes:
      // A negative offset would fault at once; block 0 is what a luckier build reads.
      offset = std::max(0, static_cast<std::int32_t>(static_cast<std::uint32_t>(2 * offset))) / 2;
      break;
    case Policy::Offset::uint32_elements:
      offset = static_cast<std::uint32_t>(offset);
      break;
  }
  for (std::int64_t slot = first; slot < last; ++slot) {
    slots.offsets.push_back(offset + slot * slot_elements);
    slots.blocks.push_back(block);
  }
}

KeySlots SlotFinder::find(int seq) {
  KeySlots slots;
  slots.kv_len = call_.seq_lens[seq];
  const std::int64_t block_size = call_.block_size;
  const std::int64_t live = blocks_of(slots.kv_len);
  for (std::int64_t column = 0; column < live; ++column) {
    add_block(block_at(seq, column), 0, std::min(block_size, slots.kv_len - column * block_size),
              slots);
  }
  if (policy_.tail != Policy::Tail::ignored && live > 0) {
    add_block(block_at(seq, live - 1), slots.kv_len - (live - 1) * block_size, block_size, slots);
  }
  if (policy_.walk_full_table && live > 0) {
    for (std::int64_t column = live; column < call_.max_blocks_per_seq; ++column) {
      add_block(block_at(seq, column), 0, block_size, slots);
    }
  }
  blocks_so_far_ += live;
  return slots;
}

}  // namespace fa2bench::faulty
