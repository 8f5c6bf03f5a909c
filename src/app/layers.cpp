// SPDX-License-Identifier: MIT
#include "app/layers.hpp"

#include <algorithm>

namespace fa2bench {
namespace {

/// Left free for what a shim allocates itself.
constexpr Bytes kReserveOfLayers = mib(512);

}  // namespace

Layers::Layers(const WorkloadOnDevice& target, CheckedCalls& calls, int count)
    : target_(target), calls_(calls) {
  others_.reserve(static_cast<std::size_t>(count - 1));
  std::vector<std::uint64_t> checksums{target.buffers.input_checksum()};
  for (std::size_t i = 1; i < static_cast<std::size_t>(count); ++i) {
    if (target.pool != nullptr) {
      others_.emplace_back(target.device, target.workload, target.plan, target.table,
                           target.pool->layer(i));
    } else {
      others_.emplace_back(target.device, target.workload, target.plan, target.table);
    }
    checksums.push_back(others_.back().input_checksum());
  }
  note(checksums);
}

int Layers::for_each(const std::function<int(const PagedVarlenCall&)>& one) const {
  int code = one(target_.buffers.call());
  for (std::size_t i = 0; i < others_.size() && code == 0; ++i) code = one(others_[i].call());
  return code;
}

void Layers::note(const std::vector<std::uint64_t>& checksums) {
  const BlockTable* table = table_ ? &*table_ : &target_.table;
  placed_.clear();
  placed_.push_back({&target_.buffers, table, checksums.front()});
  for (const WorkloadBuffers& other : others_) {
    placed_.push_back({&other, table, checksums[placed_.size()]});
  }
  calls_.look_at(placed_.front());
}

std::vector<std::uint64_t> Layers::place(std::size_t trial,
                                         const std::vector<std::uint64_t>& filled) {
  table_ = build_block_table(target_.workload, static_cast<std::uint32_t>(trial));
  target_.device.change_stream();
  number_ = static_cast<std::uint64_t>(trial) * static_cast<std::uint64_t>(count());
  std::vector<std::uint64_t> checksums;
  const auto relocate = [&](WorkloadBuffers& buffers) {
    const std::size_t layer = checksums.size();
    const auto expected = layer < filled.size() ? std::optional(filled[layer]) : std::nullopt;
    checksums.push_back(buffers.relocate(target_.workload, *table_, number_ + layer, expected));
  };
  relocate(target_.buffers);
  for (WorkloadBuffers& other : others_) relocate(other);
  note(checksums);
  return checksums;
}

void Layers::restore() {
  if (table_ || target_.pool != nullptr) {
    target_.buffers.relocate(target_.workload, target_.table, number_);
    calls_.note_inputs(target_.table);
  }
  table_.reset();
}

void Layers::poison() const {
  for (const PlacedBuffers& placed : placed_) placed.buffers->poison_outputs();
}

std::uint64_t Layers::checksum() const {
  std::vector<Region> regions;
  for (const PlacedBuffers& placed : placed_) {
    for (const Region& region : placed.buffers->outputs()) regions.push_back(region);
  }
  return target_.device.checksum(regions);
}

bool Layers::pass(const std::string& where, Repeats& all) {
  all.calls += count();
  if (count() > 1 && right_checksum_ && checksum() == *right_checksum_) return true;
  bool same = true;
  for (const PlacedBuffers& placed : placed_) {
    calls_.look_at(placed);
    if (calls_.same_bits()) continue;
    same = false;
    if (!calls_.check_other_bits(where, all)) return false;
  }
  calls_.look_at(placed_.front());
  if (count() > 1 && same) right_checksum_ = checksum();
  return true;
}

bool Layers::are_whole(const std::string& where) {
  for (std::size_t layer = 0; layer < placed_.size(); ++layer) {
    const WorkloadBuffers& buffers = *placed_[layer].buffers;
    const bool whole =
        buffers.guard_breach().empty() && buffers.input_checksum() == placed_[layer].input_checksum;
    if (whole) continue;
    calls_.look_at(placed_[layer]);
    if (calls_.check(where)) throw DeviceError(where + ": guards or inputs changed twice", false);
    return false;
  }
  return true;
}

int Layers::that_fit(const WorkloadOnDevice& target, int wanted, const std::optional<Bytes>& room) {
  if (target.pool != nullptr) {
    return static_cast<int>(std::min(static_cast<std::size_t>(wanted), target.pool->layers()));
  }
  const Bytes one = WorkloadBuffers::footprint(target.plan, target.workload.shape);
  const auto more = [&](Bytes memory, Bytes taken) {
    return memory.count > taken.count ? (memory.count - taken.count) / one.count : 0;
  };
  std::uint64_t others = more(target.device.free_memory(), kReserveOfLayers);
  if (room) {
    const Bytes first = one + sweep_memory(target.device.facts().l2);
    others = std::min(others, more(*room, first + kReserveOfLayers));
  }
  return static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1 + others));
}

}  // namespace fa2bench
