// SPDX-License-Identifier: MIT
#include "app/turns.hpp"

#include <algorithm>
#include <utility>

#include "base/random.hpp"
#include "compare/looks.hpp"
#include "stats/summary.hpp"

namespace fa2bench {
namespace {

constexpr std::uint32_t kOrderStream = 0x7475726EU;  ///< random numbers of nothing else
constexpr double kPasses = 2.0;                      ///< of all participants in a placement

class Turns {
 public:
  Turns(const TurnPlan& plan, std::vector<Participant>& participants, const std::stop_token& stop)
      : plan_(plan), participants_(participants), stop_(stop), start_(plan.now()) {
    for (std::size_t i = 0; i < participants.size(); ++i) {
      if (participants[i].waits_in == plan.mode) field_.push_back(i);
    }
    taken_.resize(participants.size());
  }

  TurnsEnd run(const std::function<void(std::size_t)>& told) {
    // Numbers from 1: the first turns too place the memory, in which others worked meanwhile.
    for (std::size_t placement = 1; !field_.empty(); ++placement) {
      if (stop_.stop_requested()) return {Stop::interrupted, kLastLook};
      told(placement);
      const Seconds begin = plan_.now();
      take_all(placement);
      longest_ = std::max(longest_, plan_.now() - begin);
      if (const auto end = is_over(placement)) return *end;
    }
    return {Stop::time_limit, kLastLook};
  }

 private:
  [[nodiscard]] std::vector<std::size_t> order(std::size_t placement) const {
    std::vector<std::size_t> order = field_;
    CounterRng random(plan_.seed + placement, kOrderStream);
    for (std::size_t left = order.size(); left > 1; --left) {
      std::swap(order[left - 1], order[random.below(left)]);
    }
    return order;
  }

  void take_all(std::size_t placement) {
    std::vector<std::size_t> order = this->order(placement);
    Turn turn = turn_in(placement);
    around_ = slowest_ = Seconds{};
    for (int pass = 0; pass < static_cast<int>(kPasses); ++pass) {
      for (const std::size_t i : order) {
        if (stop_.stop_requested()) return;
        if (!take(i, turn)) return;
      }
      std::reverse(order.begin(), order.end());
    }
  }

  /// So many samples that a block takes a few times what it takes to get there, and that enough
  /// placements fit into the time.
  [[nodiscard]] Turn turn_in(std::size_t placement) const {
    constexpr double kTimesAround = 3.0;
    constexpr double kMost = 1000.0;
    constexpr double kPatience = 4.0;
    const auto least = static_cast<double>(plan_.limits.min_samples);
    const double turns = kPasses * static_cast<double>(field_.size());
    const Seconds share = plan_.total / (turns * static_cast<double>(kLeastPlacements));
    Turn turn;
    turn.placement = placement;
    double samples = least;
    if (slowest_.count() > 0.0) {
      const Seconds wanted = std::min<Seconds>(kTimesAround * around_, plan_.limits.trial_time);
      const Seconds room = std::max(Seconds{}, share - around_);
      samples = std::min(std::max(least, wanted / slowest_), room / slowest_);
    }
    turn.samples = static_cast<std::size_t>(std::clamp(samples, 1.0, kMost));
    turn.warm_up_calls = samples < least ? 1 : 3;
    turn.at_most = std::max<Seconds>(share, kPatience * samples * slowest_);
    return turn;
  }

  /// False if it was lost.
  bool take(std::size_t index, Turn& turn) {
    Participant& participant = participants_[index];
    std::variant<Took, Ran> answer = participant.runner->take(turn, {}, stop_);
    if (auto* ran = std::get_if<Ran>(&answer)) {
      participant.ran = std::move(*ran);
      participant.waits_in.reset();
      if (participant.ran->run.status != Status::ok) retire(participants_, participant.shim);
      drop(participant.shim);
      return false;
    }
    const Took& took = std::get<Took>(answer);
    if (plan_.shared && turn.filled.empty()) turn.filled = took.filled;
    Taken& taken = taken_[index];
    if (took.host_blocking && !std::exchange(taken.blocking, true)) forget(participant);
    const std::size_t samples = took.device_us.size();
    if (samples == 0) return true;
    taken.samples += samples;
    taken.kind = took.kind;
    around_ = std::max(around_, took.around);
    slowest_ = std::max<Seconds>(slowest_, took.sampling / static_cast<double>(samples));
    blocks_.push_back({turn.placement, static_cast<int>(participant.shim), participant.process,
                       median(took.device_us)});
    return true;
  }

  /// What it took before it was known to wait for the device is gone.
  void forget(const Participant& participant) {
    std::erase_if(blocks_, [&](const BlockTime& block) {
      return block.shim == static_cast<int>(participant.shim) &&
             block.process == participant.process;
    });
  }

