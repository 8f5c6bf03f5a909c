// SPDX-License-Identifier: MIT
#include "shims/cpu/execute.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <new>
#include <thread>
#include <vector>

namespace fa2bench::shims::cpu {
namespace {

constexpr std::align_val_t kCacheLine{64};

struct AlignedDelete {
  void operator()(float* data) const { ::operator delete(data, kCacheLine); }
};
using AlignedFloats = std::unique_ptr<float, AlignedDelete>;

/// Not initialized, so that a small call touches few pages.
AlignedFloats allocate(std::size_t count) {
  void* data = ::operator new(count * sizeof(float), kCacheLine);
  return AlignedFloats(static_cast<float*>(data));
}

/// What the threads of one call share.
struct Run {
  const Problem& problem;
  const Schedule& schedule;
  const Kernel& kernel;
  float* partials;
  std::vector<std::atomic<std::size_t>>& unfinished;
  std::atomic<std::size_t> next_item{0};
};

void run_item(Run& run, std::size_t item, float* scratch) {
  const std::vector<Task>& tasks = run.schedule.tasks;
  const auto after = std::upper_bound(
      tasks.begin(), tasks.end(), item,
      [](std::size_t value, const Task& candidate) { return value < candidate.first_item; });
  const Task& task = *(after - 1);
  const std::size_t group = (item - task.first_item) / task.parts;
  const std::size_t part = (item - task.first_item) % task.parts;
  const std::size_t kv_head = group * task.heads;
  const std::size_t heads = std::min(task.heads, run.problem.num_kv_heads - kv_head);
  float* partials = run.partials + task.first_partial;
  run.kernel.attend(run.problem, task, kv_head, heads, part, scratch, partials);
  if (task.parts == 1) return;
  // Whoever finishes the last part merges all of them, in their order.
  if (run.unfinished[task.first_counter + group].fetch_sub(1, std::memory_order_acq_rel) == 1) {
    for (std::size_t h = 0; h < heads; ++h) {
      run.kernel.combine(run.problem, task, kv_head + h, partials);
    }
  }
}

void work(Run& run, float* scratch) noexcept {
  for (;;) {
    const std::size_t item = run.next_item.fetch_add(1, std::memory_order_relaxed);
    if (item >= run.schedule.items) return;
    run_item(run, item, scratch);
  }
}

}  // namespace

void execute(const Problem& problem, const Schedule& schedule, const Kernel& kernel) {
  const std::size_t scratch_floats = kScratchPerHeadDim * problem.head_dim + kScratchFixed;
  const AlignedFloats scratch = allocate(schedule.threads * scratch_floats);
  const AlignedFloats partials = allocate(schedule.partial_floats);
  std::vector<std::atomic<std::size_t>> unfinished(schedule.counters);
  for (const Task& task : schedule.tasks) {
    if (task.parts == 1) continue;
    for (std::size_t kv_head = 0; kv_head < problem.num_kv_heads; kv_head += task.heads) {
      unfinished[task.first_counter + kv_head / task.heads].store(task.parts,
                                                                  std::memory_order_relaxed);
    }
  }
  std::vector<std::thread> helpers;
  helpers.reserve(schedule.threads - 1);

  Run run{problem, schedule, kernel, partials.get(), unfinished};
  try {
    for (std::size_t i = 1; i < schedule.threads; ++i) {
      helpers.emplace_back(work, std::ref(run), scratch.get() + i * scratch_floats);
    }
  } catch (...) {
    // No thread, or no memory for one: those that run, and this one, do all the items.
  }
  work(run, scratch.get());
  for (std::thread& helper : helpers) helper.join();
}

}  // namespace fa2bench::shims::cpu
