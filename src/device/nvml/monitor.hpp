// SPDX-License-Identifier: MIT
// One GPU as NVML sees it. It needs no CUDA context, and makes none.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/nvml/library.hpp"
#include "device/nvml/processes.hpp"
#include "device/telemetry.hpp"

namespace fa2bench::nvml {

/// Everything is unknown where NVML is absent, or does not have the GPU. What a device or a user
/// may not ask for is unknown alone.
class Monitor {
 public:
  /// Found by UUID, "GPU-…": CUDA_VISIBLE_DEVICES changes the order of CUDA's devices, not NVML's.
  /// Of a MIG part CUDA gives the part's UUID. `own_namespace`: see Neighbours.
  Monitor(const std::optional<Library>& library, const std::string& uuid,
          bool own_namespace = in_own_pid_namespace());

  /// Fills in what CUDA does not tell.
  void describe(DeviceFacts& facts) const;
  /// Eight calls at most, well under a millisecond each, and nothing is allocated on the GPU.
  /// `we_hold_a_context`: a process of this run does.
  [[nodiscard]] Telemetry read(bool we_hold_a_context) const;

 private:
  [[nodiscard]] std::optional<int> other_processes(bool we_hold_a_context) const;

  Library library_;
  Handle gpu_ = nullptr;   ///< null: not found
  Handle part_ = nullptr;  ///< the MIG part; the GPU itself where it has no parts
  bool own_namespace_;
};

/// The words of Telemetry::throttle_reasons.
std::vector<std::string> reason_words(unsigned long long bits);

/// How long a device without a neighbour may look busy from work that is over.
struct Patience {
  std::chrono::milliseconds step{100};
  int steps = 15;
};
/// Read before this run has work on the GPU. Utilization is that of the last second: it is waited
/// for that the work of a process which is gone no longer shows.
Telemetry read_before_work(const std::function<Telemetry()>& read, Patience patience = {});

}  // namespace fa2bench::nvml
