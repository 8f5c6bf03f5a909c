// SPDX-License-Identifier: MIT
#include "app/shim_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/nvtx.hpp"
#include "base/text.hpp"

namespace fa2bench {
namespace {

std::string list_text(const std::vector<int>& values) {
  return fmt::format("{}", fmt::join(values, ", "));
}

Run refused(const CallOutcome& outcome) {
  Run run;
  run.status = outcome.code == FERRUM_FA2_UNSUPPORTED ? Status::unsupported : Status::failed;
  run.reason =
      fmt::format("code {} ({}): {}", outcome.code, code_meaning(outcome.code), outcome.message);
  return run;
}

/// Poisons the outputs, calls once and checks all that the call left behind. Fills `run` and
/// returns false unless the call was right.
bool verify_once(const Shim& shim, const WorkloadOnDevice& target, const char* when, Run& run) {
  const NvtxRange range(fmt::format("verify {}", when));
  target.buffers.poison_outputs();
  const CallOutcome outcome = shim.call(target.buffers.call(), target.device.stream());
  target.device.synchronize();
  if (outcome.code != 0) {
    run = refused(outcome);
    return false;
  }
  if (outcome.wrote_past_err_buf) {
    run = Run{};
    run.status = Status::wrong;
    run.reason = fmt::format("{} timing: wrote past the {} bytes of err_buf", when, kErrBufBytes);
    return false;
  }
  run.verify = target.verifier.check(target.device, target.buffers, target.input_checksum);
  if (run.verify->ok) return true;
  run.status = Status::wrong;
  run.reason = fmt::format("{} timing: {}", when, run.verify->diagnosis);
  run.timings.clear();
  return false;
}

}  // namespace

std::string shape_obstacle(const ShimDescription& described, const HeadShape& shape) {
  const char* origin =
      described.described ? "the shim describes" : "a shim without a description has";
  const auto has = [](const std::vector<int>& values, int value) {
    return std::find(values.begin(), values.end(), value) != values.end();
  };
  if (!has(described.head_dims, shape.head_dim)) {
    return fmt::format("head_dim {}: {} {}", shape.head_dim, origin,
                       list_text(described.head_dims));
  }
  if (!has(described.block_sizes, shape.block_size)) {
    return fmt::format("block_size {}: {} {}", shape.block_size, origin,
                       list_text(described.block_sizes));
  }
  return "";
}

Run run_shim_on(const Shim& shim, const WorkloadOnDevice& target, const RunRequest& request,
                const PhaseListener& listener, const std::stop_token& stop) {
  Run run;
  listener({"verifying before timing", 0.0});
  if (!verify_once(shim, target, "before", run)) return run;

  std::array<char, kErrBufBytes> err_buf{};
  const PagedVarlenCall& arguments = target.buffers.call();
  void* stream = target.device.stream();
  const std::function<int()> call = [&] { return shim.call_timed(arguments, stream, err_buf); };
  for (const CacheMode mode : request.modes) {
    const std::string phase = fmt::format("timing {}", to_text(mode));
    listener({phase, request.limits.time_limit.count()});
    const NvtxRange range(phase);
    Samples samples = take_samples(target.device, call, mode, request.limits, stop);
    if (samples.stop == Stop::call_failed) {
      run = refused({samples.code, err_buf_text(err_buf)});
      run.reason +=
          fmt::format(", in call {} of the {} series",
                      samples.warm_up_calls + samples.device_us.size() + 1, to_text(mode));
      return run;
    }
    if (samples.device_us.empty()) {
      run = Run{};
      run.reason = "interrupted";
      return run;
    }
    run.timings.push_back(make_timing(std::move(samples), target.plan, target.device.facts(), {}));
  }
  listener({"verifying after timing", 0.0});
  if (verify_once(shim, target, "after", run)) run.status = Status::ok;
  return run;
}

}  // namespace fa2bench
