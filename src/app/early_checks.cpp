// SPDX-License-Identifier: MIT
#include "app/early_checks.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "app/stream_check.hpp"
#include "base/nvtx.hpp"
#include "verify/leak_search.hpp"

namespace fa2bench {
namespace {

constexpr const char* kBefore = "before timing";

/// Further calls of a right shim before it is timed, to see that it is not right by luck: a few,
/// and many where they are short.
constexpr int kRepeats = 3;
constexpr int kMostRepeats = 100;
constexpr int kFirstRepeat = 4;  ///< of the workload's calls, from 1
/// What they and further checks may take together, told from the call before.
constexpr Microseconds kRepeatTime{1e6};
constexpr Microseconds kMoreRepeatTime{5e4};

class EarlyChecks {
 public:
  EarlyChecks(const Shim& shim, const WorkloadOnDevice& target, const PhaseListener& listener,
              CheckedCalls& calls)
      : shim_(shim), target_(target), listener_(listener), calls_(calls) {}

  bool run() {
    if (!call_with_other_queries() || !call_on_other_pages()) return false;
    calls_.place(target_.table);
    if (!calls_.call(kBefore)) return false;
    if (!calls_.check(kBefore)) {
      explain();
      return false;
    }
    calls_.keep_as_first();
    if (!compare_pages() || !repeat()) return false;
    const std::string elsewhere = work_outside_stream(shim_, target_);
    if (elsewhere.empty()) return true;
    calls_.run.status = Status::wrong;
    calls_.run.reason = elsewhere;
    return false;
  }

 private:
  /// The first call of all, on a stream that a shim should not keep; its result is only known to be
  /// no later one's.
  bool call_with_other_queries() {
    target_.buffers.refill_queries(target_.workload.seed + 1);
    if (!calls_.call_first(kBefore)) return false;
    stale_ = calls_.bits();
    target_.buffers.refill_queries(target_.workload.seed);
    return true;
  }

  /// Remembers what it left; whether that is right is said after the pages that will be timed.
  bool call_on_other_pages() {
    calls_.note_inputs(target_.other_pages);
    if (!calls_.call(kBefore)) return false;
    pages_right_ = calls_.look().ok;
    pages_bits_ = calls_.bits();
    pages_left_ = calls_.left();
    return true;
  }

  bool compare_pages() {
    if (!pages_right_) {
      const std::string where = "with the same K and V on other pages";
      calls_.place(target_.other_pages);
      if (calls_.call_and_check(where)) return fail_once(where);
      if (calls_.run.verify) blame_calls_or_pages(where);
      return false;
    }
    const OutputBits now = calls_.bits();
    calls_.run.verify->constancy.other_pages =
        Repeats{1, now.out == pages_bits_.out, now.lse == pages_bits_.lse,
                out_difference(pages_left_, calls_.left())};
    return true;
  }

  /// What is wrong in some calls only is no matter of pages.
  void blame_calls_or_pages(const std::string& where) {
    CheckedCalls again(shim_, target_, listener_);
    again.note_inputs(target_.other_pages);
    if (again.call(where) && again.look().ok) {
      name("differs from call to call on the same inputs", where);
    }
  }

  /// It was wrong there before, and is not now.
  bool fail_once(const std::string& where) {
    calls_.run.status = Status::wrong;
    calls_.run.reason = fmt::format("{}: wrong in one call and right in a later one", where);
    calls_.run.verify->ok = false;
    return false;
  }

  /// Says more of a result that is wrong for no known mistake.
  void explain() {
    const VerifyReport& verify = *calls_.run.verify;
    const bool numbers = verify.non_finite > 0 || verify.fault;
    if (verify.unwritten > 0 || !verify.mistake.empty() || !numbers) return;
    if (verify.non_finite == 0 && calls_.bits() == stale_) {  // NaN is the same of any q
      name("returns the result of an earlier call, whose q was another", kBefore);
      return;
    }
    listener_({"looking for the mistake", kOwnWorkSeconds});
    CheckedCalls others(shim_, target_, listener_);
    name(find_leak(target_.verifier, target_.device, target_.buffers,
                   [&] { return others.call("with other memory"); }),
         kBefore);
  }

  void name(std::string mistake, const std::string& where) {
    if (mistake.empty()) return;
    VerifyReport& verify = *calls_.run.verify;
    verify.mistake = std::move(mistake);
    verify.diagnosis = fmt::format("{}; {}", verify.mistake, verify.diagnosis);
    calls_.run.reason = fmt::format("{}: {}", where, verify.diagnosis);
  }

  /// Other bits are no fault as long as they are right.
  bool repeat() {
    using Clock = std::chrono::steady_clock;
    Repeats repeats;
    Microseconds spent{};
    const auto goes_on = [&] {
      const Microseconds limit = repeats.calls < kRepeats ? kRepeatTime : kMoreRepeatTime;
      return repeats.calls < kMostRepeats && spent + calls_.took() <= limit;
    };
    while (goes_on()) {
      const std::string where = fmt::format("call {} {}", repeats.calls + kFirstRepeat, kBefore);
      if (!calls_.call(where)) return false;
      spent += calls_.took();
      ++repeats.calls;
      if (calls_.same_bits()) continue;
      const Clock::time_point start = Clock::now();
      if (!calls_.check_other_bits(where, repeats)) return false;
      spent += Clock::now() - start;
    }
    if (repeats.calls > 0) calls_.run.verify->constancy.repeats = repeats;
    return true;
  }

  const Shim& shim_;
  const WorkloadOnDevice& target_;
  const PhaseListener& listener_;
  CheckedCalls& calls_;
  OutputBits stale_;  ///< of the call with other queries
  bool pages_right_ = false;
  OutputBits pages_bits_;
  Observed pages_left_;
};

}  // namespace

bool passes_early_checks(const Shim& shim, const WorkloadOnDevice& target,
                         const PhaseListener& listener, CheckedCalls& calls) {
  const NvtxRange range("verify before timing");
  return EarlyChecks(shim, target, listener, calls).run();
}

}  // namespace fa2bench
