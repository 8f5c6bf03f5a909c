// SPDX-License-Identifier: MIT
// Any bytes as the batch-spec text of a config's only workload.
#include <string>
#include <vector>

#include "fuzz_target.hpp"
#include "workload/batch.hpp"
#include "workload/batch_spec.hpp"
#include "workload/config.hpp"

namespace fa2bench::fuzz {
namespace {

/// Set in the tree: as text the input would need escapes, and could not be what is no UTF-8.
JsonDocument config_with(std::string_view spec, bool allow_empty_rows) {
  JsonDocument document =
      parse_json("config.json", R"({"schema": "ferrum-fa2-bench/config/v1", "workloads": [
        {"batch": "", "allow_empty_rows": false, "name": "w", "num_heads": 2, "num_kv_heads": 1,
         "head_dim": 8}]})");
  std::vector<JsonMember>& members = document.root.members[1].value.elements[0].members;
  members[0].value.text = spec;
  members[1].value.boolean = allow_empty_rows;
  return document;
}

/// The name of a batch is batch-spec text unless it is a summary.
void check_name(const Workload& workload) {
  const std::string name = batch_name({workload.q_lens, workload.kv_lens});
  require(!name.empty() && name.size() <= 200, "a name is short");
  if (name.find(' ') != std::string::npos) return;
  try {
    const std::vector<Workload> again = read_config(config_with(name, true));
    require(again.front().q_lens == workload.q_lens, "the name says the q_lens: " + name);
    require(again.front().kv_lens == workload.kv_lens, "the name says the kv_lens: " + name);
  } catch (const Error& error) {
    require(false, std::string("the name of a batch is refused as one: ") + error.what());
  }
}

/// Whether every row sees a key and every sequence has a token.
bool has_no_empty_rows(const Workload& workload) {
  for (std::size_t s = 0; s < workload.q_lens.size(); ++s) {
    if (workload.q_lens[s] < 1 || workload.kv_lens[s] < workload.q_lens[s]) return false;
  }
  return true;
}

/// Without the permission the same is read, or an empty row is refused.
void check_permission(std::string_view input, const Workload& workload) {
  try {
    const std::vector<Workload> strict = read_config(config_with(input, false));
    require(strict.front().id == workload.id, "the permission changes nothing");
    require(has_no_empty_rows(workload), "an empty row needs the permission");
  } catch (const Error&) {
    require(!has_no_empty_rows(workload), "only an empty row needs the permission");
  }
}

}  // namespace

bool feed(std::string_view input) {
  try {
    const std::vector<Workload> workloads = read_config(config_with(input, true));
    require(workloads.size() == 1, "one workload");
    check_permission(input, workloads.front());
    check_name(workloads.front());
    return true;
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::usage, "a bad config is the user's");
    require_readable(error);
    return false;
  }
}

}  // namespace fa2bench::fuzz
