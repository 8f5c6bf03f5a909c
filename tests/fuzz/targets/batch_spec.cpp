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
JsonDocument config_with(std::string_view spec) {
  JsonDocument document =
      parse_json("config.json", R"({"schema": "ferrum-fa2-bench/config/v1", "workloads": [
        {"batch": "", "name": "w", "num_heads": 2, "num_kv_heads": 1, "head_dim": 8}]})");
  document.root.members[1].value.elements[0].members[0].value.text = spec;
  return document;
}

/// The name of a batch is batch-spec text unless it is a summary.
void check_name(const Workload& workload) {
  const std::string name = batch_name({workload.q_lens, workload.kv_lens});
  require(!name.empty() && name.size() <= 200, "a name is short");
  if (name.find(' ') != std::string::npos) return;
  try {
    const std::vector<Workload> again = read_config(config_with(name));
    require(again.front().q_lens == workload.q_lens, "the name says the q_lens: " + name);
    require(again.front().kv_lens == workload.kv_lens, "the name says the kv_lens: " + name);
  } catch (const Error& error) {
    require(false, std::string("the name of a batch is refused as one: ") + error.what());
  }
}

}  // namespace

bool feed(std::string_view input) {
  try {
    const std::vector<Workload> workloads = read_config(config_with(input));
    require(workloads.size() == 1, "one workload");
    check_name(workloads.front());
    return true;
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::usage, "a bad config is the user's");
    require_readable(error);
    return false;
  }
}

}  // namespace fa2bench::fuzz
