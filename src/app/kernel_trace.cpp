// SPDX-License-Identifier: MIT
#include "app/kernel_trace.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <utility>
#include <vector>

#include "base/nvtx.hpp"

namespace fa2bench {
namespace {

constexpr std::size_t kCalls = 10;
/// Of long calls fewer are enough.
constexpr std::size_t kFewest = 3;
constexpr Seconds kTime{2.0};

class Tracing {
 public:
  Tracing(const Shim& shim, const WorkloadOnDevice& target, CheckedCalls& calls)
      : shim_(shim), target_(target), calls_(calls) {
    gated_ = target.device.has_gate();
    for (const Timing& timing : calls.run.timings) gated_ = gated_ && !timing.samples.host_blocking;
  }

  /// False if a call was wrong.
  bool run() {
    const auto start = Clock::now();
    if (!trace_one()) return false;  // does not count: the tracing itself starts up
    traces_.clear();
    while (obstacle_.empty() && traces_.size() < kCalls &&
           (traces_.size() < kFewest || Clock::now() - start < kTime)) {
      if (!trace_one()) return false;
    }
    return true;
  }

  [[nodiscard]] KernelReport report() const {
    if (obstacle_.empty()) return make_kernel_report(traces_, gated_);
    KernelReport none;
    none.obstacle = obstacle_;
    return none;
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// Calls once, traced, and checks what it left. False if that was wrong.
  bool call(KernelTrace& trace) {
    target_.buffers.poison_outputs();
    target_.device.evict_cache();
    trace = target_.device.trace_kernels(
        [&] { return shim_.call_timed(target_.buffers.call(), target_.device.stream(), err_buf_); },
        gated_);
    if (trace.code != 0) {
      obstacle_ = refused(target_.plan, {trace.code, err_buf_text(err_buf_)}).reason +
                  ", while it was traced";
      return true;
    }
    obstacle_ = trace.obstacle;
    if (!obstacle_.empty()) return true;  // perhaps there was no call
    if (calls_.same_bits()) return true;
    Repeats others;
    return calls_.check_other_bits(fmt::format("traced call {}", traces_.size() + 1), others);
  }

  bool trace_one() {
    KernelTrace trace;
    if (!call(trace)) return false;
    // A host that stood still for a moment looks the same; a call that waits does so again.
    if (obstacle_.empty() && trace.blocked && !call(trace)) return false;
    if (!obstacle_.empty()) return true;
    if (!trace.blocked) {
      traces_.push_back(std::move(trace));
      return true;
    }
    // It waits for the device after all: all over again, without the gate.
    gated_ = false;
    traces_.clear();
    return trace_one();
  }

  const Shim& shim_;
  const WorkloadOnDevice& target_;
  CheckedCalls& calls_;
  std::array<char, kErrBufBytes> err_buf_{};
  bool gated_ = false;
  std::vector<KernelTrace> traces_;
  std::string obstacle_;
};

}  // namespace

void trace_kernels(const Shim& shim, const WorkloadOnDevice& target, CheckedCalls& calls) {
  const NvtxRange range("trace kernels");
  Tracing tracing(shim, target, calls);
  if (tracing.run()) {
    calls.run.kernels = tracing.report();
  } else {
    calls.run.kernels.reset();
  }
}

}  // namespace fa2bench
