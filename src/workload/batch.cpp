// SPDX-License-Identifier: MIT
#include "workload/batch.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "workload/workload.hpp"

namespace fa2bench {
namespace {

std::int64_t read_length(const JsonReader& place, bool allow_empty_rows) {
  const std::int64_t least = allow_empty_rows ? 0 : 1;
  const JsonValue& value = place.value();
  const bool zero = value.kind == JsonValue::Kind::integer && value.magnitude == 0;
  if (zero && least > 0) place.fail("an integer, " + length_range(0, allow_empty_rows));
  return place.integer(least, kMaxKvLen);
}

std::int64_t read_kv_len(const JsonReader& place, std::int64_t q_len, bool allow_empty_rows) {
  const std::int64_t kv_len = read_length(place, allow_empty_rows);
  if (kv_len < q_len && !allow_empty_rows) place.fail(kv_at_least_q(q_len));
  return kv_len;
}

}  // namespace

std::string kv_at_least_q(std::int64_t q_len) {
  return fmt::format(
      "kv_len ≥ q_len = {}, because kv_len includes the query tokens, or \"allow_empty_rows\": "
      "true",
      q_len);
}

std::string length_range(std::int64_t length, bool allow_empty_rows) {
  return fmt::format("{} … {}{}", allow_empty_rows ? 0 : 1, kMaxKvLen,
                     length == 0 ? ", or \"allow_empty_rows\": true" : "");
}

void append_sequences(const JsonReader& place, std::int64_t count, std::int64_t q_len,
                      std::int64_t kv_len, Batch& batch) {
  const std::int64_t total = static_cast<std::int64_t>(batch.q_lens.size()) + count;
  if (total > kMaxSequences) {
    place.fail(fmt::format("at most {} sequences in a batch", kMaxSequences),
               fmt::format("{} sequences or more", total));
  }
  batch.q_lens.resize(static_cast<std::size_t>(total), static_cast<std::int32_t>(q_len));
  batch.kv_lens.resize(static_cast<std::size_t>(total), static_cast<std::int32_t>(kv_len));
}

Batch read_batch_groups(const JsonReader& groups, bool allow_empty_rows) {
  static const std::vector<std::string> kKeys{"count", "q", "kv"};
  const JsonElements elements = groups.elements();
  if (elements.empty()) groups.fail("at least one group {count, q, kv}");
  Batch batch;
  for (const JsonReader& group : elements) {
    group.require_keys(kKeys);
    const auto count_place = group.find("count");
    const std::int64_t count = count_place ? count_place->integer(1, kMaxSequences) : 1;
    const std::int64_t q_len = read_length(group.at("q"), allow_empty_rows);
    const std::int64_t kv_len = read_kv_len(group.at("kv"), q_len, allow_empty_rows);
    append_sequences(group, count, q_len, kv_len, batch);
  }
  return batch;
}

Batch read_lens(const JsonReader& q_lens, const JsonReader& kv_lens, bool allow_empty_rows) {
  const JsonElements q_places = q_lens.elements();
  const JsonElements kv_places = kv_lens.elements();
  if (q_places.empty()) q_lens.fail("at least one length");
  if (kv_places.size() != q_places.size()) {
    kv_lens.fail(fmt::format("{}, as many as q_lens has", q_places.size()),
                 fmt::format("{} lengths", kv_places.size()));
  }
  Batch batch;
  for (std::size_t i = 0; i < q_places.size(); ++i) {
    const std::int64_t q_len = read_length(q_places[i], allow_empty_rows);
    const std::int64_t kv_len = read_kv_len(kv_places[i], q_len, allow_empty_rows);
    append_sequences(q_lens, 1, q_len, kv_len, batch);
  }
  return batch;
}

}  // namespace fa2bench
