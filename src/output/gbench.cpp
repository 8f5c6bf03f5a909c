// SPDX-License-Identifier: MIT
#include "output/gbench.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "measure/blocks.hpp"
#include "output/cases.hpp"
#include "result/json_text.hpp"
#include "result/json_value.hpp"

namespace fa2bench {
namespace {

using Json = nlohmann::ordered_json;

Json context(const Report& report) {
  Json json = {{"date", report.started},
               {"host_name", printable(report.host.hostname)},
               {"executable", report.command.empty() ? "" : printable(report.command.front())},
               {"num_cpus", report.host.logical_cpus}};
  // Other keys need not be there; a guess would be taken for a fact.
  if (const auto mhz = report.telemetry.before.cpu_mhz) json["mhz_per_cpu"] = std::lround(*mhz);
  if (!report.host.cpu_governor.empty()) {
    json["cpu_scaling_enabled"] = report.host.cpu_governor != "performance";
  }
  json["caches"] = Json::array();
  json["load_avg"] = Json::array();
  if (report.host.load_average) json["load_avg"].push_back(finite(report.host.load_average));
  json["library_version"] = "ferrum-fa2-bench " + report.tool.version;
  json["library_build_type"] = report.tool.build_type == "Debug" ? "debug" : "release";
  json["json_schema_version"] = 1;
  json["device"] = printable(report.device.name);
  json["driver"] = printable(report.device.driver);
  json["git"] = printable(report.tool.git);
  return json;
}

/// Times of one call, of the device and of the host.
struct Repetition {
  double device_us = 0.0;
  double host_us = 0.0;
};

/// The independent values of one of the two lists of samples.
std::vector<double> independent(const std::vector<double>& samples, const Samples& of) {
  std::vector<double> medians;
  std::vector<Trial> trials;
  const std::vector<std::span<const double>> parts = by_trial(samples, of.trials);
  for (std::size_t i = of.settled_from; i < parts.size(); ++i) {
    if (parts[i].empty()) continue;
    medians.push_back(median(parts[i]) / of.calls);
    trials.push_back(of.trials[i]);
  }
  return independent_block(trials) == Block::trials ? medians : independent_values(medians, trials);
}

std::vector<Repetition> repetitions(const Timing& timing) {
  const std::vector<double> device = independent(timing.samples.device_us, timing.samples);
  const std::vector<double> host = independent(timing.samples.host_us, timing.samples);
  std::vector<Repetition> repetitions;
  for (std::size_t i = 0; i < device.size(); ++i) repetitions.push_back({device[i], host[i]});
  return repetitions;
}

Json entry(const std::string& name, const std::string& run_name, std::size_t family,
           const char* run_type) {
  return {{"name", name},
          {"family_index", family},
          {"per_family_instance_index", 0},
          {"run_name", run_name},
          {"run_type", run_type}};
}

void add_timing(const std::string& name, std::size_t family, const Timing& timing, Json& list) {
  const std::vector<Repetition> values = repetitions(timing);
  const std::size_t samples = timing.samples.device_us.size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    Json json = entry(name, name, family, "iteration");
    json["repetitions"] = values.size();
    json["repetition_index"] = i;
    json["threads"] = 1;
    json["iterations"] = std::max<std::size_t>(1, samples / values.size());
    json["real_time"] = finite(values[i].device_us);
    json["cpu_time"] = finite(values[i].host_us);
    json["time_unit"] = "us";
    list.push_back(std::move(json));
  }
  Json json = entry(name + "_median", name, family, "aggregate");
  json["repetitions"] = values.size();
  json["threads"] = 1;
  json["aggregate_name"] = "median";
  json["aggregate_unit"] = "time";
  json["iterations"] = values.size();
  json["real_time"] = finite(timing.device.median);
  json["cpu_time"] = finite(timing.host.median);
  json["time_unit"] = "us";
  if (timing.tb_per_s) json["bytes_per_second"] = finite(*timing.tb_per_s * 1e12);
  if (timing.tflop_per_s) json["flop_per_second"] = finite(*timing.tflop_per_s * 1e12);
  if (timing.speed_of_light) json["speed_of_light"] = finite(timing.speed_of_light);
  list.push_back(std::move(json));
}

void add_error(const std::string& name, std::size_t family, const Case& of, Json& list) {
  const char* what = of.status == Status::ok ? to_text(of.outcome) : to_text(of.status);
  Json json = entry(name + '/' + what, name, family, "iteration");
  json["repetitions"] = 1;
  json["repetition_index"] = 0;
  json["threads"] = 1;
  const bool skipped = of.outcome == Outcome::skipped || of.outcome == Outcome::not_run;
  json[skipped ? "skipped" : "error_occurred"] = true;
  json[skipped ? "skip_message" : "error_message"] =
      of.message.empty() ? to_text(of.outcome) : of.message;
  json["iterations"] = 0;
  json["real_time"] = 0.0;
  json["cpu_time"] = 0.0;
  json["time_unit"] = "us";
  list.push_back(std::move(json));
}

}  // namespace

std::string to_gbench(const Report& report) {
  const std::vector<Case> cases = cases_of(report);
  const bool many_shims = report.shims.size() > 1;
  Json list = Json::array();
  for (std::size_t family = 0; family < cases.size(); ++family) {
    const Case& of = cases[family];
    std::string name = many_shims ? of.shim + '/' + of.workload : of.workload;
    if (of.mode) name += '/' + std::string(to_text(*of.mode));
    if (of.timing != nullptr) {
      add_timing(name, family, *of.timing, list);
    } else if (of.outcome != Outcome::passed) {
      add_error(name, family, of, list);
    }
  }
  return pretty_json({{"context", context(report)}, {"benchmarks", std::move(list)}});
}

}  // namespace fa2bench
