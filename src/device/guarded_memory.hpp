// SPDX-License-Identifier: MIT
// One array of a call between guards, which tell of a shim that writes past it.
#pragma once

#include <cstdint>

#include "device/device.hpp"
#include "device/shared_pool.hpp"

namespace fa2bench {

/// Fills the guards; as two f16 it is NaN, as an i32 it is far outside any table.
inline constexpr std::uint32_t kGuardWord = 0x7E3C7E3CU;

struct GuardedSize {
  Bytes data;
  Bytes guard;  ///< before it and behind it, at least
  /// Bytes that an allocation for it takes, with room for other places.
  [[nodiscard]] Bytes footprint() const;
};

/// `data` with a guard before and after it, in one allocation that has room for other places.
class GuardedMemory {
 public:
  /// Takes its footprint from the source and fills the guards. Throws OutOfMemory.
  GuardedMemory(Device& device, const MemorySource& source, GuardedSize size);

  [[nodiscard]] void* data() const;
  [[nodiscard]] Bytes size() const { return size_.data; }

  /// Takes another place in the allocation, by any number, and fills its guards. What was in `data`
  /// is no longer.
  void relocate(Device& device, std::uint64_t number);

  /// Waits. Byte offset, relative to data (negative: before it), of the first guard byte's word
  /// that was overwritten; `hit` is false if none was.
  struct Breach {
    bool hit = false;
    std::int64_t offset = 0;
  };
  [[nodiscard]] Breach find_breach(Device& device) const;

 private:
  void fill_guards(Device& device) const;

  DeviceMemory memory_;
  GuardedSize size_;
  Bytes place_;  ///< of the guard before `data`, from the start of the allocation
};

}  // namespace fa2bench
