// SPDX-License-Identifier: MIT
#include "app/shim_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "app/early_checks.hpp"
#include "app/graph_check.hpp"
#include "app/kernel_trace.hpp"
#include "app/output_exchange.hpp"
#include "app/timed_series.hpp"
#include "base/nvtx.hpp"

namespace fa2bench {
namespace {

std::string list_text(const std::vector<int>& values) {
  return fmt::format("{}", fmt::join(values, ", "));
}

/// After all else: what is lost from now on costs no time. False if the device is lost.
bool add_kernels(const Shim& shim, const WorkloadOnDevice& target, bool spent,
                 const PhaseListener& listener, CheckedCalls& calls) {
  KernelReport& report = calls.run.kernels.emplace();
  if (spent) {
    report.obstacle =
        "no right replay from a CUDA graph, after which this process makes no more "
        "calls; --in-process traces without one";
    return true;
  }
  constexpr double kExpectedSeconds = 30.0;
  listener({"tracing kernels", kExpectedSeconds, calls.run});
  try {
    trace_kernels(shim, target, calls);
    return true;
  } catch (const DeviceError& error) {
    report.obstacle = error.what();
    return !error.lost();
  }
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

Ran run_shim_on(const Shim& shim, const WorkloadOnDevice& target, const RunRequest& request,
                const PhaseListener& listener, const std::stop_token& stop,
                const NextTurn& next_turn) {
  CheckedCalls calls(shim, target, listener);
  if (nothing_to_do(target.plan)) {
    calls.place(target.table);
    if (calls.call_and_check("before timing")) {
      calls.run.status = Status::ok;
      calls.run.reason = kNothingToDo;
    }
    return {std::move(calls.run), false};
  }
  const auto right_afterwards = [&] {
    const NvtxRange range("verify after timing");
    return calls.call_and_check("after timing");
  };
  std::optional<OutputDifference> difference;
  const auto exchanged = [&] {
    if (!request.outputs) return true;
    return exchange_outputs(target, *request.outputs, calls, difference.emplace());
  };
  const bool right = passes_early_checks(shim, target, listener, calls) && exchanged() &&
                     take_timings(shim, target, request, listener, stop, next_turn, calls) &&
                     right_afterwards();
  if (!right) return {std::move(calls.run), false, difference};
  calls.run.status = Status::ok;
  bool spent = take_graph_timings(shim, target, request, listener, stop, next_turn, calls);
  if (!spent && request.check_graph && target.device.has_graphs()) {
    listener({"replaying from a CUDA graph", 0.0, calls.run});
    spent = check_graph(shim, target, calls);
  }
  if (request.trace_kernels) spent = !add_kernels(shim, target, spent, listener, calls) || spent;
  return {std::move(calls.run), spent, difference};
}

}  // namespace fa2bench
