// SPDX-License-Identifier: MIT
// Checks over a whole workload; each fault is reported where the value was written.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "workload/draft.hpp"
#include "workload/presets.hpp"
#include "workload/table_size.hpp"

namespace fa2bench {
namespace {

std::string model_names() {
  std::vector<std::string> names;
  for (const ModelPreset& preset : kModelPresets) names.emplace_back(preset.name);
  return join(names);
}

void check_heads(const WorkloadDraft& draft, const JsonReader& whole) {
  const HeadShape& shape = draft.workload.shape;
  if (shape.num_heads == 0) {
    whole.fail(fmt::format("num_heads and num_kv_heads, or a model: one of {}", model_names()),
               R"(neither "model" nor "num_heads")");
  }
  if (shape.num_kv_heads == 0) {
    whole.fail("both, or a model", R"("num_heads" without "num_kv_heads")");
  }
  if (shape.num_heads % shape.num_kv_heads == 0) return;
  // The key written beside or over a model is the likelier fault; a preset itself divides.
  const bool heads_given = draft.place("num_heads", whole).path().ends_with("num_heads");
  const auto& place = draft.place(heads_given ? "num_heads" : "num_kv_heads", whole);
  place.fail(
      "num_heads to be a multiple of num_kv_heads",
      fmt::format("num_heads = {} with num_kv_heads = {}", shape.num_heads, shape.num_kv_heads));
}

void check_maximum(const JsonReader& place, const std::vector<std::int32_t>& lens,
                   std::optional<std::int32_t> stated, const char* key) {
  const auto longest = std::max_element(lens.begin(), lens.end());
  if (!stated || *stated >= *longest) return;
  place.fail(
      fmt::format("at least {}, the {} of sequence {}", *longest, key, longest - lens.begin()));
}

void check_lengths(const WorkloadDraft& draft, const JsonReader& whole) {
  const Workload& workload = draft.workload;
  const std::int64_t total =
      std::accumulate(workload.q_lens.begin(), workload.q_lens.end(), std::int64_t{0});
  if (total > kMaxInt32) {
    draft.place("batch", whole)
        .fail(fmt::format("at most {}, which the shim's int can carry", kMaxInt32),
              fmt::format("{} query tokens in all", total));
  }
  check_maximum(draft.place("max_q_len", whole), workload.q_lens, workload.stated_max_q_len,
                "q_len");
  check_maximum(draft.place("max_kv_len", whole), workload.kv_lens, workload.stated_max_kv_len,
                "kv_len");
}

void check_prefix(const WorkloadDraft& draft, const JsonReader& whole) {
  const Workload& workload = draft.workload;
  const SharedPrefix& prefix = workload.prefix;
  if (prefix.tokens == 0) return;
  const JsonReader& tokens = draft.place("shared_prefix.tokens", whole);
  if (workload.table.layout == TableLayout::rows) {
    tokens.fail("no shared_prefix beside block_table.rows, which shares by repeating an id");
  }
  if (prefix.tokens % workload.shape.block_size != 0) {
    tokens.fail(fmt::format("a multiple of block_size = {}", workload.shape.block_size));
  }
  const auto shortest = std::min_element(workload.kv_lens.begin(), workload.kv_lens.end());
  if (prefix.tokens > *shortest) {
    tokens.fail(fmt::format("at most {}, the kv_len of sequence {}", *shortest,
                            shortest - workload.kv_lens.begin()));
  }
  const auto num_seqs = static_cast<std::int64_t>(workload.kv_lens.size());
  if (prefix.groups > num_seqs) {
    draft.place("shared_prefix.groups", whole)
        .fail(fmt::format("at most {}, the number of sequences", num_seqs));
  }
}

/// Layout rows: every id that a sequence will follow is a block of the pool.
void check_rows(const WorkloadDraft& draft, const JsonReader& whole) {
  const Workload& workload = draft.workload;
  const BlockTableRecipe& table = workload.table;
  const JsonReader& place = draft.place("block_table.rows", whole);
  if (table.first_block > 0) {
    draft.place("block_table.first_block", whole)
        .fail("no first_block beside rows, which give the ids themselves");
  }
  if (table.rows.size() != workload.kv_lens.size()) {
    place.fail(fmt::format("{}, one for each sequence", workload.kv_lens.size()),
               fmt::format("{} rows", table.rows.size()));
  }
  const std::int64_t end = table.pool_blocks > 0 ? table.pool_blocks : kMaxInt32;
  for (std::size_t s = 0; s < table.rows.size(); ++s) {
    const auto needed =
        static_cast<std::size_t>(blocks_of(workload.kv_lens[s], workload.shape.block_size));
    const auto& row = table.rows[s];
    if (row.size() < needed) {
      place.elements()[s].fail(
          fmt::format("at least {} for kv_len {} of sequence {}: column {} is missing", needed,
                      workload.kv_lens[s], s, row.size()),
          fmt::format("{} block ids", row.size()));
    }
    for (std::size_t column = 0; column < needed; ++column) {
      if (row[column] >= 0 && row[column] < end) continue;
      place.elements()[s].elements()[column].fail(
          fmt::format("a block id, 0 … {}, in live column {} of sequence {}", end - 1, column, s));
    }
  }
}

void check_width(const WorkloadDraft& draft, const JsonReader& whole, const TableSize& size) {
  const Workload& workload = draft.workload;
  const auto& kv_lens = workload.kv_lens;
  const JsonReader& place = draft.place("block_table.width", whole);
  if (size.width < size.longest) {
    const auto longest = std::max_element(kv_lens.begin(), kv_lens.end());
    place.fail(fmt::format("at least {}, the blocks that kv_len {} of sequence {} fills",
                           size.longest, *longest, longest - kv_lens.begin()));
  }
  for (std::size_t s = 0; s < workload.table.rows.size(); ++s) {
    const auto length = static_cast<std::int64_t>(workload.table.rows[s].size());
    if (length > size.width) place.fail(fmt::format("at least {}, the ids in rows[{}]", length, s));
  }
  const auto num_seqs = static_cast<std::int64_t>(kv_lens.size());
  if (size.width > kMaxInt32 / num_seqs) {
    place.fail(fmt::format("at most {}", kMaxInt32),
               fmt::format("a block table of {} x {} entries", num_seqs, size.width));
  }
}

void check_pool(const WorkloadDraft& draft, const JsonReader& whole, const TableSize& size) {
  const JsonReader& place = draft.place("block_table.pool_blocks", whole);
  const std::int64_t first = draft.workload.table.first_block;
  const std::string live =
      fmt::format("{} live blocks{}", size.live_blocks,
                  first > 0 ? fmt::format(" from first_block {} on", first) : "");
  if (size.smallest_pool > kMaxInt32) {
    whole.fail(fmt::format("a pool of at most {}, which an int32 block id can name", kMaxInt32),
               live);
  }
  if (size.num_blocks < size.smallest_pool) {
    place.fail(fmt::format("at least {} for {}", size.smallest_pool, live));
  }
  if (size.live_blocks == 0 && draft.workload.table.unused == UnusedEntries::live_block) {
    draft.place("block_table.unused", whole)
        .fail(R"(a sequence with kv_len ≥ 1 for unused "live_block")", "no live block");
  }
  const bool full = size.num_blocks == size.live_blocks;
  if (full && draft.workload.table.unused == UnusedEntries::poison_block) {
    place.fail(fmt::format(R"(at least {}: {}, and one left for unused "poison_block")",
                           size.live_blocks + 1, live));
  }
}

}  // namespace

void check_workload(const WorkloadDraft& draft, const JsonReader& whole) {
  check_heads(draft, whole);
  check_lengths(draft, whole);
  check_prefix(draft, whole);
  if (draft.workload.table.layout == TableLayout::rows) check_rows(draft, whole);
  const TableSize size = table_size(draft.workload);
  check_width(draft, whole, size);
  check_pool(draft, whole, size);
}

}  // namespace fa2bench
