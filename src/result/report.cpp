// SPDX-License-Identifier: MIT
#include "result/report.hpp"

#include <utility>

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

Timing make_timing(Samples samples, const Plan& plan, const DeviceFacts& device,
                   const Ceilings& ceilings) {
  Timing timing;
  timing.device = summarize(samples.device_us);
  timing.host = summarize(samples.host_us);
  const double seconds = timing.device.median * 1e-6;
  const auto bytes = static_cast<double>(plan.cost.bytes_unique.count);
  timing.cache_resident = samples.mode == CacheMode::warm && plan.cost.bytes_unique <= device.l2;
  timing.samples = std::move(samples);
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
