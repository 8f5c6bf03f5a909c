// SPDX-License-Identifier: MIT
#include "device/nvml/monitor.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

namespace fa2bench::nvml {
namespace {

/// What the function writes last; nothing if the driver lacks it or refuses.
template <typename Value, typename... Parameters, typename... Arguments>
std::optional<Value> ask(int (*function)(Parameters...), Arguments... arguments) {
  Value value{};
  if (function == nullptr || function(arguments..., &value) != kSuccess) return std::nullopt;
  return value;
}

/// The same of functions that tell a mode now and one to come.
template <typename Value>
std::optional<bool> ask_mode(int (*function)(Handle, Value*, Value*), Handle gpu) {
  Value now{};
  Value later{};
  if (function == nullptr || function(gpu, &now, &later) != kSuccess) return std::nullopt;
  return now != Value{};
}

std::optional<double> scaled(std::optional<unsigned> value, double factor = 1.0) {
  return value ? std::optional(static_cast<double>(*value) * factor) : std::nullopt;
}

std::optional<std::vector<Process>> list_processes(const Library& library, Handle part) {
  if (library.processes == nullptr) return std::nullopt;
  std::vector<Process> list(64);
  for (int attempt = 0; attempt < 4; ++attempt) {  // there may be more by the time there is room
    auto count = static_cast<unsigned>(list.size());
    const int code = library.processes(part, &count, list.data());
    if (code == kInsufficientSize) {
      list.resize(2 * static_cast<std::size_t>(count) + list.size());
      continue;
    }
    if (code != kSuccess) return std::nullopt;
    list.resize(count);
    return list;
  }
  return std::nullopt;
}

}  // namespace

Monitor::Monitor(const std::optional<Library>& library, const std::string& uuid, bool own_namespace)
    : own_namespace_(own_namespace) {
  if (!library) return;
  library_ = *library;
  if (const auto gpu = ask<Handle>(library_.by_uuid, uuid.c_str())) {
    gpu_ = part_ = *gpu;
    return;
  }
  const std::string of_part = "MIG" + uuid.substr(std::min<std::size_t>(3, uuid.size()));
  const auto part = ask<Handle>(library_.by_uuid, of_part.c_str());
  const auto gpu = part ? ask<Handle>(library_.gpu_of_part, *part) : std::nullopt;
  if (!gpu) return;
  gpu_ = *gpu;
  part_ = *part;
}

void Monitor::describe(DeviceFacts& facts) const {
  std::array<char, 96> version{};
  if (library_.driver_version != nullptr &&
      library_.driver_version(version.data(), static_cast<unsigned>(version.size() - 1)) ==
          kSuccess) {
    facts.driver = version.data();
  }
  if (gpu_ == nullptr) return;
  facts.ecc = ask_mode(library_.ecc_mode, gpu_);
  facts.mig = ask_mode(library_.mig_mode, gpu_);
  if (const auto mode = ask<int>(library_.persistence_mode, gpu_)) facts.persistence = *mode != 0;
  facts.power_limit_w = scaled(ask<unsigned>(library_.power_limit, gpu_), 1e-3);
  facts.max_sm_mhz = scaled(ask<unsigned>(library_.max_clock, gpu_, kSmClock));
}

Telemetry Monitor::read(bool we_hold_a_context) const {
  Telemetry telemetry;
  if (gpu_ == nullptr) return telemetry;
  telemetry.sm_mhz = scaled(ask<unsigned>(library_.clock, gpu_, kSmClock));
  telemetry.memory_mhz = scaled(ask<unsigned>(library_.clock, gpu_, kMemoryClock));
  telemetry.temperature_c = scaled(ask<unsigned>(library_.temperature, gpu_, kGpuSensor));
  telemetry.power_w = scaled(ask<unsigned>(library_.power, gpu_), 1e-3);
  if (const auto utilization = ask<Utilization>(library_.utilization, gpu_)) {
    telemetry.utilization_percent = static_cast<double>(utilization->gpu);
  }
  if (const auto bits = ask<unsigned long long>(library_.clock_reasons, gpu_)) {
    telemetry.throttle_reasons = reason_words(*bits);
  }
  telemetry.other_compute_processes = other_processes(we_hold_a_context);
  return telemetry;
}

std::optional<int> Monitor::other_processes(bool we_hold_a_context) const {
  auto list = list_processes(library_, part_);
  if (!list) return std::nullopt;
  Neighbours seen;
  seen.listed = *std::move(list);
  seen.ours = [](int pid) { return is_of_this_run(pid, ::getpid(), read_process); };
  seen.we_hold_a_context = we_hold_a_context;
  seen.own_namespace = own_namespace_;
  Memory memory;
  if (own_namespace_ && library_.memory != nullptr && library_.memory(part_, &memory) == kSuccess) {
    seen.memory_in_use = Bytes{memory.used};
  }
  return count_others(seen);
}

std::vector<std::string> reason_words(unsigned long long bits) {
  constexpr std::array<const char*, 9> kWords{
      "gpu_idle",   "applications_clocks", "sw_power_cap",   "hw_slowdown",  "sync_boost",
      "sw_thermal", "hw_thermal",          "hw_power_brake", "display_clock"};
  std::vector<std::string> words;
  for (std::size_t bit = 0; bit < 64; ++bit) {
    if ((bits >> bit & 1U) == 0) continue;
    words.push_back(bit < kWords.size() ? kWords[bit] : "bit_" + std::to_string(bit));
  }
  return words;
}

Telemetry read_before_work(const std::function<Telemetry()>& read, Patience patience) {
  Telemetry telemetry = read();
  for (int i = 0; i < patience.steps; ++i) {
    const bool alone = telemetry.other_compute_processes.value_or(1) == 0;
    if (!alone || telemetry.utilization_percent.value_or(0.0) <= kBusyPercent) break;
    std::this_thread::sleep_for(patience.step);
    telemetry = read();
  }
  return telemetry;
}

}  // namespace fa2bench::nvml
