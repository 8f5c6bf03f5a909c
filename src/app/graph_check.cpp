// SPDX-License-Identifier: MIT
#include "app/graph_check.hpp"

#include <array>

#include "base/nvtx.hpp"

namespace fa2bench {

bool check_graph(const Shim& shim, const WorkloadOnDevice& target, CheckedCalls& calls) {
  const NvtxRange range("verify graph replay");
  std::array<char, kErrBufBytes> err_buf{};
  GraphReplay& replay = calls.run.verify->constancy.graph.emplace();
  try {
    target.buffers.poison_outputs();
    const CallGraph graph = target.device.capture(
        [&] { return shim.call_timed(target.buffers.call(), target.device.stream(), err_buf); });
    replay.kernels = graph.kernels;
    replay.allocations = graph.allocations;
    replay.obstacle = graph.obstacle;
    if (graph.code != 0) {
      const Run told = refused(target.plan, {graph.code, err_buf_text(err_buf)});
      replay.obstacle = told.reason + ", while it was captured";
    }
    if (!replay.obstacle.empty()) return true;
    graph.launch();
    target.device.synchronize();
    replay.same_bits = calls.same_bits();
    if (replay.same_bits) return false;
    const VerifyReport report = calls.look();
    if (!report.ok) replay.obstacle = "wrong when replayed: " + report.diagnosis;
    return !report.ok;
  } catch (const DeviceError& error) {
    replay.obstacle = error.what();
    return true;
  }
}

}  // namespace fa2bench
