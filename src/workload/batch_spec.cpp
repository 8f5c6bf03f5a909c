// SPDX-License-Identifier: MIT
#include "workload/batch_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/text.hpp"
#include "workload/workload.hpp"

namespace fa2bench {
namespace {

constexpr std::size_t kLongestName = 60;

struct Segment {
  std::optional<std::int64_t> count;
  std::int64_t q = 0;
  std::optional<std::int64_t> s;
};

/// Takes the digits at the front of `text`; nothing if there are none, or so many that most are
/// leading zeros, which a sweep would read again and again. Saturates at 10^15, far past every
/// limit and far from overflow.
std::optional<std::int64_t> take_digits(std::string_view& text) {
  constexpr std::int64_t kSaturated = 1'000'000'000'000'000;
  constexpr std::size_t kMostDigits = 32;
  const std::size_t length = std::min(text.find_first_not_of("0123456789"), text.size());
  if (length == 0 || length > kMostDigits) return std::nullopt;
  std::int64_t value = 0;
  for (const char digit : text.substr(0, length)) {
    value = std::min(kSaturated, value * 10 + (digit - '0'));
  }
  text.remove_prefix(length);
  return value;
}

bool take(std::string_view& text, char expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(1);
  return true;
}

/// <N>[k]
std::optional<std::int64_t> take_tokens(std::string_view& text) {
  auto tokens = take_digits(text);
  if (tokens && take(text, 'k')) *tokens *= 1024;
  return tokens;
}

std::optional<Segment> parse_segment(std::string_view text) {
  Segment segment;
  segment.count = take_digits(text);
  if (!take(text, 'q')) return std::nullopt;
  const auto q = take_tokens(text);
  if (!q) return std::nullopt;
  segment.q = *q;
  if (take(text, 's')) {
    segment.s = take_tokens(text);
    if (!segment.s) return std::nullopt;
  }
  if (!text.empty()) return std::nullopt;
  return segment;
}

void append_segment(const JsonReader& place, std::string_view text, bool allow_empty_rows,
                    Batch& batch) {
  const auto refuse = [&](const std::string& expected) {
    place.fail(expected, fmt::format("the segment \"{}\"", printable(text.substr(0, 60))));
  };
  const auto segment = parse_segment(text);
  if (!segment) refuse("[count]q<N>[k][s<N>[k]], segments joined by \"_\"");
  const std::int64_t count = segment->count.value_or(1);
  const std::int64_t kv_len = segment->s.value_or(segment->q);
  if (count < 1 || count > kMaxSequences) refuse(fmt::format("a count, 1 … {}", kMaxSequences));
  const std::int64_t least = allow_empty_rows ? 0 : 1;
  if (segment->q < least || segment->q > kMaxKvLen) {
    refuse("q, the new tokens, " + length_range(segment->q, allow_empty_rows));
  }
  if (kv_len < least || kv_len > kMaxKvLen) {
    refuse("s, the KV length, " + length_range(kv_len, allow_empty_rows));
  }
  if (kv_len < segment->q && !allow_empty_rows) refuse(kv_at_least_q(segment->q));
  append_sequences(place, count, segment->q, kv_len, batch);
}

std::string tokens_text(std::int32_t tokens) {
  return tokens > 0 && tokens % 1024 == 0 ? fmt::format("{}k", tokens / 1024)
                                          : fmt::format("{}", tokens);
}

std::string summary(const Batch& batch) {
  const auto range = [](const std::vector<std::int32_t>& lens) {
    const auto [low, high] = std::minmax_element(lens.begin(), lens.end());
    return *low == *high ? fmt::format("{}", *low) : fmt::format("{}…{}", *low, *high);
  };
  return fmt::format("{} sequences, q {}, kv {}", batch.q_lens.size(), range(batch.q_lens),
                     range(batch.kv_lens));
}

}  // namespace

Batch read_batch_spec(const JsonReader& place, bool allow_empty_rows) {
  std::string_view rest = place.text();
  Batch batch;
  for (bool more = true; more;) {
    const std::size_t end = rest.find('_');
    more = end != std::string_view::npos;
    append_segment(place, rest.substr(0, end), allow_empty_rows, batch);
    if (more) rest.remove_prefix(end + 1);
  }
  return batch;
}

std::string batch_name(const Batch& batch) {
  std::string name;
  const std::size_t size = batch.q_lens.size();
  for (std::size_t first = 0, last = 0; first < size; first = last) {
    const std::int32_t q = batch.q_lens[first];
    const std::int32_t kv = batch.kv_lens[first];
    while (last < size && batch.q_lens[last] == q && batch.kv_lens[last] == kv) ++last;
    if (!name.empty()) name += '_';
    if (last - first > 1) name += fmt::format("{}", last - first);
    name += 'q' + tokens_text(q);
    if (kv != q) name += 's' + tokens_text(kv);
    if (name.size() > kLongestName) return summary(batch);
  }
  return name;
}

}  // namespace fa2bench
