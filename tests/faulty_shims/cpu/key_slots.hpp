// SPDX-License-Identifier: MIT
// Which slots of the pool a sequence's keys are read from, by the block table or by a fault.
#pragma once

#include <cstdint>
#include <vector>

#include "cpu/policy.hpp"

namespace fa2bench::faulty {

/// The slots of one sequence.
struct KeySlots {
  std::vector<std::int64_t> offsets;  ///< of each slot's first element in k and v
  std::vector<std::int32_t> blocks;   ///< physical id of each slot's block
  /// Slots from here on are no keys of the sequence: what a fault makes the last row read.
  std::int64_t kv_len = 0;
};

class SlotFinder {
 public:
  SlotFinder(const Call& call, const Policy& policy);

  /// Of sequence `seq`. Ask in ascending order: ignored tables are counted through the batch.
  KeySlots find(int seq);

 private:
  [[nodiscard]] std::int64_t blocks_of(std::int64_t keys) const;
  /// `id` where it can be a live block, else block `other`: no fault reads outside the pool.
  [[nodiscard]] std::int32_t tamed(std::int64_t id, std::int32_t other) const;
  [[nodiscard]] std::int32_t block_at(int seq, std::int64_t column) const;
  void add_block(std::int32_t block, std::int64_t first, std::int64_t last, KeySlots& slots) const;

  const Call& call_;
  const Policy& policy_;
  std::int64_t row_stride_;
  std::int32_t largest_live_ = 0;
  std::int64_t blocks_so_far_ = 0;
};

}  // namespace fa2bench::faulty
