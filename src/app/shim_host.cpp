// SPDX-License-Identifier: MIT
#include "app/shim_host.hpp"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "app/shim_run.hpp"
#include "app/shims.hpp"
#include "base/nvtx.hpp"
#include "device/select.hpp"
#include "device/workload_buffers.hpp"

namespace fa2bench {
namespace {

/// Left free for what a shim allocates itself.
constexpr Bytes kReserve = mib(256);

/// Why the workload cannot be run here, or "".
std::string memory_obstacle(const Device& device, const Workload& workload, const Plan& plan) {
  const bool on_host = device.facts().kind == DeviceKind::host;
  Bytes needed = device_memory_needed(plan, workload.shape, device.facts().l2) + kReserve;
  if (on_host) needed += plan.memory.host;
  const Bytes free = device.free_memory();
  if (needed <= free) return "";
  return fmt::format(
      "needs {} of {} memory (k and v pools {} each, q and out {} each, lse {}, tables {}, cache "
      "sweep {}, reserve {}, {} {}), {} is free",
      to_text(needed), on_host ? "host" : "device", to_text(plan.memory.k_pool),
      to_text(plan.memory.q), to_text(plan.memory.lse), to_text(plan.memory.tables),
      to_text(device.facts().l2 * 2), to_text(kReserve),
      on_host ? "the tool's own tables" : "and of host memory", to_text(plan.memory.host),
      to_text(free));
}

Run ended(Status status, std::string reason) {
  Run run;
  run.status = status;
  run.reason = std::move(reason);
  return run;
}

}  // namespace

ShimHost::ShimHost(std::shared_ptr<Device> device, Shim shim)
    : ShimHost(std::move(device), std::move(shim), Opened()) {}

ShimHost::ShimHost(std::shared_ptr<Device> device, Shim shim, Opened opened)
    : device_(std::move(device)), shim_(std::move(shim)), opened_(std::move(opened)) {
  opened_.device = device_->facts();
  opened_.shim.description = shim_.description();
}

ShimHost open_shim_host(const Open& open) {
  DeviceRequest request = parse_device(open.device);
  request.used_before = open.again;
  OpenedDevice device = open_device(request);
  const DeviceKind kind = device.device->facts().kind;
  // Ceilings last: a shim that will not load costs no measurement.
  LoadedShim loaded = load_for(find_shims(open.shims, kind).at(open.index), kind);
  Opened opened;
  opened.device_note = std::move(device.note);
  opened.shim = std::move(loaded.record);
  if (open.measure_ceilings) opened.ceilings = device.device->measure_ceilings();
  opened.telemetry.before = device.device->telemetry_before();
  opened.telemetry.ready = device.device->telemetry();
  return {std::move(device.device), std::move(loaded.shim), std::move(opened)};
}

Ran ShimHost::run(const RunRequest& request, const PhaseListener& listener,
                  const std::stop_token& stop, const NextTurn& next_turn) {
  const NvtxRange range("workload " + request.workload.name);
  try {
    return run_on_device(request, listener, stop, next_turn);
  } catch (const OutOfMemory& error) {
    return {ended(Status::does_not_fit, error.what()), false};
  } catch (const std::bad_alloc&) {
    return {ended(Status::does_not_fit, "the host ran out of memory"), false};
  } catch (const DeviceError& error) {
    return {ended(Status::failed, error.what()), error.lost()};
  }
}

Ran ShimHost::run_on_device(const RunRequest& request, const PhaseListener& listener,
                            const std::stop_token& stop, const NextTurn& next_turn) {
  const Workload& workload = request.workload;
  const std::string shape = shape_obstacle(shim_.description(), workload.shape);
  if (!shape.empty()) return {ended(Status::unsupported, shape), false};
  const Plan plan = make_plan(workload);
  const std::string memory = memory_obstacle(*device_, workload, plan);
  if (!memory.empty()) return {ended(Status::does_not_fit, memory), false};

  listener({"filling and reference", kOwnWorkSeconds});
  const BlockTable table = build_block_table(workload);
  const BlockTable other_pages = on_other_pages(workload, table);
  WorkloadBuffers buffers(*device_, workload, plan, other_pages);
  const Verifier verifier(workload, plan, table);
  const WorkloadOnDevice target{*device_, workload, plan, table, other_pages, buffers, verifier};
  return run_shim_on(shim_, target, request, listener, stop, next_turn);
}

Bytes device_memory_needed(const Plan& plan, const HeadShape& shape, Bytes l2) {
  return WorkloadBuffers::footprint(plan, shape) + l2 * 2;
}

}  // namespace fa2bench
