// SPDX-License-Identifier: MIT
#include "verify/key_limit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/half.hpp"

namespace fa2bench {
namespace {

/// Attention of one pair key by key.
class GrowingSoftmax {
 public:
  GrowingSoftmax(const Evidence& evidence, const Pair& pair)
      : evidence_(evidence),
        row_(evidence.reference.rows[pair.row]),
        kv_head_(pair.head / evidence.workload.shape.group()),
        q_(scaled_query(evidence.workload, row_.global_token, pair.head)),
        k_(q_.size()),
        v_(q_.size()),
        out_(q_.size()) {}

  void absorb(std::int64_t key) {
    load(key);
    const double score = std::inner_product(q_.begin(), q_.end(), k_.begin(), 0.0);
    if (score > largest_) {
      const double shrink = std::exp(largest_ - score);  // 0 the first time
      sum_ *= shrink;
      for (double& x : out_) x *= shrink;
      largest_ = score;
    }
    const double weight = std::exp(score - largest_);
    sum_ += weight;
    for (std::size_t d = 0; d < out_.size(); ++d) out_[d] += weight * v_[d];
  }

  /// Squared, summed over the columns; NaN if there is one.
  [[nodiscard]] double error(const std::uint16_t* halves) const {
    double squares = 0.0;
    for (std::size_t d = 0; d < out_.size(); ++d) {
      const double error = static_cast<double>(half_to_float(halves[d])) - out_[d] / sum_;
      squares += error * error;
    }
    return squares;
  }

 private:
  void load(std::int64_t key) {
    const Workload& workload = evidence_.workload;
    const HeadShape& shape = workload.shape;
    const auto entry =
        static_cast<std::size_t>(row_.seq * evidence_.table.width + key / shape.block_size);
    const auto block = static_cast<std::size_t>(evidence_.table.entries[entry]);
    const std::uint64_t first =
        kv_element(shape, evidence_.table.content[block], key % shape.block_size, kv_head_);
    generate(workload.seed, Tensor::k, first, k_.size(), k_.data());
    generate(workload.seed, Tensor::v, first, v_.size(), v_.data());
  }

  const Evidence& evidence_;
  const CheckedRow& row_;
  int kv_head_;
  std::vector<double> q_;
  std::vector<double> k_;
  std::vector<double> v_;
  std::vector<double> out_;  ///< weighted values, not yet divided
  double sum_ = 0.0;
  double largest_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

std::optional<std::int64_t> fit_key_limit(const Evidence& evidence, const std::vector<Pair>& sample,
                                          Budget& budget) {
  // A key of little weight more or less makes no difference in one pair, but in all of them.
  constexpr std::size_t kPairs = 4;
  constexpr double kPasses = 2.0;  // the cost of an error after each key
  if (sample.empty()) return std::nullopt;
  const std::int64_t visible = evidence.reference.rows[sample.front().row].visible_keys;
  std::vector<double> errors(static_cast<std::size_t>(std::max<std::int64_t>(0, visible - 1)));
  bool any = false;
  for (std::size_t i = 0; i < std::min(kPairs, sample.size()); ++i) {
    const Pair& pair = sample[i];
    if (evidence.reference.rows[pair.row].visible_keys < visible) continue;
    if (!budget.spend(kPasses * evaluation_cost(evidence.workload.shape, visible))) break;
    any = true;
    GrowingSoftmax softmax(evidence, pair);
    const std::uint16_t* halves = evidence.observed.out_at(evidence.reference, pair.row, pair.head);
    for (std::size_t key = 0; key < errors.size(); ++key) {
      softmax.absorb(static_cast<std::int64_t>(key));
      errors[key] += softmax.error(halves);
    }
  }
  if (!any || errors.empty()) return std::nullopt;
  return std::min_element(errors.begin(), errors.end()) - errors.begin() + 1;
}

}  // namespace fa2bench
