// SPDX-License-Identifier: MIT
// The samples of one mode, taken in turn with others: who works when, where in memory, and how much
// is said from outside; while others work, this one waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

#include "measure/sampling.hpp"

namespace fa2bench {

/// A block of samples that this one shall take now.
struct Turn {
  std::size_t placement = 0;      ///< of the memory; 0 is as it lies before the first
  std::size_t samples = 1;        ///< fewer where they take longer than at_most
  std::size_t warm_up_calls = 3;  ///< of the first turn: until the times have settled, in addition
  Seconds at_most{1.0};           ///< for the samples; one is always taken
  /// Of memory that all have in common: Took::filled of who had this placement first. The sampler
  /// has no use for it.
  std::vector<std::uint64_t> filled = {};
};

/// There is no more turn in this mode. `stop` is the reason; an interrupted series may go without a
/// sample.
struct TurnsOver {
  Stop stop = Stop::time_limit;
};

/// What a turn gave: times as in Samples. Before the first, nothing: ready to begin.
struct Took {
  Mode mode = Mode::cold;
  std::vector<double> device_us;
  std::vector<double> host_us;
  SampleKind kind;  ///< of the samples, and of those of all turns before
  /// Samples of turns before that were gated are gone: the call waits for the device.
  bool host_blocking = false;
  Seconds around{};    ///< spent to place the memory and to warm up
  Seconds sampling{};  ///< spent on the samples
  /// Checksums of the inputs as they were filled for this placement; left to the caller.
  std::vector<std::uint64_t> filled = {};
};

/// Tells what the last turn gave, and waits for what is next.
using NextTurn = std::function<std::variant<Turn, TurnsOver>(const Took& last)>;

/// Any mode but sustained. A trial is a block, that is a turn. The event floor is left to the
/// caller. Throws DeviceError.
Samples take_in_turns(Device& device, const Series& series, const SamplingLimits& limits,
                      const NextTurn& next_turn);

}  // namespace fa2bench
