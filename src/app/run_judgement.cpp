// SPDX-License-Identifier: MIT
#include "app/run_judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace fa2bench {
namespace {

/// Why the median cannot be true, or "": faster than memory or the matrix units were seen to be. A
/// CPU's ceilings move too much with what else it does to be held against anybody.
std::string implausible(const Timing& timing, DeviceKind kind) {
  constexpr double kSlack = 1.15;
  if (kind != DeviceKind::cuda || timing.samples.cache == CacheState::as_left) return "";
  if (timing.speed_of_light.value_or(0.0) <= kSlack) return "";
  return fmt::format(
      "implausible: {} is {:.2f} times as fast as the {} ceiling of this device allows, so the "
      "work was not done between the events",
      to_text(Microseconds(timing.device.median)), *timing.speed_of_light, timing.limit);
}

/// Whether a refusal says that the library holds no code for the device: built for others only, or
/// with a compiler that is newer than the driver.
bool lacks_device_code(const std::string& reason) {
  constexpr std::array<const char*, 4> kTexts{
      "no kernel image is available", "cudaErrorNoKernelImageForDevice",
      "CUDA_ERROR_NO_BINARY_FOR_GPU",
      "the provided PTX was compiled with an unsupported toolchain"};
  return std::any_of(kTexts.begin(), kTexts.end(),
                     [&](const char* text) { return reason.find(text) != std::string::npos; });
}

/// What outweighs what where no mode has a time: a wrong result, a failure, an answer.
int gravity(const Untimed& mode) {
  if (mode.status == Status::wrong) return 0;
  return mode.status == Status::does_not_fit || mode.status == Status::unsupported ? 2 : 1;
}

/// A shim without code for this device is one that cannot be loaded, only that it shows later.
void give_up(std::size_t index, Run& run, Report& report) {
  const bool ran_before =
      std::any_of(report.workloads.begin(), report.workloads.end(),
                  [&](const WorkloadResult& result) { return result.runs[index].verify; });
  std::string& error = report.shims[index].error;
  if (ran_before || !error.empty()) return;
  std::string arch = report.device.compute_capability;
  std::erase(arch, '.');
  error = fmt::format("no code for sm_{} ({}) in this shim; build it for that architecture: {}",
                      arch, report.device.name, run.reason);
  run.reason = error;
}

}  // namespace

void judge_run(const WorkloadResult& result, std::size_t index, Run& run, Report& report) {
  for (Timing& timing : run.timings) {
    timing = make_timing(std::move(timing.samples), result.plan, report.device, report.ceilings);
    const std::string doubt = implausible(timing, report.device.kind);
    if (!doubt.empty() && run.status == Status::ok) {
      run.status = Status::wrong;
      run.reason = doubt;
    }
  }
  if (run.status == Status::ok && run.timings.empty() && !run.untimed.empty()) {
    const Untimed& worst = *std::min_element(
        run.untimed.begin(), run.untimed.end(),
        [](const Untimed& a, const Untimed& b) { return gravity(a) < gravity(b); });
    run.status = worst.status;
    run.reason = worst.reason;
  }
  if (run.status != Status::ok) {
    run.timings.clear();
    run.untimed.clear();
    run.kernels.reset();
  }
  if (run.status == Status::failed && lacks_device_code(run.reason)) give_up(index, run, report);
}

}  // namespace fa2bench
