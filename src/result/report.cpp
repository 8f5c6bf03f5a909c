// SPDX-License-Identifier: MIT
#include "result/report.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "measure/blocks.hpp"

namespace fa2bench {

const char* to_text(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::wrong:
      return "wrong";
    case Status::unsupported:
      return "unsupported";
    case Status::failed:
      return "failed";
    case Status::crashed:
      return "crashed";
    case Status::timeout:
      return "timeout";
    case Status::does_not_fit:
      return "does_not_fit";
    case Status::not_run:
      break;
  }
  return "not_run";
}

const Timing* timing_of(const Run& run, Mode mode) {
  const auto found =
      std::find_if(run.timings.begin(), run.timings.end(),
                   [mode](const Timing& timing) { return timing.samples.mode == mode; });
  return found == run.timings.end() ? nullptr : &*found;
}

namespace {

/// Of one call, of the trials that count.
std::vector<double> per_call(const std::vector<double>& samples, const Samples& of) {
  std::size_t first = 0;
  for (std::size_t t = 0; t < of.settled_from && t < of.trials.size(); ++t) {
    first += of.trials[t].samples;
  }
  std::vector<double> times;
  times.reserve(samples.size() - first);
  for (std::size_t i = first; i < samples.size(); ++i) times.push_back(samples[i] / of.calls);
  return times;
}

TrialsEstimate estimate(const std::vector<double>& times, const Samples& of) {
  const std::span<const Trial> counted = std::span(of.trials).subspan(of.settled_from);
  const std::vector<std::span<const double>> trials = by_trial(times, counted);
  TrialsEstimate estimate = estimate_from_trials(trials);
  if (independent_block(counted) == Block::trials) return estimate;
  std::vector<double> medians;
  for (const std::span<const double> trial : trials) {
    medians.push_back(trial.empty() ? 0.0 : median(trial));
  }
  const Center center = estimate_center(independent_values(medians, counted));
  estimate.center = center.value;
  estimate.interval = center.interval;
  return estimate;
}

/// Order statistics of all samples, but for the median and its interval where the trials give one.
/// Device and host alike, so that the two can be compared.
Summary summary_of(const std::vector<double>& times, const TrialsEstimate& estimate) {
  Summary summary = summarize(times);
  if (!estimate.interval) return summary;
  summary.median = estimate.center;
  summary.median_interval = estimate.interval;
  return summary;
}

TrialsEstimate estimate_of_times(const std::vector<double>& times, const Samples& samples) {
  TrialsEstimate found = estimate(times, samples);
  // Few trials that differ much have an interval that Student's t draws below 0; no time is there.
  if (found.interval) found.interval->low = std::max(found.interval->low, 0.0);
  return found;
}

}  // namespace

Timing summarize_samples(Samples samples) {
  Timing timing;
  const std::vector<double> times = per_call(samples.device_us, samples);
  const std::vector<double> host = per_call(samples.host_us, samples);
  timing.estimate = estimate_of_times(times, samples);
  timing.device = summary_of(times, timing.estimate);
  timing.host = summary_of(host, estimate_of_times(host, samples));
  timing.samples = std::move(samples);
  return timing;
}

Timing make_timing(Samples samples, const Plan& plan, const DeviceFacts& device,
                   const Ceilings& ceilings) {
  Timing timing = summarize_samples(std::move(samples));
  const double seconds = timing.device.median * 1e-6;
  const auto bytes = static_cast<double>(plan.cost.bytes_unique.count);
  timing.cache_resident =
      timing.samples.cache == CacheState::as_left && plan.cost.bytes_unique <= device.l2;
  timing.launch_bound =
      device.kind == DeviceKind::cuda && timing.host.median > timing.device.median;
  if (!(seconds > 0.0)) return timing;  // a clock too coarse: no rate can be given
  const double tb_per_s = bytes / seconds * 1e-12;
  const double tflop_per_s = plan.cost.flops / seconds * 1e-12;
  timing.tb_per_s = tb_per_s;
  timing.tflop_per_s = tflop_per_s;
  const auto consider = [&](std::optional<double> ceiling, double share, const char* name) {
    if (!ceiling || !(*ceiling > 0.0) || (timing.speed_of_light && *timing.speed_of_light >= share))
      return;
    timing.speed_of_light = share;
    timing.limit = name;
  };
  if (!timing.cache_resident) {
    consider(ceilings.read_gb_per_s, tb_per_s * 1e3 / ceilings.read_gb_per_s.value_or(1.0), "read");
  }
  consider(ceilings.matrix_tflop_per_s, tflop_per_s / ceilings.matrix_tflop_per_s.value_or(1.0),
           "matrix");
  return timing;
}

}  // namespace fa2bench
