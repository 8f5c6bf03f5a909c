// SPDX-License-Identifier: MIT
#include "compare/separate_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "measure/blocks.hpp"
#include "stats/mean.hpp"
#include "stats/student.hpp"

namespace fa2bench {
namespace {

/// Squared standard error of the mean; at least two values.
double squared_error(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  return squares_around_mean(values) / (count - 1.0) / count;
}

std::size_t processes_of(const Timing& timing) {
  std::set<int> processes;
  for (const Trial& trial : timing.samples.trials) processes.insert(trial.process);
  return processes.size();
}

/// The mean of the logarithms; what spread_of_runs and the ratio hold against each other.
double center_of(const Timing& timing) {
  const std::vector<double> logs = independent_logs(timing);
  return logs.empty() ? std::nan("") : mean(logs);
}

}  // namespace

std::vector<double> independent_logs(const Timing& timing) {
  const Samples& samples = timing.samples;
  const auto trials = by_trial(samples.device_us, samples.trials);
  std::vector<double> medians;
  std::vector<Trial> counted;
  for (std::size_t t = samples.settled_from; t < trials.size(); ++t) {
    if (trials[t].empty()) continue;
    medians.push_back(median(trials[t]) / samples.calls);
    counted.push_back(samples.trials[t]);
  }
  std::vector<double> logs = independent_values(medians, counted);
  for (double& value : logs) {
    if (!(value > 0.0) || !std::isfinite(value)) return {};
    value = std::log(value);
  }
  return logs;
}

double spread_of_runs(std::span<const Timing* const> timings, double confidence) {
  std::vector<double> centers;
  for (const Timing* timing : timings) {
    const double center = center_of(*timing);
    if (std::isfinite(center)) centers.push_back(center);
  }
  if (centers.size() < 2) return 0.0;
  if (centers.size() < kRunsThatTell) {
    const auto [low, high] = std::minmax_element(centers.begin(), centers.end());
    return std::expm1(*high - *low);
  }
  const auto count = static_cast<double>(centers.size());
  const double deviation = std::sqrt(squares_around_mean(centers) / (count - 1.0));
  return std::expm1(student_reach(count - 1.0, confidence) * deviation *
                    std::sqrt(1.0 + 1.0 / count));
}

void compare_timings(std::span<const Timing* const> baselines, const Timing& candidate,
                     double floor, double confidence, Comparison& row) {
  row.floor = floor;
  row.processes = processes_of(candidate);
  row.candidate_us = candidate.device.median;
  std::vector<double> before;
  std::vector<double> times;
  for (const Timing* timing : baselines) {
    const std::vector<double> logs = independent_logs(*timing);
    before.insert(before.end(), logs.begin(), logs.end());
    times.push_back(timing->device.median);
    row.processes = std::min(row.processes, processes_of(*timing));
  }
  const std::vector<double> after = independent_logs(candidate);
  row.baseline_us = median(times);
  if (before.empty() || after.empty()) {
    row.reason = "a time of 0: the clock is too coarse for this call";
    return;
  }
  const double difference = mean(after) - mean(before);
  row.ratio = std::exp(difference);
  if (before.size() < 2 || after.size() < 2) {
    row.reason = "one value of a side says nothing of its scatter; run it with more --processes";
    return;
  }
  if (row.processes < kProcessesThatTell && baselines.size() < kRunsThatTell) {
    row.reason = fmt::format(
        "processes of a side: {}, which does not tell how far the next is from them; run both with "
        "--processes {} or more, or give {} baselines",
        row.processes, kProcessesThatTell, kRunsThatTell);
    return;
  }
  const double of_before = squared_error(before);
  const double of_after = squared_error(after);
  const double error = std::sqrt(of_before + of_after);
  const double own_floor = std::log1p(floor);
  const double beyond = std::abs(difference) - own_floor;
  double half = own_floor;
  row.p_value = beyond > 0.0 ? 0.0 : 1.0;
  if (error > 0.0) {
    const auto share = [](double part, std::size_t count) {
      return part * part / (static_cast<double>(count) - 1.0);
    };
    const double freedom = std::pow(of_before + of_after, 2.0) /
                           (share(of_before, before.size()) + share(of_after, after.size()));
    half += student_reach(freedom, confidence) * error;
    if (beyond > 0.0) row.p_value = student_both_tails(freedom, beyond / error);
  }
  row.interval = Interval{std::exp(difference - half), std::exp(difference + half)};
}

}  // namespace fa2bench
