// SPDX-License-Identifier: MIT
// One device with one shim, loaded into this process: what a worker is, and what --in-process does
// without one.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <variant>

#include "device/device.hpp"
#include "shim/shim.hpp"
#include "worker/messages.hpp"

namespace fa2bench {

using PhaseListener = std::function<void(const Phase&)>;

class ShimHost {
 public:
  ShimHost(std::shared_ptr<Device> device, Shim shim);
  /// `opened` says how the shim was found; facts and description are filled in.
  ShimHost(std::shared_ptr<Device> device, Shim shim, Opened opened);

  [[nodiscard]] const Opened& opened() const { return opened_; }

  /// Plans, allocates, verifies, times, verifies again. What goes wrong with the workload is a
  /// status. Rates are left to the caller, who knows the ceilings.
  /// `next_turn` is asked if the request wants turns.
  Ran run(const RunRequest& request, const PhaseListener& listener, const std::stop_token& stop,
          const NextTurn& next_turn = {});

 private:
  Ran run_on_device(const RunRequest& request, const PhaseListener& listener,
                    const std::stop_token& stop, const NextTurn& next_turn);

  std::shared_ptr<Device> device_;
  Shim shim_;
  Opened opened_;
};

/// A process whose device is open, and that has run no code of a shim.
struct LookedAt {
  Looked told;
  std::unique_ptr<Device> device;
  std::string device_note;
};

/// Opens the device and, unless Open::most_launch_us forbids it, loads the shim, which runs its
/// code. Throws Error.
std::variant<ShimHost, LookedAt> open_shim_host(const Open& open);
/// Loads the shim after all, whatever Open::most_launch_us says. Throws Error.
ShimHost load_shim(LookedAt looked_at, const Open& open);

/// Everything that a run of the workload allocates on the device.
Bytes device_memory_needed(const Plan& plan, const HeadShape& shape, Bytes l2);

}  // namespace fa2bench
