// SPDX-License-Identifier: MIT
#include "workload/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/text.hpp"
#include "workload/batch.hpp"
#include "workload/batch_spec.hpp"
#include "workload/draft.hpp"
#include "workload/identity.hpp"
#include "workload/sweep.hpp"

namespace fa2bench {
namespace {

// Bounds on what a small file may expand to: 10^5 workloads and 256 MiB of lengths and ids.
constexpr std::int64_t kMaxWorkloads = 100'000;
constexpr std::int64_t kMaxLengthsOfFile = 1 << 25;
constexpr std::size_t kMaxNameBytes = 200;

Batch read_batch(const JsonReader& workload, WorkloadDraft& draft) {
  const auto batch = workload.find("batch");
  const auto q_lens = workload.find("q_lens");
  const auto kv_lens = workload.find("kv_lens");
  const char* expected = R"("batch", or "q_lens" with "kv_lens")";
  if (batch) {
    if (q_lens || kv_lens) {
      batch->fail("one of them",
                  fmt::format(R"("batch" beside "{}")", q_lens ? "q_lens" : "kv_lens"));
    }
    draft.set_place("batch", *batch);
    const auto kind = batch->value().kind;
    if (kind == JsonValue::Kind::string) return read_batch_spec(*batch, draft.allow_empty_rows);
    if (kind == JsonValue::Kind::array) return read_batch_groups(*batch, draft.allow_empty_rows);
    batch->fail("a batch-spec string or an array of groups {count, q, kv}");
  }
  if (!q_lens && !kv_lens) workload.fail(expected, "no batch");
  if (!kv_lens) workload.fail(expected, R"("q_lens" without "kv_lens")");
  if (!q_lens) workload.fail(expected, R"("kv_lens" without "q_lens")");
  draft.set_place("batch", *q_lens);
  return read_lens(*q_lens, *kv_lens, draft.allow_empty_rows);
}

std::string read_name(const JsonReader& workload, const SweepPoint& point, const Batch& batch) {
  const auto place = workload.find("name");
  std::string name = (place ? place->text() : batch_name(batch)) + point.suffix;
  if (name.empty() || name.size() > kMaxNameBytes || printable(name) != name) {
    const JsonReader& at = place ? *place : workload;
    at.fail(fmt::format("1 … {} bytes without control characters", kMaxNameBytes),
            fmt::format(R"(the name "{}")", printable(name.substr(0, 60))));
  }
  return name;
}

const std::vector<std::string>& workload_keys() {
  static const std::vector<std::string> kKeys = [] {
    std::vector<std::string> list{"name", "batch", "q_lens", "kv_lens"};
    list.insert(list.end(), shared_keys().begin(), shared_keys().end());
    list.emplace_back("sweep");
    return list;
  }();
  return kKeys;
}

/// Reads the workloads of one file in order.
class ConfigReader {
 public:
  ConfigReader(WorkloadDraft defaults, std::optional<std::uint64_t> seed)
      : defaults_(std::move(defaults)),
        lengths_of_defaults_(row_ids(defaults_.workload) +
                             static_cast<std::int64_t>(defaults_.workload.table.rows.size())),
        seed_(seed) {}

  void add(const JsonReader& element) {
    element.require_keys(workload_keys());
    const std::int64_t room = kMaxWorkloads - static_cast<std::int64_t>(workloads_.size());
    if (room == 0) element.fail(fmt::format("at most {} workloads", kMaxWorkloads), "one more");
    points_.clear();
    for_each_sweep_point(element, room, [&](const SweepPoint& point) {
      const std::string label = point.label.empty() ? "" : fmt::format("({})", point.label);
      add_point(JsonReader(element.document_name(), *point.workload, element.path() + label),
                point);
    });
  }

  std::vector<Workload> take() { return std::move(workloads_); }

 private:
  void add_point(const JsonReader& whole, const SweepPoint& point) {
    WorkloadDraft draft = defaults_;
    read_shared_keys(whole, draft);
    Batch batch = read_batch(whole, draft);
    Workload& workload = draft.workload;
    workload.name = read_name(whole, point, batch);
    workload.q_lens = std::move(batch.q_lens);
    workload.kv_lens = std::move(batch.kv_lens);
    count_lengths(whole, workload);
    check_workload(draft, whole);
    claim_name(whole, workload.name);
    workload.id = workload_id(workload);
    claim_point(whole, workload);
    if (seed_ && workload.seed != *seed_) {
      workload.seed = *seed_;
      workload.id = workload_id(workload);
    }
    workloads_.push_back(std::move(workload));
  }

  static std::int64_t row_ids(const Workload& workload) {
    std::int64_t count = 0;
    for (const auto& row : workload.table.rows) count += static_cast<std::int64_t>(row.size());
    return count;
  }

  /// Rows of the defaults count for each workload, even if it replaces them: they are copied.
  void count_lengths(const JsonReader& whole, const Workload& workload) {
    lengths_ += static_cast<std::int64_t>(workload.q_lens.size());
    lengths_ += std::max(row_ids(workload), lengths_of_defaults_);
    if (lengths_ > kMaxLengthsOfFile) {
      whole.fail(fmt::format("at most {} in one file; split it", kMaxLengthsOfFile),
                 fmt::format("{} sequences and row ids in the workloads up to here", lengths_));
    }
  }

  void claim_name(const JsonReader& whole, const std::string& name) {
    const auto place = whole.find("name");
    const auto [other, fresh] = names_.emplace(name, whole.path());
    if (fresh) return;
    (place ? *place : whole)
        .fail("a name of its own",
              fmt::format(R"(the name "{}", which {} has)", name, other->second));
  }

  /// An axis that changes nothing but the name would measure the same again, and nobody would know.
  void claim_point(const JsonReader& whole, const Workload& workload) {
    const auto [other, fresh] = points_.emplace(workload.id, Point{workload.name, whole.path()});
    if (fresh) return;
    whole.fail("axes that change more than the name (\"seed\": \"{axis}\" is a change)",
               fmt::format(R"("{}", which is "{}" of {} under another name)", workload.name,
                           other->second.name, other->second.path));
  }

  struct Point {
    std::string name;
    std::string path;
  };

  WorkloadDraft defaults_;
  std::int64_t lengths_of_defaults_;
  std::optional<std::uint64_t> seed_;
  std::vector<Workload> workloads_;
  std::unordered_map<std::string, std::string> names_;  ///< to the path of its workload
  std::unordered_map<std::string, Point> points_;       ///< of the sweep at hand, by workload id
  std::int64_t lengths_ = 0;
};

}  // namespace

std::vector<Workload> read_config(const JsonDocument& document, std::optional<std::uint64_t> seed) {
  static const std::vector<std::string> kKeys{"schema", "description", "defaults", "workloads"};
  const JsonReader root(document);
  const JsonReader schema = root.at("schema");
  if (schema.text() != kConfigSchema) schema.fail(fmt::format(R"("{}")", kConfigSchema));
  root.require_keys(kKeys);
  if (const auto description = root.find("description")) (void)description->text();
  WorkloadDraft defaults;
  if (const auto level = root.find("defaults")) {
    level->require_keys(shared_keys());
    read_shared_keys(*level, defaults);
  }
  const JsonReader list = root.at("workloads");
  const JsonElements elements = list.elements();
  if (elements.empty()) list.fail("at least one workload");
  ConfigReader reader(std::move(defaults), seed);
  for (const JsonReader& element : elements) reader.add(element);
  return reader.take();
}

}  // namespace fa2bench
