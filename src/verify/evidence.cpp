// SPDX-License-Identifier: MIT
#include "verify/evidence.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/random.hpp"

namespace fa2bench {
namespace {

constexpr std::uint32_t kPairStream = 0x50414952;  // apart from the data's streams

}  // namespace

PairLists list_pairs(const Evidence& evidence) {
  const Reference& reference = evidence.reference;
  PairLists lists;
  for (std::size_t row = 0; row < reference.rows.size(); ++row) {
    const std::int64_t keys = reference.rows[row].visible_keys;
    for (int head = 0; head < reference.num_heads; ++head) {
      const HeadReference& exact = reference.at(row, head);
      const bool ok = out_error(exact, keys, evidence.observed.out_at(reference, row, head)).ok();
      (ok ? lists.right_out : lists.wrong_out).push_back({row, head});
      const double lse = static_cast<double>(evidence.observed.lse_at(reference, row, head));
      if (!lse_matches(exact, lse)) lists.wrong_lse.push_back({row, head});
    }
  }
  return lists;
}

std::vector<Pair> sample_pairs(const Evidence& evidence, std::vector<Pair> pairs,
                               std::size_t most) {
  CounterRng rng(evidence.workload.seed, kPairStream);
  for (std::size_t i = pairs.size(); i > 1; --i) std::swap(pairs[i - 1], pairs[rng.below(i)]);
  if (pairs.size() > most) pairs.resize(most);
  const std::int64_t enough = 2 * std::int64_t{evidence.workload.shape.block_size};
  const auto rank = [&](const Pair& pair) {
    const std::int64_t keys = evidence.reference.rows[pair.row].visible_keys;
    return keys > enough ? std::tuple(0, keys) : std::tuple(1, -keys);
  };
  const auto first = std::min_element(
      pairs.begin(), pairs.end(), [&](const Pair& a, const Pair& b) { return rank(a) < rank(b); });
  if (first != pairs.end()) std::swap(*pairs.begin(), *first);
  return pairs;
}

}  // namespace fa2bench
