// SPDX-License-Identifier: MIT
#include "verify/scale_mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/half.hpp"
#include "verify/match.hpp"

namespace fa2bench {
namespace {

class ScaleSearch {
 public:
  ScaleSearch(const Evidence& evidence, const std::vector<Pair>& sample, Budget& budget)
      : evidence_(evidence), sample_(sample), budget_(budget) {}

  /// Whether `factor` times the right scale gives what the call left, on every pair that the budget
  /// reaches.
  bool matches(double factor) {
    Matching matching(evidence_);
    for (const Pair& pair : sample_) {
      const std::optional<Alternative> alternative = at(pair, factor, false);
      if (!alternative) break;
      if (!matching.add(pair, *alternative)) return false;
    }
    explains_lse_ = matching.explains_lse();
    return matching.convinces();
  }

  [[nodiscard]] bool explains_lse() const { return explains_lse_; }

  /// The factor that fits the first pairs best, by Gauss-Newton steps in its logarithm; none if
  /// they do not settle.
  std::optional<double> fit() {
    constexpr int kSteps = 12;
    constexpr std::size_t kPairs = 4;
    double log_factor = 0.0;
    for (int step = 0; step < kSteps; ++step) {
      double product = 0.0;
      double square = 0.0;
      for (std::size_t i = 0; i < std::min(kPairs, sample_.size()); ++i) {
        const std::optional<Alternative> here = at(sample_[i], std::exp(log_factor), true);
        if (!here) break;
        add_products(sample_[i], *here, product, square);
      }
      if (!(square > 0.0) || !std::isfinite(product)) return std::nullopt;
      const double move = std::clamp(product / square, -0.7, 0.7);
      log_factor += move;
      if (std::abs(log_factor) > 5.0) return std::nullopt;
      if (std::abs(move) < 1e-4) return std::exp(log_factor);
    }
    return std::nullopt;
  }

 private:
  std::optional<Alternative> at(const Pair& pair, double factor, bool with_slope) {
    const CheckedRow& row = evidence_.reference.rows[pair.row];
    Reading reading = right_reading(evidence_.workload, row, pair.head);
    reading.scale_factor = factor;
    if (!budget_.spend(evaluation_cost(evidence_.workload.shape, reading.keys))) {
      return std::nullopt;
    }
    return evaluate(evidence_.workload, evidence_.table, row, pair.head, reading, with_slope);
  }

  void add_products(const Pair& pair, const Alternative& here, double& product, double& square) {
    const std::uint16_t* halves =
        evidence_.observed.out_at(evidence_.reference, pair.row, pair.head);
    for (std::size_t d = 0; d < here.slope.size(); ++d) {
      const double missing = static_cast<double>(half_to_float(halves[d])) - here.exact.out[d];
      product += missing * here.slope[d];
      square += here.slope[d] * here.slope[d];
    }
  }

  const Evidence& evidence_;
  const std::vector<Pair>& sample_;
  Budget& budget_;
  bool explains_lse_ = false;
};

}  // namespace

ScaleDiagnosis diagnose_scale(const Evidence& evidence, const std::vector<Pair>& sample,
                              Budget& budget) {
  if (sample.empty()) return {};
  ScaleSearch search(evidence, sample, budget);
  const double root = std::sqrt(static_cast<double>(evidence.workload.shape.head_dim));
  if (search.matches(0.0)) return {"mean of V (scores ignored)", search.explains_lse()};
  if (search.matches(root)) return {"scores not scaled", search.explains_lse()};
  if (search.matches(1.0 / root)) return {"scores scaled twice", search.explains_lse()};
  const std::optional<double> factor = search.fit();
  if (!factor || !search.matches(*factor)) return {};
  return {fmt::format("scale off by {:+.2g} %", 100.0 * (*factor - 1.0)), search.explains_lse()};
}

}  // namespace fa2bench
