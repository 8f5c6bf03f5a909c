// SPDX-License-Identifier: MIT
#include <utility>

#include "result/read_parts.hpp"
#include "result/read_report.hpp"

namespace fa2bench {
namespace {

/// Each trial has a placement of its own in results of builds where shims did not take turns.
void read_placements(const JsonReader& lists, std::vector<Trial>& trials) {
  const auto list = lists.find("placement");
  if (list && list->elements().size() != trials.size()) list->fail("one number for each trial");
  for (std::size_t i = 0; i < trials.size(); ++i) {
    trials[i].placement = list ? list->elements()[i].unsigned64() : i;
  }
}

/// The trials hold all samples, and at least one of those that count.
void read_trials(const JsonReader& place, Samples& samples) {
  const JsonReader lists = place.at("trials");
  const JsonReader counts = lists.at("samples");
  std::size_t held = 0;
  std::size_t counted = 0;
  samples.settled_from = read_count(place, "settled_from");
  for (const JsonReader& count : counts.elements()) {
    Trial& trial = samples.trials.emplace_back();
    trial.samples = count.unsigned64();
    if (trial.samples > samples.device_us.size() - held) {
      counts.fail("as many samples as samples_us");
    }
    held += trial.samples;
    if (samples.trials.size() > samples.settled_from) counted += trial.samples;
  }
  if (held != samples.device_us.size()) counts.fail("as many samples as samples_us");
  if (counted == 0) place.at("settled_from").fail("a trial with a sample at or after it");
  const JsonReader warm_up_calls = lists.at("warm_up_calls");
  const JsonReader duty = lists.at("duty");
  const JsonReader stream = lists.at("stream");
  const JsonReader process = lists.at("process");
  for (const JsonReader& list : {warm_up_calls, duty, stream, process}) {
    if (list.elements().size() != samples.trials.size()) list.fail("one number for each trial");
  }
  for (std::size_t i = 0; i < samples.trials.size(); ++i) {
    samples.trials[i].warm_up_calls = warm_up_calls.elements()[i].unsigned64();
    samples.trials[i].duty = duty.elements()[i].number(0.0, 1.0);
    samples.trials[i].stream = static_cast<int>(stream.elements()[i].integer(0, INT32_MAX));
    samples.trials[i].process = static_cast<int>(process.elements()[i].integer(0, INT32_MAX));
  }
  read_placements(lists, samples.trials);
}

void read_trial_telemetry(const JsonReader& place, Samples& samples) {
  for (const JsonReader& element : place.at("telemetry").elements()) {
    const JsonReader trial = element.at("trial");
    const auto number = static_cast<std::size_t>(trial.unsigned64());
    if (number >= samples.trials.size()) trial.fail("the number of a trial");
    samples.telemetry.push_back({number, read_telemetry(element.at("after"))});
  }
}

}  // namespace

/// A summary is made from its samples again, so that it can never disagree with them.
Timing read_timing(const JsonReader& place) {
  Samples samples;
  samples.mode = read_enum(place, "mode", Mode::graph_warm);
  samples.cache = read_enum(place, "cache", CacheState::as_left);
  samples.calls = static_cast<int>(place.at("calls_per_sample").integer(1, INT32_MAX));
  samples.event_floor_us = read_number(place, "event_floor_us");
  samples.stop = read_enum(place, "stop", Stop::call_wrong);
  samples.gated = place.at("gated").boolean();
  samples.host_blocking = place.at("host_blocking").boolean();
  samples.wall_s = read_number(place, "sampling_s");
  samples.device_us = read_times(place, "samples_us");
  samples.host_us = read_times(place, "host_samples_us");
  if (samples.device_us.empty()) place.at("samples_us").fail("at least one sample");
  if (samples.host_us.size() != samples.device_us.size()) {
    place.at("host_samples_us").fail("as many as samples_us");
  }
  read_trials(place, samples);
  read_trial_telemetry(place, samples);
  samples.settled = place.at("settled").boolean();
  Timing timing = summarize_samples(std::move(samples));
  timing.tb_per_s = read_optional_number(place, "tb_per_s");
  timing.tflop_per_s = read_optional_number(place, "tflop_per_s");
  timing.speed_of_light = read_optional_number(place, "speed_of_light");
  timing.limit = read_text(place, "limit");
  timing.cache_resident = place.at("cache_resident").boolean();
  timing.launch_bound = place.at("launch_bound").boolean();
  return timing;
}

}  // namespace fa2bench
