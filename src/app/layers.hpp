// SPDX-License-Identifier: MIT
// The memory of a sample's calls: the workload's own buffers and, for a step of a model, those of
// its further layers. All hold the same data, so that the first right result is right for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/checked_calls.hpp"

namespace fa2bench {

class Layers {
 public:
  /// The workload's buffers are layer 0, as they are; the others come from the target's pool, or
  /// are allocated. Borrows everything. Throws OutOfMemory.
  Layers(const WorkloadOnDevice& target, CheckedCalls& calls, int count);

  [[nodiscard]] int count() const { return 1 + static_cast<int>(others_.size()); }
  /// Calls `one` for each layer in order, up to the first code other than 0, and returns that.
  int for_each(const std::function<int(const PagedVarlenCall&)>& one) const;

  /// Other places in memory for all, the placement of this trial for K and V, and another stream.
  /// Waits. On memory that processes of a run have in common the same trial is the same places;
  /// `filled` is what this returned to the one that placed it first, or nothing: only what is not
  /// as it was then is filled again. Returns the checksum of each layer's inputs.
  std::vector<std::uint64_t> place(std::size_t trial,
                                   const std::vector<std::uint64_t>& filled = {});
  /// Back to the pages that the workload was verified on, if place() was called or others may have
  /// been at work on the memory since.
  void restore();

  /// Fills all outputs with canaries; enqueues.
  void poison() const;
  /// Whether what the last call of every layer left is right, by its bits or else by a check.
  bool pass(const std::string& where, Repeats& all);
  /// Whether the guards and inputs of all are as they were; else false, with the run's status.
  bool are_whole(const std::string& where);

  /// How many of `wanted` layers there is memory for; of a pool, and of the same `room` if that is
  /// what each process of a run has, the same in every process.
  static int that_fit(const WorkloadOnDevice& target, int wanted,
                      const std::optional<Bytes>& room = std::nullopt);

 private:
  [[nodiscard]] std::uint64_t checksum() const;
  /// The inputs of each are whole, and have these checksums.
  void note(const std::vector<std::uint64_t>& checksums);

  const WorkloadOnDevice& target_;
  CheckedCalls& calls_;
  std::vector<WorkloadBuffers> others_;
  std::vector<PlacedBuffers> placed_;  ///< of all, in order
  std::uint64_t number_ = 0;           ///< of the first one's place, once placed
  std::optional<BlockTable> table_;    ///< unless they are placed as the workload was verified
  std::optional<std::uint64_t> right_checksum_;  ///< of all outputs where each had the first bits
};

}  // namespace fa2bench
