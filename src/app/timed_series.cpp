// SPDX-License-Identifier: MIT
#include "app/timed_series.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/nvtx.hpp"

namespace fa2bench {

bool take_timings(const Shim& shim, const WorkloadOnDevice& target, const RunRequest& request,
                  const PhaseListener& listener, const std::stop_token& stop, CheckedCalls& calls) {
  std::array<char, kErrBufBytes> err_buf{};
  const std::function<int()> call = [&] {
    return shim.call_timed(target.buffers.call(), target.device.stream(), err_buf);
  };
  Repeats all;
  for (const CacheMode mode : request.modes) {
    const Phase phase{fmt::format("timing {}", to_text(mode)), request.limits.time_limit.count()};
    listener(phase);
    const NvtxRange range(phase.name);
    std::size_t nth = 0;  // of this series, warm-up included
    AroundCall around;
    around.before = [&] { target.buffers.poison_outputs(); };
    around.passes = [&] {
      ++nth;
      ++all.calls;
      if (calls.same_bits()) return true;
      const std::string where = fmt::format("call {} of the {} series", nth, to_text(mode));
      const bool right = calls.check_other_bits(where, all);
      listener(phase);
      return right;
    };
    Samples samples = take_samples(target.device, call, mode, request.limits, stop, around);
    if (samples.stop == Stop::call_wrong) return false;
    if (samples.stop == Stop::call_failed) {
      calls.run = refused({samples.code, err_buf_text(err_buf)});
      calls.run.reason += fmt::format(", in call {} of the {} series", nth + 1, to_text(mode));
      return false;
    }
    if (samples.device_us.empty()) {
      calls.run = Run{};
      calls.run.reason = "interrupted";
      return false;
    }
    calls.run.timings.push_back(
        make_timing(std::move(samples), target.plan, target.device.facts(), {}));
  }
  calls.run.verify->constancy.timed_calls = all;
  return true;
}

}  // namespace fa2bench
