// SPDX-License-Identifier: MIT
// One shim on one workload: single calls, and what each left held against the reference and against
// the first right one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/shim_host.hpp"
#include "device/workload_buffers.hpp"
#include "result/report.hpp"
#include "shim/shim.hpp"
#include "verify/verifier.hpp"

namespace fa2bench {

/// A workload in device memory. Borrows everything.
struct WorkloadOnDevice {
  Device& device;
  const Workload& workload;
  const Plan& plan;
  const BlockTable& table;        ///< where K and V lie when calls are timed
  const BlockTable& other_pages;  ///< where they lie at first
  WorkloadBuffers& buffers;
  const Verifier& verifier;
  /// Memory that other processes have open too, of which the buffers are layer 0; null: they are
  /// this process's own.
  const OpenedPool* pool = nullptr;
};

/// What the tool's own checks of one call may well take, beyond the session's patience with shims.
inline constexpr double kOwnWorkSeconds = 600.0;

/// Buffers whose inputs are whole.
struct PlacedBuffers {
  const WorkloadBuffers* buffers = nullptr;
  const BlockTable* table = nullptr;  ///< of the pages that K and V lie on
  std::uint64_t input_checksum = 0;
};

/// The bits of both outputs.
struct OutputBits {
  std::uint64_t out = 0;
  std::uint64_t lse = 0;
  bool operator==(const OutputBits&) const = default;
};

class CheckedCalls {
 public:
  /// Borrows everything.
  CheckedCalls(const Shim& shim, const WorkloadOnDevice& target, const PhaseListener& listener)
      : shim_(shim), target_(target), listener_(listener), placed_{&target.buffers} {}

  /// How the shim did so far; without a status of its own until a call or a check fails.
  Run run;

  /// Fills all inputs anew, K and V on the pages of this table.
  void place(const BlockTable& table);
  /// All inputs are whole, and K and V lie on the pages of this table.
  void note_inputs(const BlockTable& table);
  /// From now on "the last call" is that which was made with these buffers.
  void look_at(const PlacedBuffers& placed) { placed_ = placed; }

  /// Poisons the outputs, calls once and waits. False, with the run's status, if the call itself
  /// did not do well; `where` says which call it was.
  bool call(const std::string& where);
  /// The same on another stream than the later ones; its time is the run's first_call_us.
  bool call_first(const std::string& where);
  /// Holds what the last call left against the reference. False, with the run's status, unless it
  /// is right.
  bool check(const std::string& where);
  bool call_and_check(const std::string& where) { return call(where) && check(where); }
  /// The same without a word in `run`, and without a search for the mistake.
  VerifyReport look();

  /// From now on what the last call left is the first right result.
  void keep_as_first();
  [[nodiscard]] OutputBits bits() const;
  /// Whether the last call left the bits of the first right one.
  [[nodiscard]] bool same_bits() const {
    return placed_.buffers->outputs_checksum() == first_checksum_;
  }
  /// Counts the last call, which left other bits; no fault as long as they are right.
  bool check_other_bits(const std::string& where, Repeats& repeats);

  [[nodiscard]] Microseconds took() const { return took_; }  ///< the last call
  [[nodiscard]] const PlacedBuffers& placed() const { return placed_; }
  [[nodiscard]] const Observed& left() const { return left_; }  ///< by the last call checked

 private:
  void begin(const std::string& where);
  /// Waits, and fills `run` unless the call did well.
  bool did_well(const CallOutcome& outcome, const std::string& where);

  const Shim& shim_;
  const WorkloadOnDevice& target_;
  const PhaseListener& listener_;
  PlacedBuffers placed_;
  Microseconds took_{};
  Observed left_;
  Observed first_;
  OutputBits first_bits_;
  std::uint64_t first_checksum_ = 0;
};

/// The run of a call of this workload that returned another code than 0.
Run refused(const Plan& plan, const CallOutcome& outcome);

}  // namespace fa2bench
