// SPDX-License-Identifier: MIT
#include "output/timing_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/text.hpp"
#include "output/notes.hpp"

namespace fa2bench {
namespace {

/// A clock that moves by more than this part of itself says that times moved too.
constexpr double kClockChange = 0.01;
/// A clock in calls that is below NVML's by more than this part of it is one that NVML hides.
constexpr double kClockGap = 0.05;

/// What several series say together, and which they are.
struct Held {
  std::vector<std::string> reasons;
  std::optional<double> lowest_mhz;
  double lowest_duty = 1.0;
  std::vector<std::string> places;
};
struct Moved {
  double most = 0.0;  ///< part of the first value
  std::vector<std::string> places;
};

void add_throttling(const Samples& samples, const std::string& place, Held& held) {
  bool throttled = false;
  for (const TrialTelemetry& after : samples.telemetry) {
    const Telemetry& telemetry = after.telemetry;
    if (!is_throttled(telemetry)) continue;
    throttled = true;
    for (const std::string& reason : *telemetry.throttle_reasons) {
      const bool known =
          std::find(held.reasons.begin(), held.reasons.end(), reason) != held.reasons.end();
      if (is_power_or_heat(reason) && !known) held.reasons.push_back(reason);
    }
    if (telemetry.sm_mhz) {
      held.lowest_mhz = std::min(held.lowest_mhz.value_or(*telemetry.sm_mhz), *telemetry.sm_mhz);
    }
  }
  if (!throttled) return;
  held.places.push_back(place);
  for (const Trial& trial : samples.trials) {
    held.lowest_duty = std::min(held.lowest_duty, trial.duty);
  }
}

void add_clock(const Samples& samples, std::optional<double> Telemetry::*clock,
               const std::string& place, Moved& moved) {
  if (samples.telemetry.empty()) return;
  const std::optional<double> first = samples.telemetry.front().telemetry.*clock;
  const std::optional<double> last = samples.telemetry.back().telemetry.*clock;
  if (!first || !last || !(*first > 0.0)) return;
  const double change = std::abs(*last - *first) / *first;
  if (change <= kClockChange) return;
  moved.most = std::max(moved.most, change);
  moved.places.push_back(place);
}

/// The clock in calls, in the middle of all that were looked at, where NVML's is another.
struct Slowed {
  double lowest_mhz = std::numeric_limits<double>::infinity();
  double highest_mhz = 0.0;
  double nvml_mhz = 0.0;
  std::vector<std::string> places;
};

void add_clock_in_calls(const Samples& samples, const std::string& place, Slowed& slowed) {
  std::vector<double> in_calls;
  std::vector<double> by_nvml;
  for (const TrialTelemetry& after : samples.telemetry) {
    if (!after.telemetry.sm_mhz || !after.telemetry.sm_mhz_in_call) continue;
    in_calls.push_back(*after.telemetry.sm_mhz_in_call);
    by_nvml.push_back(*after.telemetry.sm_mhz);
  }
  if (in_calls.empty()) return;
  const double mhz = median(in_calls);
  const double nvml_mhz = median(by_nvml);
  if (mhz >= nvml_mhz * (1.0 - kClockGap)) return;
  slowed.lowest_mhz = std::min(slowed.lowest_mhz, mhz);
  slowed.highest_mhz = std::max(slowed.highest_mhz, mhz);
  slowed.nvml_mhz = std::max(slowed.nvml_mhz, nvml_mhz);
  slowed.places.push_back(place);
}

/// Medians of the trials, of one call.
std::vector<double> trial_times(const Samples& samples) {
  std::vector<double> times;
  for (const std::span<const double> trial : by_trial(samples.device_us, samples.trials)) {
    if (!trial.empty()) times.push_back(median(trial) / samples.calls);
  }
  return times;
}

/// " (1980 MHz, 650 W, sw_power_cap)" of the time after a trial; "" where nothing is known.
std::string state_text(const Samples& samples, std::size_t trial) {
  const auto after = std::find_if(samples.telemetry.begin(), samples.telemetry.end(),
                                  [&](const TrialTelemetry& t) { return t.trial == trial; });
  if (after == samples.telemetry.end()) return "";
  const Telemetry& telemetry = after->telemetry;
  std::vector<std::string> parts;
  const std::optional<double> mhz = telemetry.sm_mhz ? telemetry.sm_mhz : telemetry.cpu_mhz;
  if (mhz) parts.push_back(fmt::format("{:.0f} MHz", *mhz));
  if (telemetry.power_w) parts.push_back(fmt::format("{:.0f} W", *telemetry.power_w));
  for (const std::string& reason :
       telemetry.throttle_reasons.value_or(std::vector<std::string>())) {
    if (is_power_or_heat(reason)) parts.push_back(reason);
  }
  return parts.empty() ? "" : " (" + join(parts) + ")";
}

std::string sustained_text(const Timing& timing, const std::string& place) {
  const Samples& samples = timing.samples;
  const std::vector<double> times = trial_times(samples);
  const auto fastest = std::min_element(times.begin(), times.end());
  const auto number = static_cast<std::size_t>(fastest - times.begin());
  return fmt::format("{}: a call takes {}{} at first, {}{} at its fastest, and settles at {}{}\n",
                     place, to_text(Microseconds(times.front())), state_text(samples, 0),
                     to_text(Microseconds(*fastest)), state_text(samples, number),
                     to_text(Microseconds(timing.device.median)),
                     state_text(samples, samples.trials.size() - 1));
}

/// "synchronizes, allocates", each once.
std::string uses_text(const std::vector<ApiCalls>& calls) {
  std::vector<std::string> uses;
  for (const ApiCalls& one : calls) {
    const char* use = to_text(api_use(one.name));
    if (std::find(uses.begin(), uses.end(), use) == uses.end()) uses.emplace_back(use);
  }
  return join(uses);
}

/// What the call does inside besides launching; "" if nothing is known.
std::string inside_text(const Run& run) {
  const bool waits = std::any_of(run.timings.begin(), run.timings.end(),
                                 [](const Timing& timing) { return timing.samples.host_blocking; });
  const std::vector<ApiCalls> calls = run.kernels ? run.kernels->blocking : std::vector<ApiCalls>();
  if (!waits && calls.empty()) return "";
  std::string text = "the shim ";
  text += waits ? "waits for the device inside the call, so that times hold delays of the host"
                : uses_text(calls) + " inside the call";
  std::vector<std::string> names;
  for (const ApiCalls& one : calls) {
    names.push_back(fmt::format("{} x {}", printable(one.name), one.count));
  }
  if (!names.empty()) return text + ": " + join(names);
  return run.kernels ? text : text + "; --kernels names the calls where CUPTI is there";
}

class TimingNotes {
 public:
  void add(const Run& run, std::optional<double> quick_launch_us, const std::string& place) {
    const auto slow = [&](double launch_us) {
      return quick_launch_us && launch_us > *quick_launch_us;
    };
    if (std::any_of(run.launch_us.begin(), run.launch_us.end(), slow)) {
      notes_.add(
          "not every process could be one of those that launch kernels quickly: in the others "
          "short "
          "calls take up to 1 % longer",
          place);
    }
    if (const std::string inside = inside_text(run); !inside.empty()) notes_.add(inside, place);
  }

