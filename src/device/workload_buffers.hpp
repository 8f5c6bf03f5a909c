// SPDX-License-Identifier: MIT
// All memory that a call of one workload touches: inputs filled, outputs poisoned, guards around.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "abi/call.hpp"
#include "device/device.hpp"
#include "device/shared_pool.hpp"
#include "workload/block_table.hpp"
#include "workload/plan.hpp"
#include "workload/workload.hpp"

namespace fa2bench {

/// A NaN payload no arithmetic makes: an output element that still holds it was not written.
inline constexpr std::uint16_t kCanaryHalf = 0x7DA5;
inline constexpr std::uint32_t kCanaryFloat = 0x7FA5C3A5U;
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

/// Borrows the device, which must outlive it.
class WorkloadBuffers {
 public:
  /// Allocates and fills everything; returns when the device is done. Throws OutOfMemory.
  WorkloadBuffers(Device& device, const Workload& workload, const Plan& plan,
                  const BlockTable& table);
  /// The same with what a call touches from this source, array by array as in sizes().
  WorkloadBuffers(Device& device, const Workload& workload, const Plan& plan,
                  const BlockTable& table, const MemorySource& source);

  [[nodiscard]] const PagedVarlenCall& call() const { return call_; }

  /// Waits. Takes other places in memory for everything, by any number, and fills them, K and V on
  /// the pages of this table, of the same size. Allocates nothing. Returns input_checksum().
  ///
  /// The same number is the same places in all processes that have the memory in common, so one
  /// that comes later finds there what an earlier one has filled: with the `expected` checksum that
  /// was returned there, inputs are filled again only if theirs is another, as after a shim that
  /// wrote to them. Guards and outputs are filled in any case: what a shim did to them is told of
  /// itself and of nobody else.
  std::uint64_t relocate(const Workload& workload, const BlockTable& table, std::uint64_t number,
                         std::optional<std::uint64_t> expected = std::nullopt);
  /// Fills out and lse with canaries; enqueues.
  void poison_outputs() const;
  /// Waits. Fills all inputs anew, the pools and the block table by another table of the same size.
  void refill(const Workload& workload, const BlockTable& table) const;
  /// Enqueues. Fills q with the data of this seed instead of the workload's.
  void refill_queries(std::uint64_t seed) const;
  /// Wait. Canaries and non-finite values, those of rows that see no key counted apart.
  [[nodiscard]] OutputScan scan_out() const;
  [[nodiscard]] OutputScan scan_lse() const;
  /// Waits. Changes when a bit of out, or of lse, or of either does.
  [[nodiscard]] std::uint64_t out_checksum() const;
  [[nodiscard]] std::uint64_t lse_checksum() const;
  [[nodiscard]] std::uint64_t outputs_checksum() const;
  /// out and lse.
  [[nodiscard]] std::array<Region, 2> outputs() const;
  /// Waits; changes when a bit of any input does.
  [[nodiscard]] std::uint64_t input_checksum() const;
  /// Waits. "out-of-bounds write at byte 512 of lse, which has 512"; "" if every guard is whole.
  [[nodiscard]] std::string guard_breach() const;

  /// What the constructor will allocate on the device, where it has no other source.
  static Bytes footprint(const Plan& plan, const HeadShape& shape);
  /// What it will take from its source, and what it will allocate besides.
  static std::vector<Bytes> sizes(const Plan& plan, const HeadShape& shape);
  static Bytes private_footprint(const Plan& plan);

 private:
  /// In the order of the members.
  using Sizes = std::array<GuardedSize, 8>;
  static Sizes guarded_sizes(const Plan& plan, const HeadShape& shape);
  WorkloadBuffers(Device& device, const Workload& workload, const Plan& plan,
                  const BlockTable& table, const MemorySource& source, const Sizes& sizes);

  struct Named {
    const char* name;
    const GuardedMemory* memory;
  };
  [[nodiscard]] std::vector<Named> all() const;
  /// Lets the call point to the memory.
  void point();
  void fill_pools(const Workload& workload, const BlockTable& table) const;
  [[nodiscard]] std::uint64_t checksum(std::initializer_list<const GuardedMemory*> of) const;

  Device* device_;
  GuardedMemory k_;
  GuardedMemory v_;
  GuardedMemory q_;
  GuardedMemory out_;
  GuardedMemory lse_;
  GuardedMemory cu_seqlens_q_;
  GuardedMemory seq_lens_;
  GuardedMemory block_tables_;
  DeviceMemory content_;     ///< [num_blocks] i32: see PoolFill
  DeviceMemory live_slots_;  ///< [num_blocks] u16, likewise
  DeviceMemory empty_rows_;  ///< [total_q_tokens]: 1 for those that see no key; null without any
  PagedVarlenCall call_;
};

}  // namespace fa2bench
