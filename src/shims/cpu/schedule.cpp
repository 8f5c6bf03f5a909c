// SPDX-License-Identifier: MIT
#include "shims/cpu/schedule.hpp"

#include <algorithm>

namespace fa2bench::shims::cpu {
namespace {

/// Converting a tile of K and V costs about as much as this many rows of work.
constexpr double kConversionRows = 8;
/// Multiply-adds that are worth a thread of their own: well above the cost of starting one.
constexpr double kLeastThreadWork = 2e6;
/// Items for each thread, so that the last one to finish is not far behind the others.
constexpr double kItemsPerThread = 4;
constexpr std::size_t kLeastPartKeys = 4 * kTileKeys;
/// More tasks than this balance well in any order.
constexpr std::size_t kMostSorted = 8192;

const std::int32_t* ints(const void* data) { return static_cast<const std::int32_t*>(data); }

/// Row-key pairs of an item with that many keys.
double cost_of(const Task& task, std::size_t keys) {
  return static_cast<double>(task.heads) * static_cast<double>(keys + 1) *
         (static_cast<double>(task.row_count) + kConversionRows);
}

std::size_t groups_of(const Task& task, int num_kv_heads) {
  return (static_cast<std::size_t>(num_kv_heads) + task.heads - 1) / task.heads;
}

std::vector<Task> make_tasks(const Arguments& a) {
  const std::int32_t* starts = ints(a.cu_seqlens_q);
  const auto group = static_cast<std::size_t>(a.num_heads / a.num_kv_heads);
  std::vector<Task> tasks;
  tasks.reserve(static_cast<std::size_t>(a.num_seqs));
  for (std::size_t seq = 0; seq < static_cast<std::size_t>(a.num_seqs); ++seq) {
    Task task = {};
    task.seq = seq;
    task.kv_len = ints(a.seq_lens)[seq];
    task.q_len = starts[seq + 1] - starts[seq];
    task.first_token = static_cast<std::size_t>(starts[seq]);
    const std::size_t rows = static_cast<std::size_t>(task.q_len) * group;
    const std::size_t tiles = (rows + kTileRows - 1) / kTileRows;
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      task.row_begin = tile * kTileRows;
      task.row_count = std::min(kTileRows, rows - task.row_begin);
      task.heads = task.row_count > kFewRows ? 1
                                             : std::min(static_cast<std::size_t>(a.num_kv_heads),
                                                        (kTileRows - 1) / task.row_count);
      const auto last_token =
          static_cast<std::int64_t>((task.row_begin + task.row_count - 1) / group);
      const std::int64_t end = task.kv_len - task.q_len + last_token + 1;
      task.key_end = end > 0 ? static_cast<std::size_t>(end) : 0;
      task.part_keys = std::max<std::size_t>(task.key_end, 1);
      task.parts = 1;
      tasks.push_back(task);
    }
  }
  return tasks;
}

/// Cuts the keys of a task whose items cost more than `most`.
void split_keys(Task& task, double most) {
  const double wanted = cost_of(task, task.key_end) / most;
  const std::size_t possible = task.key_end / kLeastPartKeys;
  if (wanted <= 1 || possible < 2) return;
  const std::size_t parts =
      wanted >= static_cast<double>(possible) ? possible : static_cast<std::size_t>(wanted) + 1;
  const std::size_t tiles = (task.key_end + kTileKeys - 1) / kTileKeys;
  task.part_keys = (tiles + parts - 1) / parts * kTileKeys;
  task.parts = (task.key_end + task.part_keys - 1) / task.part_keys;
}

}  // namespace

int check_sequences(const Arguments& a, ErrorText text) {
  const std::int32_t* starts = ints(a.cu_seqlens_q);
  if (starts[0] != 0 || starts[a.num_seqs] != a.total_q_tokens) {
    return fail(FERRUM_FA2_BAD_SIZE, text, "cu_seqlens_q goes from %d to %d; expected 0 to %d",
                starts[0], starts[a.num_seqs], a.total_q_tokens);
  }
  const auto capacity = static_cast<std::int64_t>(a.max_blocks_per_seq) * a.block_size;
  for (int seq = 0; seq < a.num_seqs; ++seq) {
    const std::int64_t q_len = static_cast<std::int64_t>(starts[seq + 1]) - starts[seq];
    if (q_len < 0 || q_len > a.max_q_len) {
      return fail(FERRUM_FA2_BAD_SIZE, text, "sequence %d: q_len = %lld; expected 0 ... %d", seq,
                  static_cast<long long>(q_len), a.max_q_len);
    }
    const std::int32_t kv_len = ints(a.seq_lens)[seq];
    if (kv_len < 0 || kv_len > a.max_kv_len || kv_len > capacity) {
      return fail(FERRUM_FA2_BAD_SIZE, text,
                  "sequence %d: seq_lens = %d; expected 0 ... %d within %lld table slots", seq,
                  kv_len, a.max_kv_len, static_cast<long long>(capacity));
    }
    const std::int32_t* table =
        ints(a.block_tables) + static_cast<std::ptrdiff_t>(seq) * a.max_blocks_per_seq;
    const int blocks = kv_len / a.block_size + (kv_len % a.block_size != 0 ? 1 : 0);
    for (int i = 0; i < blocks; ++i) {
      if (table[i] < 0) {
        return fail(FERRUM_FA2_BAD_SIZE, text,
                    "sequence %d: block_tables[%d] = %d is in use and negative", seq, i, table[i]);
      }
    }
  }
  return FERRUM_FA2_OK;
}

Schedule make_schedule(const Arguments& a, std::size_t cores) {
  Schedule schedule;
  schedule.tasks = make_tasks(a);
  double work = 0;
  for (const Task& task : schedule.tasks) {
    work += cost_of(task, task.key_end) * static_cast<double>(groups_of(task, a.num_kv_heads));
  }

  const double useful = work * a.head_dim * 2 / kLeastThreadWork;
  schedule.threads = std::max<std::size_t>(cores, 1);
  if (useful < static_cast<double>(schedule.threads)) {
    schedule.threads = std::max<std::size_t>(static_cast<std::size_t>(useful), 1);
  }
  const double most_per_item = work / (static_cast<double>(schedule.threads) * kItemsPerThread);
  if (schedule.threads > 1) {
    for (Task& task : schedule.tasks) split_keys(task, most_per_item);
  }
  if (schedule.tasks.size() <= kMostSorted) {
    std::stable_sort(schedule.tasks.begin(), schedule.tasks.end(),
                     [](const Task& left, const Task& right) {
                       return cost_of(left, left.part_keys) > cost_of(right, right.part_keys);
                     });
  }
  for (Task& task : schedule.tasks) {
    task.first_item = schedule.items;
    const std::size_t groups = groups_of(task, a.num_kv_heads);
    schedule.items += groups * task.parts;
    if (task.parts == 1) continue;
    task.first_partial = schedule.partial_floats;
    task.first_counter = schedule.counters;
    task.partial_floats = task.row_count * (static_cast<std::size_t>(a.head_dim) + 2);
    schedule.partial_floats +=
        static_cast<std::size_t>(a.num_kv_heads) * task.parts * task.partial_floats;
    schedule.counters += groups;
  }
  schedule.threads = std::min(schedule.threads, std::max<std::size_t>(schedule.items, 1));
  return schedule;
}

}  // namespace fa2bench::shims::cpu