  void add(const Timing& timing, int layers, const std::string& place) {
    const Samples& samples = timing.samples;
    if (timing.launch_bound) {
      notes_.add(
          "a call takes longer to return than the GPU takes for it: back to back, the GPU "
          "waits for the host",
          place);
    }
    if ((samples.mode == Mode::step || samples.mode == Mode::graph) && samples.calls < layers) {
      notes_.add(fmt::format("a step is of {} of the model's {} layers: no more fit into memory",
                             samples.calls, layers),
                 place);
    }
    if (is_of_samples_only(timing)) {
      notes_.add("* ± is of the samples alone: it does not cover other places in memory", place);
    }
    if (samples.mode == Mode::sustained) {  // neither warm-up nor a pace, and clocks may fall
      sustained_ += sustained_text(timing, place);
      return;
    }
    if (!samples.settled) notes_.add("times had not settled when the warm-up ended", place);
    add_throttling(samples, place, held_);
    add_clock(samples, &Telemetry::sm_mhz, place, sm_clock_);
    add_clock(samples, &Telemetry::memory_mhz, place, memory_clock_);
    add_clock_in_calls(samples, place, slowed_);
  }

  std::string text(double duty) {
    add_all(held_text(duty), held_.places);
    add_all(moved_text("SM", sm_clock_), sm_clock_.places);
    add_all(moved_text("memory", memory_clock_), memory_clock_.places);
    add_all(slowed_text(), slowed_.places);
    return notes_.text() + sustained_;
  }

 private:
  void add_all(const std::string& note, const std::vector<std::string>& places) {
    for (const std::string& place : places) notes_.add(note, place);
  }

  [[nodiscard]] std::string held_text(double duty) const {
    std::string text = "power or heat held the GPU back: " + join(held_.reasons);
    if (held_.lowest_mhz) text += fmt::format(", SM clock down to {:.0f} MHz", *held_.lowest_mhz);
    if (held_.lowest_duty < duty) {
      text += fmt::format(", duty lowered to {:.0f} %", 100.0 * held_.lowest_duty);
    }
    return text;
  }
  static std::string moved_text(const char* clock, const Moved& moved) {
    return fmt::format("the {} clock changed by {}{:.1f} % from the first trial to the last", clock,
                       moved.places.size() > 1 ? "up to " : "", 100.0 * moved.most);
  }

  [[nodiscard]] std::string slowed_text() const {
    const bool one = std::round(slowed_.lowest_mhz) == std::round(slowed_.highest_mhz);
    return fmt::format("in the calls the SMs ran at {:.0f}{} MHz, though NVML says {:.0f} MHz",
                       slowed_.lowest_mhz, one ? "" : fmt::format(" … {:.0f}", slowed_.highest_mhz),
                       slowed_.nvml_mhz);
  }

  Notes notes_;
  Held held_;
  Slowed slowed_;
  Moved sm_clock_;
  Moved memory_clock_;
  std::string sustained_;
};

}  // namespace

bool is_of_samples_only(const Timing& timing) {
  return timing.device.median_interval && !timing.estimate.interval;
}

std::string timing_notes(const Report& report) {
  if (!report.profiler.empty()) return "";
  TimingNotes notes;
  const bool many_shims = report.shims.size() > 1;
  for (const WorkloadResult& result : report.workloads) {
    for (const Run& run : result.runs) {
      const std::string place = result.workload.name + (many_shims ? " · " + run.shim : "");
      notes.add(run, report.quick_launch_us, place);
      for (const Timing& timing : run.timings) {
        notes.add(timing, result.workload.layers, place + " · " + to_text(timing.samples.mode));
      }
    }
  }
  return notes.text(report.limits.duty);
}

}  // namespace fa2bench
