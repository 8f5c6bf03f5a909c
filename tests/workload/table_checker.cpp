// SPDX-License-Identifier: MIT
#include "workload/table_checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fa2bench {
namespace {

/// What a live table entry stands for: a sequence's own block, or a group's prefix block.
using Meaning = std::pair<std::int64_t, std::int64_t>;

Meaning meaning_of(const Workload& w, std::int64_t sequence, std::int64_t column) {
  if (column >= w.prefix.tokens / w.shape.block_size) return {sequence, column};
  const auto num_seqs = static_cast<std::int64_t>(w.kv_lens.size());
  std::int64_t group = 0;
  while (group + 1 < w.prefix.groups && (group + 1) * num_seqs / w.prefix.groups <= sequence) {
    ++group;
  }
  return {-1 - group, column};
}

/// Columns that a sequence's tokens fill.
std::size_t live_columns(const Workload& w, std::size_t sequence) {
  std::size_t columns = 0;
  for (std::int64_t left = w.kv_lens[sequence]; left > 0; left -= w.shape.block_size) ++columns;
  return columns;
}

/// What physical blocks should hold, gathered row by row.
struct Expected {
  std::unordered_map<std::int64_t, Meaning> meaning;
  std::unordered_map<std::int64_t, std::uint32_t> content;
  std::unordered_map<std::int64_t, std::int64_t> slots;
  std::vector<std::pair<Meaning, std::int64_t>> places;
};

std::string check_live(const Workload& w, const BlockTable& t, Expected& expected) {
  std::uint32_t next = 0;
  for (std::size_t s = 0; s < w.kv_lens.size(); ++s) {
    std::int64_t left = w.kv_lens[s];
    for (std::size_t column = 0; left > 0; ++column, left -= w.shape.block_size) {
      const std::int64_t id = t.entries[s * static_cast<std::size_t>(t.width) + column];
      if (id < w.table.first_block || id >= t.num_blocks) {
        return fmt::format("entry [{}][{}] = {} is out of range", s, column, id);
      }
      if (w.table.layout != TableLayout::rows) {
        const Meaning meaning =
            meaning_of(w, static_cast<std::int64_t>(s), static_cast<std::int64_t>(column));
        const auto [found, fresh] = expected.meaning.emplace(id, meaning);
        if (!fresh && found->second != meaning) {
          return fmt::format("block {} has two owners, one at [{}][{}]", id, s, column);
        }
        expected.places.emplace_back(meaning, id);
      } else if (id != w.table.rows[s][column]) {
        return fmt::format("entry [{}][{}] is not the id given", s, column);
      }
      if (expected.content.emplace(id, next).second) ++next;
      std::int64_t& slots = expected.slots[id];
      slots = std::max(slots, std::min<std::int64_t>(left, w.shape.block_size));
    }
  }
  std::sort(expected.places.begin(), expected.places.end());
  for (std::size_t i = 1; i < expected.places.size(); ++i) {
    if (expected.places[i].first == expected.places[i - 1].first &&
        expected.places[i].second != expected.places[i - 1].second) {
      return fmt::format("a shared block is in two places, {} and {}",
                         expected.places[i - 1].second, expected.places[i].second);
    }
  }
  return "";
}

std::string check_contents(const BlockTable& t, const Expected& expected) {
  for (std::int64_t id = 0; id < t.num_blocks; ++id) {
    const auto content = expected.content.find(id);
    const auto slots = expected.slots.find(id);
    const bool live = content != expected.content.end();
    const auto at = static_cast<std::size_t>(id);
    if (t.content[at] != (live ? content->second : kUnusedBlock)) {
      return fmt::format("content of block {} is {}", id, t.content[at]);
    }
    if (t.live_slots[at] != (live ? slots->second : 0)) {
      return fmt::format("live_slots of block {} are {}", id, t.live_slots[at]);
    }
  }
  return "";
}

bool fits_policy(const Workload& w, const BlockTable& t, std::size_t sequence, std::int64_t entry) {
  const bool in_pool = entry >= 0 && entry < t.num_blocks;
  switch (w.table.unused) {
    case UnusedEntries::minus_one:
      return entry == -1;
    case UnusedEntries::int_max:
      return entry == 2147483647;
    case UnusedEntries::num_blocks:
      return entry == t.num_blocks;
    case UnusedEntries::poison_block:
      return in_pool && t.content[static_cast<std::size_t>(entry)] == kUnusedBlock;
    case UnusedEntries::live_block:
      break;
  }
  if (!in_pool) return false;
  const auto owners =
      std::count_if(w.kv_lens.begin(), w.kv_lens.end(), [](int kv_len) { return kv_len > 0; });
  for (std::size_t s = 0; s < w.kv_lens.size(); ++s) {
    if (s == sequence && owners > 1) continue;
    const auto row = t.entries.begin() + static_cast<std::ptrdiff_t>(s) * t.width;
    const auto end = row + static_cast<std::ptrdiff_t>(live_columns(w, s));
    if (std::find(row, end, entry) != end) return true;
  }
  return false;
}

std::string check_unused(const Workload& w, const BlockTable& t) {
  const auto width = static_cast<std::size_t>(t.width);
  for (std::size_t s = 0; s < w.kv_lens.size(); ++s) {
    std::size_t column = live_columns(w, s);
    if (w.table.layout == TableLayout::rows) column = w.table.rows[s].size();
    for (; column < width; ++column) {
      const std::int32_t entry = t.entries[s * width + column];
      if (!fits_policy(w, t, s, entry)) {
        return fmt::format("unused entry [{}][{}] = {} breaks {}", s, column, entry,
                           to_text(w.table.unused));
      }
    }
  }
  return "";
}

}  // namespace

std::string broken_law(const Workload& workload, const BlockTable& table) {
  if (table.entries.size() != workload.kv_lens.size() * static_cast<std::size_t>(table.width)) {
    return "entries are not [num_seqs, width]";
  }
  if (static_cast<std::int64_t>(table.content.size()) != table.num_blocks ||
      static_cast<std::int64_t>(table.live_slots.size()) != table.num_blocks) {
    return "content and live_slots are not [num_blocks]";
  }
  Expected expected;
  std::string law = check_live(workload, table, expected);
  if (law.empty()) law = check_contents(table, expected);
  if (law.empty()) law = check_unused(workload, table);
  return law;
}

}  // namespace fa2bench
