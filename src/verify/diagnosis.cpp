// SPDX-License-Identifier: MIT
#include "verify/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <optional>
#include <utility>
#include <vector>

#include "verify/block_mistakes.hpp"
#include "verify/f16_sums.hpp"
#include "verify/key_limit.hpp"
#include "verify/lse_mistakes.hpp"
#include "verify/match.hpp"
#include "verify/reading_mistakes.hpp"
#include "verify/scale_mistakes.hpp"
#include "verify/value_mistakes.hpp"

namespace fa2bench {
namespace {

constexpr std::size_t kWrongPairs = 32;
constexpr std::size_t kRightPairs = 16;

/// A mistake that has not been ruled out.
struct Suspect {
  ReadingMistake mistake;
  Matching matching;
  int head = INT_MAX;  ///< smallest query head of the matching pairs
  int kv_head = 0;     ///< that it read
  bool modulo = true;  ///< each read KV head (query head) % num_kv_heads
};

class ReadingDiagnosis {
 public:
  ReadingDiagnosis(const Evidence& evidence, const PairLists& pairs,
                   const std::vector<Pair>& sample, Budget& budget)
      : evidence_(evidence), pairs_(pairs), sample_(sample), budget_(budget) {}

  /// All mistakes on the first pair, then those left on the others. Of several that remain, the
  /// likeliest that would have left the right pairs right; with none, the likeliest.
  std::optional<Suspect> find(std::vector<ReadingMistake> mistakes) {
    if (sample_.empty()) return std::nullopt;
    std::vector<Suspect> suspects;
    for (ReadingMistake& mistake : mistakes) {
      Suspect suspect{std::move(mistake), Matching(evidence_)};
      if (survives(suspect, sample_.front())) suspects.push_back(std::move(suspect));
    }
    std::vector<Suspect> left;
    for (Suspect& suspect : suspects) {
      const bool all = std::all_of(sample_.begin() + 1, sample_.end(),
                                   [&](const Pair& pair) { return survives(suspect, pair); });
      if (all && suspect.matching.convinces()) left.push_back(std::move(suspect));
    }
    if (left.empty()) return std::nullopt;
    if (left.size() > 1) {
      const std::vector<Pair> right = sample_pairs(evidence_, pairs_.right_out, kRightPairs);
      const auto innocent = std::find_if(left.begin(), left.end(), [&](Suspect& suspect) {
        return std::all_of(right.begin(), right.end(),
                           [&](const Pair& pair) { return leaves_right(suspect, pair); });
      });
      if (innocent != left.end()) return std::move(*innocent);
    }
    return std::move(left.front());
  }

 private:
  /// False if the suspect would not have left this pair as it is, or if it costs too much to know.
  bool survives(Suspect& suspect, const Pair& pair) {
    const CheckedRow& row = evidence_.reference.rows[pair.row];
    for (const Reading& reading : suspect.mistake.readings(row, pair.head)) {
      if (!budget_.spend(evaluation_cost(evidence_.workload.shape, reading.keys))) return false;
      const Alternative alternative =
          evaluate(evidence_.workload, evidence_.table, row, pair.head, reading);
      if (!suspect.matching.add(pair, alternative)) continue;
      if (pair.head < suspect.head) {
        suspect.head = pair.head;
        suspect.kv_head = reading.kv_head;
      }
      const int modulo = pair.head % evidence_.workload.shape.num_kv_heads;
      suspect.modulo = suspect.modulo && reading.kv_head == modulo;
      return true;
    }
    return false;
  }

  /// The same for a pair that is right; what it costs too much to know does not count.
  bool leaves_right(const Suspect& suspect, const Pair& pair) {
    const CheckedRow& row = evidence_.reference.rows[pair.row];
    for (const Reading& reading : suspect.mistake.readings(row, pair.head)) {
      if (!budget_.spend(evaluation_cost(evidence_.workload.shape, reading.keys))) return true;
      Matching matching(evidence_);
      if (matching.add(pair,
                       evaluate(evidence_.workload, evidence_.table, row, pair.head, reading))) {
        return true;
      }
    }
    return false;
  }

  const Evidence& evidence_;
  const PairLists& pairs_;
  const std::vector<Pair>& sample_;
  Budget& budget_;
};

std::string name_of(const Suspect& suspect, const HeadShape& shape) {
  if (!suspect.mistake.name.empty()) return suspect.mistake.name;
  return fmt::format("query head {} used KV head {}, expected {}{}", suspect.head, suspect.kv_head,
                     suspect.head / shape.group(),
                     suspect.modulo ? " (head % num_kv_heads instead of head / group)" : "");
}

struct Named {
  std::string name;
  bool explains_lse = false;
};

Named name_out_mistake(const Evidence& evidence, const PairLists& pairs, Budget& budget) {
  if (pairs.wrong_out.empty()) return {};
  if (std::string name = diagnose_values(evidence, pairs); !name.empty()) return {name, false};
  const std::vector<Pair> sample = sample_pairs(evidence, pairs.wrong_out, kWrongPairs);
  const auto named = [&evidence](const Suspect& suspect) {
    return Named{name_of(suspect, evidence.workload.shape), suspect.matching.explains_lse()};
  };
  ReadingDiagnosis readings(evidence, pairs, sample, budget);
  if (const auto suspect = readings.find(reading_mistakes(evidence))) return named(*suspect);
  if (ScaleDiagnosis scale = diagnose_scale(evidence, sample, budget); !scale.name.empty()) {
    return {std::move(scale.name), scale.explains_lse};
  }
  if (const auto limit = fit_key_limit(evidence, sample, budget)) {
    const auto suspect = readings.find({key_limit_mistake(evidence, *limit)});
    if (suspect) return named(*suspect);
  }
  if (std::string name = diagnose_f16_sums(evidence, sample, budget); !name.empty()) {
    return {std::move(name), true};  // scores from f16 sums spoil lse too
  }
  return {offset_suspicion(evidence), true};
}

}  // namespace

std::string name_mistake(const Evidence& evidence, double multiply_adds) {
  Budget budget(multiply_adds);
  const PairLists pairs = list_pairs(evidence);
  const Named out = name_out_mistake(evidence, pairs, budget);
  if (out.name.empty() && !pairs.wrong_out.empty()) return "";  // a second mistake would mislead
  if (out.explains_lse) return out.name;
  const std::string lse = diagnose_lse(evidence, pairs, budget);
  return out.name.empty() || lse.empty() ? out.name + lse : out.name + "; " + lse;
}

}  // namespace fa2bench
