// SPDX-License-Identifier: MIT
#include "workload/placement.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/random.hpp"

namespace fa2bench {
namespace {

using Ids = std::vector<std::int32_t>;

/// `count` ids from `first` up.
Ids ascending(std::int64_t first, std::int64_t count) {
  Ids ids(static_cast<std::size_t>(count));
  std::iota(ids.begin(), ids.end(), static_cast<std::int32_t>(first));
  return ids;
}

/// The first `live` of a random permutation (Fisher and Yates, stopped early).
Ids shuffled(Ids pool, std::int64_t live, CounterRng& rng) {
  const auto count = static_cast<std::size_t>(live);
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(pool[i], pool[i + rng.below(pool.size() - i)]);
  }
  pool.resize(count);
  return pool;
}

/// Sequences that grow together, as concurrent decodes do: block j of every sequence before block
/// j + 1 of any.
Ids interleaved(const LogicalBlocks& logical, std::int64_t first, std::int64_t live) {
  Ids ids(static_cast<std::size_t>(live), -1);
  std::vector<std::size_t> growing(logical.needed.size());
  std::iota(growing.begin(), growing.end(), std::size_t{0});
  auto next = static_cast<std::int32_t>(first);
  for (std::int64_t column = 0; !growing.empty(); ++column) {
    std::erase_if(growing, [&](std::size_t s) { return logical.needed[s] <= column; });
    for (const std::size_t s : growing) {
      std::int32_t& id = ids[static_cast<std::size_t>(logical.number(s, column))];
      if (id < 0) id = next++;  // else a prefix block that the group already has
    }
  }
  return ids;
}

/// Pops from a last-in-first-out free list after requests came and went. Freed blocks are reused
/// first, so ids come in short runs, ascending and descending, from all over the pool.
Ids aged(std::int64_t first, std::int64_t pool, std::int64_t live, std::int64_t typical,
         CounterRng& rng) {
  Ids free = ascending(first, pool);
  std::reverse(free.begin(), free.end());
  std::vector<Ids> tenants;
  const auto release = [&](std::size_t which) {
    std::swap(tenants[which], tenants.back());
    const Ids& blocks = tenants.back();
    free.insert(free.end(), blocks.rbegin(), blocks.rend());
    tenants.pop_back();
  };
  // Three times the pool is handed out; occupancy wanders below three quarters.
  for (std::int64_t churn = 3 * pool; churn > 0;) {
    const bool crowded = static_cast<std::int64_t>(free.size()) * 4 <= pool;
    if (!tenants.empty() && (crowded || rng.below(3) == 0)) {
      release(rng.below(tenants.size()));
      continue;
    }
    const std::size_t wanted = 1 + rng.below(static_cast<std::uint64_t>(2 * typical));
    const auto count = static_cast<std::ptrdiff_t>(std::min(wanted, free.size()));
    tenants.emplace_back(free.rbegin(), free.rbegin() + count);
    free.erase(free.end() - count, free.end());
    churn -= count;
  }
  while (!tenants.empty()) release(rng.below(tenants.size()));
  return {free.rbegin(), free.rbegin() + static_cast<std::ptrdiff_t>(live)};
}

}  // namespace

LogicalBlocks number_logical_blocks(const Workload& workload) {
  const std::size_t num_seqs = workload.kv_lens.size();
  const std::int64_t block_size = workload.shape.block_size;
  LogicalBlocks logical;
  logical.prefix_blocks = workload.prefix.tokens / block_size;
  logical.prefix_start.resize(num_seqs);
  logical.own_start.resize(num_seqs);
  logical.needed.resize(num_seqs);
  const auto groups = static_cast<std::size_t>(workload.prefix.groups);
  std::size_t group = 0;  // the next group to begin; group g begins at g * num_seqs / groups
  std::int64_t next = 0;
  std::int64_t prefix = 0;
  for (std::size_t s = 0; s < num_seqs; ++s) {
    if (logical.prefix_blocks > 0 && group < groups && s == group * num_seqs / groups) {
      prefix = next;
      next += logical.prefix_blocks;
      ++group;
    }
    logical.needed[s] = blocks_of(workload.kv_lens[s], block_size);
    logical.prefix_start[s] = prefix;
    logical.own_start[s] = next;
    next += logical.needed[s] - logical.prefix_blocks;
  }
  return logical;
}

std::vector<std::int32_t> place_blocks(const Workload& workload, const LogicalBlocks& logical,
                                       const TableSize& size, std::uint32_t stream) {
  const std::int64_t first = workload.table.first_block;
  const std::int64_t pool = size.num_blocks - first;
  const std::int64_t live = size.live_blocks;
  CounterRng rng(workload.seed, stream);
  switch (workload.table.layout) {
    case TableLayout::shuffled:
      return shuffled(ascending(first, pool), live, rng);
    case TableLayout::reversed: {
      Ids ids = ascending(size.num_blocks - live, live);
      std::reverse(ids.begin(), ids.end());
      return ids;
    }
    case TableLayout::interleaved:
      return interleaved(logical, first, live);
    case TableLayout::aged: {
      const auto num_seqs = static_cast<std::int64_t>(workload.kv_lens.size());
      return aged(first, pool, live, std::max<std::int64_t>(1, live / num_seqs), rng);
    }
    case TableLayout::contiguous:
    case TableLayout::rows:  // has its own ids
      break;
  }
  return ascending(first, live);
}

}  // namespace fa2bench
