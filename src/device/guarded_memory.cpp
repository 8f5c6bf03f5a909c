// SPDX-License-Identifier: MIT
#include "device/guarded_memory.hpp"

namespace fa2bench {
namespace {

/// Room for other places: several pages of a GPU, in steps of what its allocators align to.
constexpr Bytes kRoom = mib(8);
constexpr Bytes kPlace{512};

/// The guard behind an array begins at the next word.
constexpr Bytes whole_words(Bytes size) { return {(size.count + 3) / 4 * 4}; }

}  // namespace

Bytes GuardedSize::footprint() const { return whole_words(data) + guard + guard + kRoom; }

GuardedMemory::GuardedMemory(Device& device, const MemorySource& source, GuardedSize size)
    : memory_(source(size.footprint())), size_(size) {
  fill_guards(device);
}

void GuardedMemory::fill_guards(Device& device) const {
  auto* begin = static_cast<std::byte*>(data());
  device.fill_words(begin - size_.guard.count, kGuardWord, size_.guard);
  device.fill_words(begin + whole_words(size_.data).count, kGuardWord, size_.guard);
}

void GuardedMemory::relocate(Device& device, std::uint64_t number) {
  place_ = {number % (kRoom.count / kPlace.count) * kPlace.count};
  fill_guards(device);
}

void* GuardedMemory::data() const {
  return static_cast<std::byte*>(memory_.get()) + place_.count + size_.guard.count;
}

GuardedMemory::Breach GuardedMemory::find_breach(Device& device) const {
  const Bytes guard = size_.guard;
  const auto* begin = static_cast<const std::byte*>(data());
  const std::uint64_t before = device.find_other_word(begin - guard.count, kGuardWord, guard);
  if (before != kNowhere) {
    return {true, static_cast<std::int64_t>(before) - static_cast<std::int64_t>(guard.count)};
  }
  const Bytes end = whole_words(size_.data);
  const std::uint64_t after = device.find_other_word(begin + end.count, kGuardWord, guard);
  if (after != kNowhere) return {true, static_cast<std::int64_t>(end.count + after)};
  return {};
}

}  // namespace fa2bench
