// SPDX-License-Identifier: MIT
#include <utility>

#include "result/read_parts.hpp"
#include "result/read_report.hpp"

namespace fa2bench {
namespace {

Trial read_trial(const JsonReader& place) {
  Trial trial;
  trial.samples = read_count(place, "samples");
  trial.warm_up_calls = read_count(place, "warm_up_calls");
  trial.settled = place.at("settled").boolean();
  trial.duty = read_number(place, "duty");
  trial.after = read_telemetry(place.at("after"));
  return trial;
}

/// The trials hold all samples, and at least one of those that count.
void read_trials(const JsonReader& place, Samples& samples) {
  const JsonReader list = place.at("trials");
  std::size_t held = 0;
  std::size_t counted = 0;
  samples.settled_from = read_count(place, "settled_from");
  for (const JsonReader& trial : list.elements()) {
    samples.trials.push_back(read_trial(trial));
    const std::size_t more = samples.trials.back().samples;
    if (more > samples.device_us.size() - held) list.fail("as many samples as samples_us");
    held += more;
    if (samples.trials.size() > samples.settled_from) counted += more;
  }
  if (held != samples.device_us.size()) list.fail("as many samples as samples_us");
  if (counted == 0) place.at("settled_from").fail("a trial with a sample at or after it");
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
  samples.device_us = read_numbers(place, "samples_us");
  samples.host_us = read_numbers(place, "host_samples_us");
  if (samples.device_us.empty()) place.at("samples_us").fail("at least one sample");
  if (samples.host_us.size() != samples.device_us.size()) {
    place.at("host_samples_us").fail("as many as samples_us");
  }
  read_trials(place, samples);
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
