// SPDX-License-Identifier: MIT
// Any bytes as a config. What is read is planned, written and read again, and its block tables, if
// small, keep their laws.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "fuzz_target.hpp"
#include "workload/block_table.hpp"
#include "workload/config.hpp"
#include "workload/config_writer.hpp"
#include "workload/plan.hpp"
#include "workload/table_checker.hpp"

namespace fa2bench::fuzz {
namespace {

// What is legal may take long: 10^5 workloads, 2^20 sequences each. Larger ones than these are left
// to tests of their own, since an input has a time limit here.
constexpr double kMostPoints = 500;
constexpr std::size_t kMostPlanned = 3;
constexpr std::int64_t kMostEntries = 4096;

const JsonValue* member_of(const JsonValue& object, std::string_view name) {
  const auto found = std::find_if(object.members.begin(), object.members.end(),
                                  [&](const JsonMember& member) { return member.name == name; });
  return found == object.members.end() ? nullptr : &found->value;
}

/// Workloads that the sweeps of the document stand for.
double sweep_points(const JsonDocument& document) {
  const JsonValue* workloads = member_of(document.root, "workloads");
  if (workloads == nullptr) return 0.0;
  double points = 0.0;
  for (const JsonValue& workload : workloads->elements) {
    double product = 1.0;
    if (const JsonValue* sweep = member_of(workload, "sweep")) {
      for (const JsonMember& axis : sweep->members) {
        product *= static_cast<double>(axis.value.elements.size());
      }
    }
    points += product;
  }
  return points;
}

void check_plan(const Workload& workload, const Plan& plan) {
  require(plan.num_seqs == static_cast<std::int64_t>(workload.q_lens.size()), "num_seqs");
  require(workload.q_lens.size() == workload.kv_lens.size(), "one kv_len for each q_len");
  require(plan.empty_rows >= 0 && plan.empty_rows <= plan.total_q_tokens, "rows without keys");
  require(plan.num_blocks >= 1 && plan.live_blocks <= plan.num_blocks, "blocks fit the pool");
  require(plan.num_blocks <= INT32_MAX, "an int32 names every block");
  require(plan.num_seqs * plan.max_blocks_per_seq <= INT32_MAX, "an int32 indexes the table");
  const bool sees_a_key = plan.total_q_tokens > plan.empty_rows;
  require((plan.cost.flops > 0.0) == sees_a_key, "work is done where a row sees a key");
  require((plan.cost.bytes_unique.count > 0) == sees_a_key, "and memory is moved");
  require(plan.cost.bytes_logical >= plan.cost.bytes_unique, "sharing saves bytes");
}

void check_tables(const Workload& workload, const Plan& plan) {
  if (plan.num_blocks > kMostEntries || plan.num_seqs * plan.max_blocks_per_seq > kMostEntries) {
    return;
  }
  for (const std::uint32_t trial : {0U, 1U}) {
    const std::string broken = broken_law(workload, build_block_table(workload, trial));
    require(broken.empty(), broken);
  }
}

/// As a workload travels to a worker.
void check_writing(const Workload& workload) {
  try {
    const auto again = read_config(parse_json("written.json", write_config(workload)));
    require(again.size() == 1, "one workload is written");
    require(again.front().id == workload.id, "the same workload is read again");
    require(again.front().name == workload.name, "its name too");
  } catch (const Error& error) {
    require(false, std::string("what was written is refused: ") + error.what());
  }
}

}  // namespace

bool feed(std::string_view input) {
  try {
    const JsonDocument document = parse_json("config.json", input);
    if (sweep_points(document) > kMostPoints) return false;
    const std::vector<Workload> workloads = read_config(document);
    require(!workloads.empty(), "a config has a workload");
    for (std::size_t i = 0; i < std::min(workloads.size(), kMostPlanned); ++i) {
      const Plan plan = make_plan(workloads[i]);
      check_plan(workloads[i], plan);
      check_tables(workloads[i], plan);
      if (plan.num_seqs <= kMostEntries) check_writing(workloads[i]);
    }
    return true;
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::usage, "a bad config is the user's");
    require_readable(error);
    return false;
  }
}

}  // namespace fa2bench::fuzz
