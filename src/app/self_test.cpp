// SPDX-License-Identifier: MIT
#include "app/self_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "app/environment.hpp"
#include "measure/event_floor.hpp"
#include "measure/flush_effect.hpp"
#include "stats/summary.hpp"

namespace fa2bench {
namespace {

using Clock = std::chrono::steady_clock;
using Checks = std::vector<SelfTestCheck>;

constexpr const char* kDisturbed =
    "something gets between the events: other work on the device, or a profiler";

SelfTestCheck in_us(std::string name, std::string what, std::optional<double> low,
                    std::optional<double> high) {
  SelfTestCheck check;
  check.name = std::move(name);
  check.what = std::move(what);
  check.unit = "us";
  check.low = low;
  check.high = high;
  return check;
}

SelfTestCheck in(const char* unit, SelfTestCheck check) {
  check.unit = unit;
  return check;
}

std::vector<double> sorted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values;
}

bool is_gpu(const Device& device) { return device.facts().kind == DeviceKind::cuda; }

/// Who else is there, told before any work of ours. Others on a GPU take turns with what is timed;
/// on a CPU, threads that wait for one take it from what is timed.
void check_neighbours(Checks& checks, const Device& device, const Telemetry& before) {
  const auto add = [&](SelfTestCheck check, std::optional<double> found, const char* what,
                       const char* unknown) {
    checks.push_back(found ? judge(std::move(check), *found, what)
                           : not_available(std::move(check), unknown));
  };
  if (is_gpu(device)) {
    const auto others = before.other_compute_processes;
    add(in("count", in_us("other_processes", "other compute processes on the GPU", {}, 0.0)),
        others ? std::optional<double>(*others) : std::nullopt,
        "end what nvidia-smi lists, or wait for it", "NVML does not tell here");
    return;
  }
  const double most = busy_load(device.facts().processors);
  add(in("count", in_us("load_average", "load average of the last minute", {}, most)),
      before.load_average, "the machine is busy: end what runs, or wait",
      "the system does not tell");
}

/// The host's own work of a known duration. What interrupts it interrupts a CPU's calls alike; of a
/// GPU the gate keeps it out.
void check_host_scatter(Checks& checks, const Device& device, const HostClock& now) {
  if (is_gpu(device)) return;
  constexpr int kSpins = 500;
  constexpr std::chrono::microseconds kSpin{100};
  constexpr double kMost = 120.0;
  std::vector<double> times;
  for (int i = 0; i < kSpins; ++i) {
    const Clock::time_point start = now();
    Clock::time_point end = now();
    while (end - start < kSpin) end = now();
    times.push_back(Microseconds(end - start).count());
  }
  times = sorted(std::move(times));
  checks.push_back(
      judge(in("percent", in_us("host_spin_p99", "spins of 100 µs: p99, of the median", {}, kMost)),
            100.0 * quantile(times, 0.99) / quantile(times, 0.5),
            "others take the CPU away: end what runs, or wait"));
}

void check_host_clock(Checks& checks, const HostClock& read) {
  constexpr int kReads = 20000;
  double smallest_us = 1e9;
  double back = 0.0;
  Clock::time_point last = read();
  for (int i = 0; i < kReads; ++i) {
    const Clock::time_point now = read();
    if (now < last) back += 1.0;
    if (now > last) smallest_us = std::min(smallest_us, Microseconds(now - last).count());
    last = now;
  }
  checks.push_back(judge(in_us("host_clock_step", "smallest step of the host's clock", {}, 1.0),
                         smallest_us, "too coarse to time a call"));
  checks.push_back(
      judge(in("count", in_us("host_clock_back", "steps back of the host's clock", {}, 0.0)), back,
            "times of the host mean nothing"));
}

const char* name_of_nothing(const Device& device) {
  return is_gpu(device) ? "null kernel" : "call that does nothing";
}
const char* name_of_spin(const Device& device) { return is_gpu(device) ? "kernel" : "spin"; }

/// What is between two events with nothing between them.
void check_empty_pair(Checks& checks, Device& device) {
  constexpr int kCalls = 30;
  constexpr double kMost = 5.0;
  const bool gated = device.has_gate();
  const auto empty = sorted(times_of(
      device, [] {}, gated, kCalls));
  checks.push_back(
      judge(in_us("empty_pair", "empty event pair", {}, kMost), quantile(empty, 0.5), kDisturbed));
  const auto nothing = [] { return 0; };
  std::vector<double> after_flush;
  for (int i = 0; i < kCalls; ++i) {
    device.evict_cache();
    const CallTime time = gated ? device.time_gated_call(nothing) : device.time_call(nothing);
    after_flush.push_back(time.device.count());
  }
  checks.push_back(judge(
      in_us("empty_pair_after_flush", "empty event pair after the cache was emptied", {}, kMost),
      quantile(sorted(after_flush), 0.5), "emptying the cache gets into the times of calls"));
}

/// Calls that do nothing, on a GPU null kernels, without the gate and with it.
void check_gate(Checks& checks, Device& device) {
  constexpr int kCalls = 200;
  constexpr double kMostSpread = 1.0;
  const char* nothing = name_of_nothing(device);
  const auto measure = [&](const char* name, bool gated) {
    const auto times = sorted(times_of(
        device, [&] { device.enqueue_nothing(); }, gated, kCalls));
    for (const auto& [suffix, p] : {std::pair{"p1", 0.01}, {"median", 0.5}, {"p99", 0.99}}) {
      checks.push_back(
          judge(in_us(fmt::format("null_kernel_{}_{}", name, suffix),
                      device.has_gate() ? fmt::format("{}, {}, {}", nothing, name, suffix)
                                        : fmt::format("{}, {}", nothing, suffix),
                      {}, {}),
                quantile(times, p), ""));
    }
    return quantile(times, 0.99) - quantile(times, 0.01);
  };
  measure("ungated", false);
  const auto spread =
      in_us("gated_spread", fmt::format("{}, gated, from p1 to p99", nothing), {}, kMostSpread);
  checks.push_back(device.has_gate()
                       ? judge(spread, measure("gated", true), kDisturbed)
                       : not_available(spread, "this device has no gate: its calls do not queue"));
}

double check_event_floor(Checks& checks, Device& device) {
  constexpr double kMost = 5.0;
  const double floor = measure_event_floor(device, device.has_gate()).count();
  checks.push_back(judge(
      in_us("event_floor", fmt::format("event floor: a {}", name_of_nothing(device)), {}, kMost),
      floor, kDisturbed));
  return floor;
}

void check_spins(Checks& checks, Device& device, double floor_us) {
  constexpr int kCalls = 30;
  for (const int us : {5, 20, 100, 1000}) {
    const double tolerance = std::max(0.01 * us, 0.5);
    const auto times = sorted(times_of(
        device, [&] { device.enqueue_spin(Microseconds(us)); }, device.has_gate(), kCalls));
    checks.push_back(
        judge(in_us(fmt::format("spin_{}_us", us),
                    fmt::format("{} of {} µs, less the event floor", name_of_spin(device), us),
                    us - tolerance, us + tolerance),
              quantile(times, 0.5) - floor_us,
              "events do not tell true times, or the device's clock moves"));
  }
}

/// The device's own time against the host's, over long enough that what surrounds it is nothing.
void check_clocks_agree(Checks& checks, Device& device, const HostClock& now) {
  constexpr Microseconds kLong{50e3};
  constexpr double kLow = 99.5;
  constexpr double kHigh = 101.0;  // the host's time has launch and waiting in it
  const auto spin = [&] {
    device.enqueue_spin(kLong);
    return 0;
  };
  double ratio = 1e9;
  for (int i = 0; i < 3; ++i) {
    const Clock::time_point start = now();
    const CallTime time = device.time_call(spin);
    const Microseconds host = now() - start;
    ratio = std::min(ratio, host / time.device);
  }
  checks.push_back(judge(
      in("percent",
         in_us("host_of_device_time",
               fmt::format("host's time of a {} of 50 ms, of the device's", name_of_spin(device)),
               kLow, kHigh)),
      100.0 * ratio, "the clocks of device and host do not agree"));
}

void check_flush(Checks& checks, Device& device) {
  const bool on_gpu = is_gpu(device);
  constexpr double kMostWarm = 85.0;
  // Another program in the cache of a CPU leaves more room for chance.
  const double tolerance = on_gpu ? 5.0 : 15.0;
  const auto emptied =
      in("percent", in_us("emptied_of_cold", "walk through a third of the cache: emptied, of cold",
                          100.0 - tolerance, 100.0 + tolerance));
  const auto warm = in("percent", in_us("warm_of_cold", "the same: warm, of cold", {}, kMostWarm));
  try {
    const FlushEffect effect = measure_flush_effect(device);
    const double share = 100.0 * effect.warm_us / effect.cold_us;
    checks.push_back(judge(emptied, 100.0 * effect.emptied_us / effect.cold_us,
                           "emptying the cache leaves earlier data in it, or takes effect late"));
    // Neighbours of a virtual machine may leave a CPU nothing of its last-level cache.
    checks.push_back(share > kMostWarm && !on_gpu
                         ? not_available(warm, "the cache is no faster than memory here")
                         : judge(warm, share, "cold is no slower than warm: no flush is proven"));
  } catch (const OutOfMemory& error) {
    for (const SelfTestCheck& check : {emptied, warm}) {
      checks.push_back(not_available(check, error.what()));
    }
  }
}

void check_ceilings(Checks& checks, Device& device) {
  const Ceilings ceilings = device.measure_ceilings();
  const auto add = [&](SelfTestCheck check, std::optional<double> value) {
    checks.push_back(value ? judge(std::move(check), *value, "no work can be that slow")
                           : not_available(std::move(check), ceilings.note));
  };
  // Far below anything in use: a device that is held up, or a clock that is not one.
  add(in("gb_per_s", in_us("read_ceiling", "reading memory", 1.0, {})), ceilings.read_gb_per_s);
  add(in("tflop_per_s", in_us("matrix_ceiling", "matrix product", 1e-3, {})),
      ceilings.matrix_tflop_per_s);
}

void check_sharing(Checks& checks, Device& device, const SharingPeer& peer) {
  constexpr std::uint64_t kTag = 0x66613262656E6368ULL;
  const auto check =
      in("count", in_us("shared_memory", "words that crossed between two processes", 2.0, {}));
  try {
    const SharedMemory shared = device.allocate_shared({sizeof kTag});
    device.upload(shared.memory.get(), &kTag, {sizeof kTag});
    const PeerAnswer answer = peer(shared.handle);
    if (!answer.obstacle.empty()) {
      checks.push_back(not_available(check, answer.obstacle));
      return;
    }
    std::uint64_t back = 0;
    device.download(&back, shared.memory.get(), {sizeof back});
    const double crossed = (answer.found == kTag ? 1.0 : 0.0) + (back == ~kTag ? 1.0 : 0.0);
    checks.push_back(judge(check, crossed,
                           "what one process writes into shared memory does not reach the other"));
  } catch (const DeviceError& error) {
    if (error.lost()) throw;
    checks.push_back(not_available(check, error.what()));
  }
}

}  // namespace

SelfTest run_self_test(Device& device, const Telemetry& before, const SharingPeer& peer,
                       const HostClock& now) {
  SelfTest result;
  result.device = device.facts();
  result.started = utc_now();
  Checks& checks = result.checks;
  check_neighbours(checks, device, before);
  check_host_clock(checks, now);
  check_host_scatter(checks, device, now);
  check_empty_pair(checks, device);
  check_gate(checks, device);
  const double floor = check_event_floor(checks, device);
  check_spins(checks, device, floor);
  check_clocks_agree(checks, device, now);
  check_flush(checks, device);
  check_ceilings(checks, device);
  check_sharing(checks, device, peer);
  return result;
}

}  // namespace fa2bench
