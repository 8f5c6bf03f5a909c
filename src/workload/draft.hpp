// SPDX-License-Identifier: MIT
// A workload while it is read: values so far, and the place that set each, for messages.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_document.hpp"
#include "workload/workload.hpp"

namespace fa2bench {

struct WorkloadDraft {
  Workload workload;
  /// Lengths of 0 and kv_len < q_len are meant. A permission to the reader, no part of the
  /// workload.
  bool allow_empty_rows = false;
  /// By key, "block_table.width" for a nested one: where its value comes from, the defaults or the
  /// workload itself.
  std::map<std::string, JsonReader, std::less<>> places;

  void set_place(std::string_view key, const JsonReader& place) {
    places.insert_or_assign(std::string(key), place);
  }
  /// The place of `key`, or `otherwise` where no one wrote it.
  [[nodiscard]] const JsonReader& place(std::string_view key, const JsonReader& otherwise) const {
    const auto found = places.find(key);
    return found == places.end() ? otherwise : found->second;
  }
};

/// Reads the keys that defaults and workloads share from `level` over what the draft holds:
/// model and head counts, block_size, layers, maxima, allow_empty_rows, block_table, shared_prefix,
/// seed, require. A workload's model outweighs the head counts of the defaults. block_table,
/// shared_prefix and require are merged key by key.
void read_shared_keys(const JsonReader& level, WorkloadDraft& draft);

/// The names of those keys.
const std::vector<std::string>& shared_keys();

/// What only a whole workload can be checked for: heads that divide, maxima, prefix, table and
/// pool sizes, the ids of layout rows, sums within int32. `whole` is the workload's place.
void check_workload(const WorkloadDraft& draft, const JsonReader& whole);

}  // namespace fa2bench
