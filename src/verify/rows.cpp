// SPDX-License-Identifier: MIT
#include "verify/rows.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/random.hpp"
#include "workload/visible_keys.hpp"

namespace fa2bench {
namespace {

constexpr std::uint32_t kRowStream = 0x524F5753;  // apart from the data's streams
constexpr std::size_t kMostRows = 1024;
/// Generating one K and V element pair costs about as much as this many multiply-adds.
constexpr double kGenerationCost = 24.0;

class RowChooser {
 public:
  RowChooser(const Workload& workload, double budget)
      : workload_(workload), left_(budget), rng_(workload.seed, kRowStream) {
    for (std::size_t i = 0; i < workload.q_lens.size(); ++i) {
      const auto seq = static_cast<std::int32_t>(i);
      if (first_row(seq) < workload.q_lens[i]) with_keys_.push_back(seq);
    }
  }

  std::vector<CheckedRow> choose() {
    const std::vector<std::int32_t> order = sequence_order();
    // The first four sequences are checked whatever they cost; the others while the budget lasts.
    constexpr std::size_t kAlways = 4;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const bool always = i < kAlways;
      if (!always && spent()) break;
      add(order[i], workload_.q_lens[at(order[i])] - 1, always);
      add(order[i], first_row(order[i]), always);
    }
    for (const std::int32_t seq : order) {
      if (spent()) break;
      add_edges(seq);
    }
    add_random_rows();
    return sorted();
  }

 private:
  static std::size_t at(std::int32_t seq) { return static_cast<std::size_t>(seq); }
  [[nodiscard]] bool spent() const { return left_ <= 0.0 || chosen_.size() >= kMostRows; }

  /// First query token of a sequence that sees a key.
  [[nodiscard]] std::int32_t first_row(std::int32_t seq) const {
    return static_cast<std::int32_t>(
        empty_rows(workload_.q_lens[at(seq)], workload_.kv_lens[at(seq)]));
  }

  /// First, last, longest, shortest, then all others shuffled; of those with a row that sees a key.
  std::vector<std::int32_t> sequence_order() {
    std::vector<std::int32_t> all = with_keys_;
    if (all.empty()) return all;
    const auto shorter = [&](std::int32_t a, std::int32_t b) {
      return workload_.kv_lens[at(a)] < workload_.kv_lens[at(b)];
    };
    const std::int32_t picks[] = {all.front(), all.back(),
                                  *std::max_element(all.begin(), all.end(), shorter),
                                  *std::min_element(all.begin(), all.end(), shorter)};
    for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[rng_.below(i)]);
    std::vector<std::int32_t> order;
    for (const std::int32_t pick : picks) {
      if (std::find(order.begin(), order.end(), pick) == order.end()) order.push_back(pick);
    }
    const std::size_t picked = order.size();
    for (const std::int32_t seq : all) {
      const auto end = order.begin() + static_cast<std::ptrdiff_t>(picked);
      if (std::find(order.begin(), end, seq) == end) order.push_back(seq);
    }
    return order;
  }

  void add_edges(std::int32_t seq) {
    const std::int32_t q_len = workload_.q_lens[at(seq)];
    const std::int64_t hidden = workload_.kv_lens[at(seq)] - q_len;
    for (const std::int64_t tile :
         {std::int64_t{workload_.shape.block_size}, std::int64_t{64}, std::int64_t{128}}) {
      // Last row of the first query tile and first of the second; the last rows whose keys end at
      // a tile edge, and the rows after them; of those that see a key.
      const std::int64_t last_edge = (hidden + q_len) / tile * tile - hidden - 1;
      for (const std::int64_t token : {tile - 1, tile, last_edge, last_edge + 1}) {
        if (token >= first_row(seq) && token < q_len && !spent()) {
          add(seq, static_cast<std::int32_t>(token), false);
        }
      }
    }
  }

  void add_random_rows() {
    if (with_keys_.empty()) return;
    for (int tries = 0; tries < 256 && !spent(); ++tries) {
      const std::int32_t seq = with_keys_[rng_.below(with_keys_.size())];
      const std::int32_t first = first_row(seq);
      const auto rows = static_cast<std::uint64_t>(workload_.q_lens[at(seq)] - first);
      add(seq, first + static_cast<std::int32_t>(rng_.below(rows)), false);
    }
  }

  [[nodiscard]] std::int64_t keys_of(std::int32_t seq, std::int32_t token) const {
    return visible_keys(workload_.q_lens[at(seq)], workload_.kv_lens[at(seq)], token);
  }

  void add(std::int32_t seq, std::int32_t token, bool always) {
    if (!chosen_.emplace(seq, token).second) return;
    const auto keys_dims = static_cast<double>(keys_of(seq, token)) * workload_.shape.head_dim;
    double cost = 3.0 * keys_dims * workload_.shape.num_heads;
    if (generated_.count(seq) == 0) {
      cost += kGenerationCost * keys_dims * workload_.shape.num_kv_heads;
    }
    if (!always && cost > left_) {
      chosen_.erase({seq, token});
      left_ = std::min(left_, 0.0);
      return;
    }
    generated_.insert(seq);
    left_ -= cost;
  }

  [[nodiscard]] std::vector<CheckedRow> sorted() const {
    std::vector<std::int64_t> starts{0};
    for (const std::int32_t q_len : workload_.q_lens) starts.push_back(starts.back() + q_len);
    std::vector<CheckedRow> rows;
    for (const auto& [seq, token] : chosen_) {
      rows.push_back({seq, token, starts[at(seq)] + token, keys_of(seq, token)});
    }
    return rows;
  }

  const Workload& workload_;
  double left_;
  CounterRng rng_;
  std::vector<std::int32_t> with_keys_;  ///< sequences with a row that sees a key, ascending
  std::set<std::pair<std::int32_t, std::int32_t>> chosen_;
  std::set<std::int32_t> generated_;
};

}  // namespace

std::vector<CheckedRow> choose_rows(const Workload& workload, double budget) {
  return RowChooser(workload, budget).choose();
}

}  // namespace fa2bench
