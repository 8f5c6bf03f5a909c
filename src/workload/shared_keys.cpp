// SPDX-License-Identifier: MIT
// The keys that defaults and workloads share.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "workload/draft.hpp"
#include "workload/presets.hpp"

namespace fa2bench {
namespace {

/// Reads `key` of `level`, if there, into `value`.
template <typename T>
void read_integer(const JsonReader& level, const std::string& prefix, const char* key,
                  std::int64_t lowest, std::int64_t highest, T& value, WorkloadDraft& draft) {
  const auto place = level.find(key);
  if (!place) return;
  value = static_cast<T>(place->integer(lowest, highest));
  draft.set_place(prefix + key, *place);
}

void read_model(const JsonReader& place, WorkloadDraft& draft) {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> list;
    for (const ModelPreset& preset : kModelPresets) list.emplace_back(preset.name);
    return list;
  }();
  const ModelPreset& preset = kModelPresets[place.one_of(kNames)];
  HeadShape& shape = draft.workload.shape;
  shape.num_heads = preset.num_heads;
  shape.num_kv_heads = preset.num_kv_heads;
  shape.head_dim = preset.head_dim;
  draft.workload.layers = preset.layers;
  draft.set_place("num_heads", place);
  draft.set_place("num_kv_heads", place);
  draft.set_place("head_dim", place);
}

void read_shape(const JsonReader& level, WorkloadDraft& draft) {
  if (const auto model = level.find("model")) read_model(*model, draft);
  HeadShape& shape = draft.workload.shape;
  read_integer(level, "", "num_heads", 1, kMaxHeads, shape.num_heads, draft);
  read_integer(level, "", "num_kv_heads", 1, kMaxHeads, shape.num_kv_heads, draft);
  // Data are made and stored eight f16 at a time (device.hpp); FlashAttention asks for no less.
  read_integer(level, "", "head_dim", kHeadDimStep, kMaxHeadDim, shape.head_dim, draft);
  if (shape.head_dim % kHeadDimStep != 0) {
    level.at("head_dim").fail(fmt::format("a multiple of {}", kHeadDimStep));
  }
  read_integer(level, "", "block_size", 1, kMaxBlockSize, shape.block_size, draft);
  read_integer(level, "", "layers", 1, kMaxLayers, draft.workload.layers, draft);
}

std::vector<std::vector<std::int32_t>> read_rows(const JsonReader& place) {
  std::vector<std::vector<std::int32_t>> rows;
  for (const JsonReader& row : place.elements()) {
    std::vector<std::int32_t>& ids = rows.emplace_back();
    for (const JsonReader& id : row.elements()) {
      ids.push_back(static_cast<std::int32_t>(id.integer(INT32_MIN, INT32_MAX)));
    }
  }
  return rows;
}

/// `layout` or `rows`; whichever this level has replaces what an outer level said.
void read_layout(const JsonReader& table, WorkloadDraft& draft) {
  static const std::vector<std::string> kLayouts(kTableLayoutNames.begin(),
                                                 std::prev(kTableLayoutNames.end()));
  BlockTableRecipe& recipe = draft.workload.table;
  const auto layout = table.find("layout");
  const auto rows = table.find("rows");
  if (layout && rows) rows->fail(R"(either "layout" or "rows")", "both");
  if (layout) {
    recipe.layout = static_cast<TableLayout>(layout->one_of(kLayouts));
    recipe.rows.clear();
  }
  if (rows) {
    recipe.layout = TableLayout::rows;
    recipe.rows = read_rows(*rows);
    draft.set_place("block_table.rows", *rows);
  }
}

void read_block_table(const JsonReader& table, WorkloadDraft& draft) {
  static const std::vector<std::string> kKeys{"layout", "rows",        "unused",
                                              "width",  "pool_blocks", "first_block"};
  static const std::vector<std::string> kPolicies(kUnusedEntriesNames.begin(),
                                                  kUnusedEntriesNames.end());
  const std::string prefix = "block_table.";
  BlockTableRecipe& recipe = draft.workload.table;
  table.require_keys(kKeys);
  read_layout(table, draft);
  if (const auto unused = table.find("unused")) {
    recipe.unused = static_cast<UnusedEntries>(unused->one_of(kPolicies));
    draft.set_place("block_table.unused", *unused);
  }
  read_integer(table, prefix, "width", 1, kMaxInt32, recipe.width, draft);
  read_integer(table, prefix, "pool_blocks", 1, kMaxInt32, recipe.pool_blocks, draft);
  read_integer(table, prefix, "first_block", 0, kMaxInt32 - 1, recipe.first_block, draft);
}

void read_shared_prefix(const JsonReader& place, WorkloadDraft& draft) {
  static const std::vector<std::string> kKeys{"tokens", "groups"};
  const std::string prefix = "shared_prefix.";
  place.require_keys(kKeys);
  read_integer(place, prefix, "tokens", 0, kMaxKvLen, draft.workload.prefix.tokens, draft);
  read_integer(place, prefix, "groups", 1, kMaxSequences, draft.workload.prefix.groups, draft);
}

/// A bound of this level replaces that of an outer one; null takes it away.
void read_require(const JsonReader& place, WorkloadDraft& draft) {
  static const std::vector<std::string> kKeys(kGateKeys.begin(), kGateKeys.end());
  constexpr double kLongest = 1e12;  // µs: eleven days
  place.require_keys(kKeys);
  std::vector<Gate> gates;
  for (const std::string& key : kKeys) {
    const auto& outer = draft.workload.gates;
    const auto known =
        std::find_if(outer.begin(), outer.end(), [&](const Gate& gate) { return gate.key == key; });
    const auto bound = place.find(key);
    if (!bound) {
      if (known != outer.end()) gates.push_back(*known);
    } else if (bound->value().kind != JsonValue::Kind::null) {
      const bool share = key == "speed_of_light_min";
      gates.push_back({key, bound->number(share ? 0.0 : 1e-3, share ? 1.0 : kLongest)});
    }
  }
  draft.workload.gates = std::move(gates);
}

}  // namespace

const std::vector<std::string>& shared_keys() {
  static const std::vector<std::string> kKeys{
      "model",         "num_heads", "num_kv_heads", "head_dim",         "block_size",
      "layers",        "max_q_len", "max_kv_len",   "allow_empty_rows", "block_table",
      "shared_prefix", "seed",      "require"};
  return kKeys;
}

void read_shared_keys(const JsonReader& level, WorkloadDraft& draft) {
  read_shape(level, draft);
  read_integer(level, "", "max_q_len", 1, kMaxKvLen, draft.workload.stated_max_q_len, draft);
  read_integer(level, "", "max_kv_len", 1, kMaxKvLen, draft.workload.stated_max_kv_len, draft);
  if (const auto allow = level.find("allow_empty_rows")) draft.allow_empty_rows = allow->boolean();
  if (const auto table = level.find("block_table")) read_block_table(*table, draft);
  if (const auto prefix = level.find("shared_prefix")) read_shared_prefix(*prefix, draft);
  if (const auto seed = level.find("seed")) draft.workload.seed = seed->unsigned64();
  if (const auto require = level.find("require")) read_require(*require, draft);
}

}  // namespace fa2bench
