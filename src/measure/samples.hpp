// SPDX-License-Identifier: MIT
// What was sampled, how, and why it ended there: plain values.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "base/units.hpp"
#include "device/telemetry.hpp"

namespace fa2bench {

/// What one sample is. In the order in which they are taken: what may leave errors behind is last.
enum class Mode {
  cold,        ///< one call, the cache emptied before it, outside the interval
  warm,        ///< one call on the buffers of the call before
  step,        ///< a call for each layer, each layer with memory of its own
  sustained,   ///< calls back to back for seconds, at full duty, on the same buffers
  graph,       ///< a step, replayed from a CUDA graph
  graph_warm,  ///< as many calls on the same buffers, replayed from a CUDA graph
};
/// Names on the command line and in results, in the order of the enumerators.
inline constexpr std::array<const char*, 6> kModeNames{"cold",      "warm",  "step",
                                                       "sustained", "graph", "graph_warm"};
inline const char* to_text(Mode mode) { return kModeNames[static_cast<std::size_t>(mode)]; }
/// Whether a sample's calls are on several layers' memory.
inline bool has_layers(Mode mode) { return mode == Mode::step || mode == Mode::graph; }
inline bool is_graph(Mode mode) { return mode == Mode::graph || mode == Mode::graph_warm; }

/// What the last-level cache holds of a call's inputs when it starts.
enum class CacheState {
  swept,    ///< nothing: it was overwritten before the sample
  rotated,  ///< nothing: memory of other layers, at least twice the cache, was used since
  as_left,  ///< what earlier calls on the same memory left there
};
inline constexpr std::array<const char*, 3> kCacheStateNames{"swept", "rotated", "as_left"};
inline const char* to_text(CacheState state) {
  return kCacheStateNames[static_cast<std::size_t>(state)];
}

struct SamplingLimits {
  Seconds time_limit{5.0};      ///< of one mode; warm-up, placements and checks included
  Seconds least_time{3.0};      ///< likewise, though the interval be narrow enough before
  double precision = 0.005;     ///< relative width of the 95 % interval that is enough
  std::size_t min_trials = 10;  ///< placements before an interval may be called precise
  std::size_t max_trials = 5000;
  std::size_t min_samples = 5;  ///< of a trial, where its share of the time allows
  /// A trial is sampled for as long as its placement took, but no longer than this: where
  /// placements differ, more of them say more than more samples of one.
  Seconds trial_time{0.04};
  std::size_t max_samples = 20000;  ///< of a process
  double duty = 0.5;                ///< share of the time in which the device may be busy
  /// That a shim is run in, one after the other. In a request to one of them, the times above are
  /// its share.
  int processes = 1;
};

/// Why sampling ended.
enum class Stop {
  precise,        ///< the interval was narrow enough
  time_limit,     ///< it was not, within the time limit
  max_trials,     ///< it was not, within max_trials
  max_samples,    ///< it was not, within max_samples
  max_processes,  ///< each process was precise, all together were not
  completed,      ///< the time that the mode is defined by was over
  decided,        ///< taken in turn with other shims: how they compare was clear
  interrupted,    ///< the user asked to stop
  call_failed,    ///< a call returned a code other than 0
  call_wrong,     ///< what a call left did not pass
};
inline constexpr std::array<const char*, 10> kStopNames{
    "precise",   "time_limit", "max_trials",  "max_samples", "max_processes",
    "completed", "decided",    "interrupted", "call_failed", "call_wrong"};
inline const char* to_text(Stop stop) { return kStopNames[static_cast<std::size_t>(stop)]; }

/// Samples in one placement of the memory; of mode sustained, in one stretch of time.
struct Trial {
  std::size_t samples = 0;  ///< of Samples::device_us, one trial after the other
  std::size_t warm_up_calls = 0;
  double duty = 1.0;  ///< share of the time in which the device was busy at most
  int stream = 0;     ///< which of the device's (Device::change_stream)
  int process = 0;    ///< which of the processes that the shim was run in
  /// Which placement of the memory; shims that take turns share its number.
  std::size_t placement = 0;
};

/// What the device said of itself after a trial.
struct TrialTelemetry {
  std::size_t trial = 0;  ///< from 0
  Telemetry telemetry;
};

struct Samples {
  Mode mode = Mode::cold;
  CacheState cache = CacheState::swept;
  int calls = 1;                  ///< of the shim in a sample
  std::vector<double> device_us;  ///< of the whole sample, in the order taken
  std::vector<double> host_us;    ///< until its last call returned, same order
  std::vector<Trial> trials;
  std::vector<TrialTelemetry>
      telemetry;                 ///< after the first and the last, and every so often between
  bool settled = false;          ///< the first warm-up ended because times had stopped to drift
  std::size_t settled_from = 0;  ///< first trial that counts: of mode sustained, the later half
  double event_floor_us = 0.0;   ///< what an empty kernel reads; part of each of device_us
  bool gated = false;            ///< no delay of the host is in device_us (Device::has_gate)
  bool host_blocking = false;    ///< the call waits for the device, so it could not be gated
  Stop stop = Stop::time_limit;
  int code = 0;  ///< with call_failed
  double wall_s = 0.0;
};

/// What must be the same of two times before one may be held against the other.
struct SampleKind {
  CacheState cache = CacheState::swept;
  int calls = 1;
  bool gated = false;
  friend bool operator==(const SampleKind&, const SampleKind&) = default;
};
inline SampleKind kind_of(const Samples& samples) {
  return {samples.cache, samples.calls, samples.gated};
}

/// The samples of each trial, of such as device_us.
inline std::vector<std::span<const double>> by_trial(std::span<const double> samples,
                                                     std::span<const Trial> trials) {
  std::vector<std::span<const double>> parts;
  for (const Trial& trial : trials) {
    parts.push_back(samples.first(trial.samples));
    samples = samples.subspan(trial.samples);
  }
  return parts;
}

}  // namespace fa2bench
