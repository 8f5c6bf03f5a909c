// SPDX-License-Identifier: MIT
#include "app/shim_host.hpp"

#include <fmt/format.h>

#include <new>
#include <optional>
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

/// Why the workload cannot be run here, or "". What a pool holds is there already.
std::string memory_obstacle(const Device& device, const Workload& workload, const Plan& plan,
                            bool has_pool) {
  const bool on_host = device.facts().kind == DeviceKind::host;
  const Bytes l2 = device.facts().l2;
  Bytes needed = kReserve + (has_pool ? WorkloadBuffers::private_footprint(plan) + sweep_memory(l2)
                                      : device_memory_needed(plan, workload.shape, l2));
  if (on_host) needed += plan.memory.host;
  const Bytes free = device.free_memory();
  if (needed <= free) return "";
  return fmt::format(
      "needs {} of {} memory (k and v pools {} each, q and out {} each, lse {}, tables {}, cache "
      "sweep {}, reserve {}, {} {}), {} is free",
      to_text(needed), on_host ? "host" : "device", to_text(plan.memory.k_pool),
      to_text(plan.memory.q), to_text(plan.memory.lse), to_text(plan.memory.tables),
      to_text(sweep_memory(l2)), to_text(kReserve),
      on_host ? "the tool's own tables" : "and of host memory", to_text(plan.memory.host),
      to_text(free));
}

/// The session's pool, open, and what to tell of it.
struct PoolOutcome {
  std::optional<OpenedPool> pool;
  std::optional<MemorySharing> told;
};

PoolOutcome open_pool(Device& device, const RunRequest& request, const Plan& plan) {
  PoolOutcome outcome;
  if (!request.memory) return outcome;
  MemorySharing& told = outcome.told.emplace();
  try {
    OpenedPool& pool = outcome.pool.emplace(device, *request.memory);
    const Bytes needed = size_of_layer(WorkloadBuffers::sizes(plan, request.workload.shape));
    if (pool.layers() == 0 || pool.layer_size() < needed) {
      throw DeviceError("the shared memory is too small for the workload", false);
    }
    told.shared = true;
  } catch (const std::runtime_error& error) {
    const auto* of_device = dynamic_cast<const DeviceError*>(&error);
    if (of_device != nullptr && of_device->lost()) throw;
    outcome.pool.reset();
    told.obstacle = error.what();
  }
  return outcome;
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

std::variant<ShimHost, LookedAt> open_shim_host(const Open& open) {
  DeviceRequest request = parse_device(open.device);
  request.used_before = open.again;
  OpenedDevice opened = open_device(request);
  LookedAt looked_at{{}, std::move(opened.device), std::move(opened.note)};
  looked_at.told.before = looked_at.device->telemetry_before();
  // Before any code of the shim can have a part in it.
  std::optional<double>& launch_us = looked_at.told.launch_us;
  if (open.measure_launch) {
    const std::optional<Microseconds> launch = looked_at.device->measure_launch();
    if (launch) launch_us = launch->count();
  }
  if (open.most_launch_us && !(launch_us && *launch_us <= *open.most_launch_us)) return looked_at;
  return load_shim(std::move(looked_at), open);
}

ShimHost load_shim(LookedAt looked_at, const Open& open) {
  // Ceilings last: a shim that will not load costs no measurement.
  const DeviceKind kind = looked_at.device->facts().kind;
  LoadedShim loaded = load_for(find_shims(open.shims, kind).at(open.index), kind);
  Opened opened;
  opened.launch_us = looked_at.told.launch_us;
  opened.device_note = std::move(looked_at.device_note);
  opened.shim = std::move(loaded.record);
  if (open.measure_ceilings) opened.ceilings = looked_at.device->measure_ceilings();
  opened.telemetry.before = looked_at.told.before;
  opened.telemetry.ready = looked_at.device->telemetry();
  opened.free = looked_at.device->free_memory();
  return {std::move(looked_at.device), std::move(loaded.shim), std::move(opened)};
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
  const PoolOutcome shared = open_pool(*device_, request, plan);
  const OpenedPool* pool = shared.pool ? &*shared.pool : nullptr;
  const std::string memory = memory_obstacle(*device_, workload, plan, pool != nullptr);
  if (!memory.empty()) return {ended(Status::does_not_fit, memory), false};

  listener({"filling and reference", kOwnWorkSeconds, std::nullopt, shared.told});
  const BlockTable table = build_block_table(workload);
  const BlockTable other_pages = on_other_pages(workload, table);
  WorkloadBuffers buffers =
      pool != nullptr ? WorkloadBuffers(*device_, workload, plan, other_pages, pool->layer(0))
                      : WorkloadBuffers(*device_, workload, plan, other_pages);
  const Verifier verifier(workload, plan, table, request.reference_budget);
  const WorkloadOnDevice target{*device_,    workload, plan,     table,
                                other_pages, buffers,  verifier, pool};
  return run_shim_on(shim_, target, request, listener, stop, next_turn);
}

Bytes device_memory_needed(const Plan& plan, const HeadShape& shape, Bytes l2) {
  return WorkloadBuffers::footprint(plan, shape) + sweep_memory(l2);
}

}  // namespace fa2bench
