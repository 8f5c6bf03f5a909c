// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>
#include <span>

#include "measure/blocks.hpp"
#include "result/json_value.hpp"
#include "result/part_json.hpp"

namespace fa2bench {
namespace {

using Json = nlohmann::ordered_json;

Json summary_json(const Summary& summary) {
  Json interval = nullptr;
  if (summary.median_interval) {
    interval = {summary.median_interval->low, summary.median_interval->high};
  }
  return {{"median", finite(summary.median)}, {"ci95", std::move(interval)},
          {"min", finite(summary.min)},       {"max", finite(summary.max)},
          {"mean", finite(summary.mean)},     {"p95", finite(summary.p95)},
          {"p99", finite(summary.p99)},       {"mad", finite(summary.mad)}};
}

Json estimate_json(const Timing& timing) {
  const bool of_trials = timing.estimate.interval.has_value();
  const char* of_what = to_text(independent_block(std::span(timing.samples.trials)));
  return {{"ci95_of", of_trials ? of_what : "samples"},
          {"between_trials_us", of_trials ? finite(timing.estimate.between) : Json(nullptr)},
          {"within_trials_us", of_trials ? finite(timing.estimate.within) : Json(nullptr)}};
}

/// One list for each member: there may be hundreds of trials.
Json trials_json(const std::vector<Trial>& trials) {
  Json samples = Json::array();
  Json warm_up_calls = Json::array();
  Json duty = Json::array();
  Json stream = Json::array();
  Json process = Json::array();
  Json placement = Json::array();
  for (const Trial& trial : trials) {
    samples.push_back(trial.samples);
    warm_up_calls.push_back(trial.warm_up_calls);
    duty.push_back(finite(trial.duty));
    stream.push_back(trial.stream);
    process.push_back(trial.process);
    placement.push_back(trial.placement);
  }
  return {{"samples", std::move(samples)}, {"warm_up_calls", std::move(warm_up_calls)},
          {"duty", std::move(duty)},       {"stream", std::move(stream)},
          {"process", std::move(process)}, {"placement", std::move(placement)}};
}

Json trial_telemetry_json(const std::vector<TrialTelemetry>& telemetry) {
  Json json = Json::array();
  for (const TrialTelemetry& after : telemetry) {
    json.push_back({{"trial", after.trial}, {"after", telemetry_json(after.telemetry)}});
  }
  return json;
}

Json numbers_json(const std::vector<double>& numbers) {
  Json json = Json::array();
  for (const double number : numbers) json.push_back(finite(number));
  return json;
}

}  // namespace

Json timing_json(const Timing& timing, DeviceKind kind) {
  const Samples& samples = timing.samples;
  return {{"mode", to_text(samples.mode)},
          {"cache", to_text(samples.cache)},
          {"calls_per_sample", samples.calls},
          {kind == DeviceKind::cuda ? "gpu_us" : "cpu_us", summary_json(timing.device)},
          {"spread", estimate_json(timing)},
          {"host_us", summary_json(timing.host)},
          {"event_floor_us", finite(samples.event_floor_us)},
          {"tb_per_s", finite(timing.tb_per_s)},
          {"tflop_per_s", finite(timing.tflop_per_s)},
          {"speed_of_light", finite(timing.speed_of_light)},
          {"limit", text_or_null(timing.limit)},
          {"cache_resident", timing.cache_resident},
          {"launch_bound", timing.launch_bound},
          {"gated", samples.gated},
          {"host_blocking", samples.host_blocking},
          {"stop", to_text(samples.stop)},
          {"sampling_s", finite(samples.wall_s)},
          {"settled_from", samples.settled_from},
          {"settled", samples.settled},
          {"trials", trials_json(samples.trials)},
          {"telemetry", trial_telemetry_json(samples.telemetry)},
          {"samples_us", numbers_json(samples.device_us)},
          {"host_samples_us", numbers_json(samples.host_us)}};
}

}  // namespace fa2bench