  /// Before anybody else works: what a process does after its turns, it does where it was last.
  void drop(std::size_t shim) {
    std::erase_if(field_, [&](std::size_t i) { return participants_[i].shim == shim; });
    for (Participant& participant : participants_) {
      if (participant.shim == shim) leave(participant, plan_.mode, {Stop::interrupted}, stop_);
    }
  }

  [[nodiscard]] bool takes_part(std::size_t shim) const {
    return std::any_of(field_.begin(), field_.end(),
                       [&](std::size_t i) { return participants_[i].shim == shim; });
  }

  /// Whether all processes of both shims take samples of one kind; else there will be no ratio.
  [[nodiscard]] bool is_comparable(std::size_t shim) const {
    std::optional<SampleKind> kind;
    for (const std::size_t i : field_) {
      const std::size_t own = participants_[i].shim;
      if ((own != 0 && own != shim) || taken_[i].samples == 0) continue;
      if (kind.value_or(taken_[i].kind) != taken_[i].kind) return false;
      kind = taken_[i].kind;
    }
    return true;
  }

  /// What there is to be decided now.
  [[nodiscard]] std::vector<RatioEstimate> estimates(std::size_t look) const {
    std::vector<RatioEstimate> estimates;
    if (!takes_part(0)) return estimates;
    for (std::size_t shim = 1; shim <= participants_.back().shim; ++shim) {
      if (!takes_part(shim) || !is_comparable(shim)) continue;
      estimates.push_back(
          estimate_at_look(blocks_, 0, static_cast<int>(shim), plan_.rules.confidence, look));
    }
    return estimates;
  }

  std::optional<TurnsEnd> is_over(std::size_t placement) {
    const Seconds spent = plan_.now() - start_;
    if (spent + longest_ >= plan_.total) return TurnsEnd{Stop::time_limit, kLastLook};
    if (placement >= plan_.limits.max_trials) return TurnsEnd{Stop::max_trials, kLastLook};
    for (const Taken& taken : taken_) {
      if (taken.samples >= plan_.limits.max_samples) return TurnsEnd{Stop::max_samples, kLastLook};
    }
    // A look waits until there is enough to be seen, or its successor is due.
    const bool enough = placement >= std::max(plan_.limits.min_trials, kLeastPlacements);
    while (next_look_ < kLastLook && spent >= plan_.total * kLooks[next_look_]) {
      const std::size_t look = next_look_;
      const bool skipped = look + 1 < kLastLook && spent >= plan_.total * kLooks[look + 1];
      if (!skipped && !enough) break;
      ++next_look_;
      if (skipped) continue;
      const std::vector<RatioEstimate> all = estimates(look);
      // With nothing to compare, that is enough for times alone.
      if (all.empty()) return TurnsEnd{Stop::time_limit, look};
      if (is_decided(all, plan_.rules, plan_.rows)) return TurnsEnd{Stop::decided, look};
    }
    return std::nullopt;
  }

  struct Taken {
    std::size_t samples = 0;
    SampleKind kind;  ///< of its last turn, and so of all that count
    bool blocking = false;
  };

  const TurnPlan& plan_;
  std::vector<Participant>& participants_;
  const std::stop_token& stop_;
  Seconds start_;
  std::vector<std::size_t> field_;  ///< of participants_: those that take part
  std::vector<Taken> taken_;        ///< by each participant
  std::vector<BlockTime> blocks_;
  Seconds around_{};   ///< the most that anybody spent before a block, last time
  Seconds slowest_{};  ///< the most that a sample took, last time
  Seconds longest_{};  ///< placement
  std::size_t next_look_ = 0;
};

}  // namespace

void note(Participant& participant, Waiting waiting) {
  participant.waits_in.reset();
  if (const Mode* mode = std::get_if<Mode>(&waiting)) {
    participant.waits_in = *mode;
  } else {
    participant.ran = std::get<Ran>(std::move(waiting));
  }
}

void retire(std::vector<Participant>& participants, std::size_t shim) {
  for (Participant& participant : participants) {
    if (participant.shim != shim || !participant.waits_in) continue;
    participant.runner->renew();
    participant.waits_in.reset();
  }
}

void leave(Participant& participant, Mode mode, const TurnsOver& over,
           const std::stop_token& stop) {
  if (participant.waits_in != mode) return;
  note(participant, participant.runner->end_turns(over, {}, stop));
}

TurnsEnd take_turns(const TurnPlan& plan, std::vector<Participant>& participants,
                    const std::function<void(std::size_t placement)>& told,
                    const std::stop_token& stop) {
  return Turns(plan, participants, stop).run(told);
}

}  // namespace fa2bench
