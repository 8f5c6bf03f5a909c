// SPDX-License-Identifier: MIT
#include "workload/batch.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "workload/workload.hpp"

namespace fa2bench {

std::string kv_at_least_q(std::int64_t q_len) {
  return fmt::format("kv_len ≥ q_len = {}, because kv_len includes the query tokens", q_len);
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

Batch read_batch_groups(const JsonReader& groups) {
  static const std::vector<std::string> kKeys{"count", "q", "kv"};
  const JsonElements elements = groups.elements();
  if (elements.empty()) groups.fail("at least one group {count, q, kv}");
  Batch batch;
  for (const JsonReader& group : elements) {
    group.require_keys(kKeys);
    const auto count_place = group.find("count");
    const std::int64_t count = count_place ? count_place->integer(1, kMaxSequences) : 1;
    const std::int64_t q_len = group.at("q").integer(1, kMaxKvLen);
    const JsonReader kv_place = group.at("kv");
    const std::int64_t kv_len = kv_place.integer(1, kMaxKvLen);
    if (kv_len < q_len) kv_place.fail(kv_at_least_q(q_len));
    append_sequences(group, count, q_len, kv_len, batch);
  }
  return batch;
}

Batch read_lens(const JsonReader& q_lens, const JsonReader& kv_lens) {
  const JsonElements q_places = q_lens.elements();
  const JsonElements kv_places = kv_lens.elements();
  if (q_places.empty()) q_lens.fail("at least one length");
  if (kv_places.size() != q_places.size()) {
    kv_lens.fail(fmt::format("{}, as many as q_lens has", q_places.size()),
                 fmt::format("{} lengths", kv_places.size()));
  }
  Batch batch;
  for (std::size_t i = 0; i < q_places.size(); ++i) {
    const std::int64_t q_len = q_places[i].integer(1, kMaxKvLen);
    const std::int64_t kv_len = kv_places[i].integer(1, kMaxKvLen);
    if (kv_len < q_len) kv_places[i].fail(kv_at_least_q(q_len));
    append_sequences(q_lens, 1, q_len, kv_len, batch);
  }
  return batch;
}

}  // namespace fa2bench
