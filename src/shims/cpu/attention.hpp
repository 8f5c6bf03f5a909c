// SPDX-License-Identifier: MIT
// What the parts of the CPU shim pass to each other: the problem, a task, a kernel.
// Included by files that are compiled for different instruction sets, so it has no functions:
// the linker would keep one copy of an inline function, and perhaps one that this CPU cannot run.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fa2bench::shims::cpu {

/// Keys that a kernel converts and uses at a time. Parts of a split begin at multiples of it.
inline constexpr std::size_t kTileKeys = 64;
/// Most rows of one task: enough that the conversion of a K/V tile costs little beside its use.
inline constexpr std::size_t kTileRows = 96;
/// Tasks of at most this many rows per KV head use K and V as they are, unconverted.
inline constexpr std::size_t kFewRows = 8;
inline constexpr std::size_t kMaxHeadDim = 256;

/// One call, in the types the kernels use. Sizes in elements.
struct Problem {
  const std::uint16_t* q;
  const std::uint16_t* k;
  const std::uint16_t* v;
  std::uint16_t* out;
  float* lse;
  const std::int32_t* block_tables;
  std::size_t total_q_tokens;
  std::size_t num_heads;
  std::size_t num_kv_heads;
  std::size_t group;  ///< query heads of one KV head
  std::size_t head_dim;
  std::size_t block_size;
  std::size_t table_stride;
  float score_scale;  ///< log2(e) / sqrt(head_dim): scores are kept in base 2
};

/// A tile of query rows of one sequence, the same for each KV head. Row r of a sequence is query
/// token r / group and head r % group of the KV head's group, so that a group shares each K/V tile.
/// The keys 0 … key_end are cut into `parts` of `part_keys` keys, and the KV heads into groups of
/// `heads`; a part of a group is one item of work. Heads of a group walk the keys together: their
/// slots are neighbours in memory, and pages are costly to enter.
struct Task {
  std::int64_t kv_len;
  std::int64_t q_len;
  std::size_t seq;
  std::size_t first_token;  ///< of the sequence, in q
  std::size_t row_begin;    ///< in the sequence
  std::size_t row_count;    ///< 1 … kTileRows
  std::size_t key_end;      ///< what the last row sees
  std::size_t part_keys;    ///< a multiple of kTileKeys
  std::size_t parts;        ///< at least 1
  std::size_t heads;        ///< KV heads of an item; at least 1; heads · row_count <= kTileRows
  std::size_t first_item;   ///< items before this task's
  /// Floats of one part's result for one KV head: o [row_count, head_dim], m and l [row_count].
  std::size_t partial_floats;
  std::size_t first_partial;  ///< floats before this task's results of parts
  std::size_t first_counter;  ///< counters of unfinished parts before this task's, one per group
};

/// Floats of a thread's scratch: head_dim times the first, and the second.
inline constexpr std::size_t kScratchPerHeadDim = 2 * (kTileRows + kTileKeys);
inline constexpr std::size_t kScratchFixed = kTileRows * (kTileKeys + 2);

/// The same arithmetic for one instruction set.
struct Kernel {
  const char* name;
  /// Attends one part of the task's keys for KV heads kv_head … kv_head + heads - 1. With parts ==
  /// 1 the rows are final and go to out and lse; else they go to the task's `partials`,
  /// [num_kv_heads, parts, partial_floats]. `scratch` belongs to the thread.
  void (*attend)(const Problem&, const Task&, std::size_t kv_head, std::size_t heads,
                 std::size_t part, float* scratch, float* partials);
  /// Merges the parts of one KV head, in order, into out and lse. Overwrites the first of them.
  void (*combine)(const Problem&, const Task&, std::size_t kv_head, float* partials);
};

extern const Kernel kPortableKernel;
extern const Kernel kAvx2Kernel;
extern const Kernel kAvx512Kernel;

}  // namespace fa2bench::shims::cpu
