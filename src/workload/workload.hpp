// SPDX-License-Identifier: MIT
// A workload: one resolved batch to call a shim with. A pure value, no device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fa2bench {

/// What the ABI's int32 and this tool's checks allow.
inline constexpr std::int64_t kMaxKvLen = 1 << 24;
inline constexpr std::int64_t kMaxSequences = 1 << 20;
inline constexpr std::int64_t kMaxHeads = 1024;
inline constexpr std::int64_t kMaxHeadDim = 512;
inline constexpr std::int64_t kHeadDimStep = 8;  ///< head_dim is a multiple
inline constexpr std::int64_t kMaxBlockSize = 1024;
inline constexpr std::int64_t kMaxLayers = 256;
/// What the contract carries.
inline constexpr std::int64_t kMaxInt32 = INT32_MAX;

/// Attention heads and pages.
struct HeadShape {
  int num_heads = 0;
  int num_kv_heads = 0;
  int head_dim = 128;
  int block_size = 16;

  [[nodiscard]] int group() const { return num_heads / num_kv_heads; }
};

/// How logical blocks are placed in the pool.
enum class TableLayout {
  shuffled,     ///< a seeded permutation of a pool larger than needed
  contiguous,   ///< ascending ids, one sequence after the other
  reversed,     ///< descending ids
  interleaved,  ///< round-robin growth of concurrent sequences
  aged,         ///< a free list after churn
  rows,         ///< ids given in the config
};

/// Names in configs and results, in the order of the enumerators.
inline constexpr std::array<const char*, 6> kTableLayoutNames{
    "shuffled", "contiguous", "reversed", "interleaved", "aged", "rows"};
inline const char* to_text(TableLayout layout) {
  return kTableLayoutNames[static_cast<std::size_t>(layout)];
}

/// What stands in table entries past a sequence's last block.
enum class UnusedEntries {
  minus_one,     ///< -1
  int_max,       ///< 2147483647
  num_blocks,    ///< first id past the pool
  live_block,    ///< a block that another (or the same) sequence uses
  poison_block,  ///< a valid id of a block full of NaN
};

inline constexpr std::array<const char*, 5> kUnusedEntriesNames{
    "minus_one", "int_max", "num_blocks", "live_block", "poison_block"};
inline const char* to_text(UnusedEntries unused) {
  return kUnusedEntriesNames[static_cast<std::size_t>(unused)];
}

struct BlockTableRecipe {
  TableLayout layout = TableLayout::shuffled;
  UnusedEntries unused = UnusedEntries::minus_one;
  std::int64_t width = 0;        ///< max_blocks_per_seq; 0: two more than the longest needs
  std::int64_t pool_blocks = 0;  ///< num_blocks; 0: a quarter (at least 8) more than live
  std::int64_t first_block = 0;  ///< smallest id that may be live; lower ones stay unused
  /// Layout rows: ids per sequence. Ids past the last live block stand in the table as they are;
  /// `width` 0 then has room for the longest row.
  std::vector<std::vector<std::int32_t>> rows;
};

/// Sequences that share their first blocks: `groups` runs of neighbouring sequences, each run with
/// one common prefix of `tokens` tokens (a multiple of block_size, at most every kv_len).
struct SharedPrefix {
  std::int64_t tokens = 0;  ///< 0: nothing shared
  std::int64_t groups = 1;
};

/// A demand that a figure of every shim's result must meet, whatever others do. What misses it is
/// found in result/gates.hpp.
struct Gate {
  std::string key;  ///< one of kGateKeys
  double bound = 0.0;
};
/// Names in configs and results: the largest median of a call in each mode, in µs, and the smallest
/// share of the nearer ceiling that mode cold must reach.
inline constexpr std::array<const char*, 7> kGateKeys{
    "cold_us_max",  "warm_us_max",       "step_us_max",       "sustained_us_max",
    "graph_us_max", "graph_warm_us_max", "speed_of_light_min"};

struct Workload {
  std::string name;  ///< unique in a run
  std::string id;    ///< hash of everything below but layers and gates; 16 hex digits
  HeadShape shape;
  /// Query tokens of this step, and KV length after it, per sequence. Either may be 0, and kv_len
  /// less than q_len: see visible_keys.hpp.
  std::vector<std::int32_t> q_lens;
  std::vector<std::int32_t> kv_lens;
  BlockTableRecipe table;
  SharedPrefix prefix;
  std::optional<std::int32_t> stated_max_q_len;   ///< passed instead of the true maximum
  std::optional<std::int32_t> stated_max_kv_len;  ///< likewise
  std::uint64_t seed = 1;                         ///< of data and placement
  /// Of the model: how many calls, each on memory of its own, a step makes. No part of the id.
  int layers = 32;
  /// In the order of kGateKeys. No part of the id: they change nothing that is measured.
  std::vector<Gate> gates;
};

}  // namespace fa2bench
