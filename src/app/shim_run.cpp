// SPDX-License-Identifier: MIT
#include "app/shim_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

#include "app/stream_check.hpp"
#include "base/nvtx.hpp"
#include "base/text.hpp"
#include "verify/leak_search.hpp"

namespace fa2bench {
namespace {

std::string list_text(const std::vector<int>& values) {
  return fmt::format("{}", fmt::join(values, ", "));
}

/// Whether the code is an answer, not a failure: no code for the shape, or for a batch without a
/// query token, which an engine does not call for.
bool rejects(const Plan& plan, int code) {
  return code == FERRUM_FA2_UNSUPPORTED || (code == FERRUM_FA2_BAD_SIZE && nothing_to_do(plan));
}

Run refused(const Plan& plan, const CallOutcome& outcome) {
  Run run;
  run.status = rejects(plan, outcome.code) ? Status::unsupported : Status::failed;
  run.reason =
      fmt::format("code {} ({}): {}", outcome.code, code_meaning(outcome.code), outcome.message);
  return run;
}

/// Further calls of a right shim before it is timed, to see that it is not right by luck: a few,
/// and many where they are short.
constexpr int kRepeats = 3;
constexpr int kMostRepeats = 100;
/// What they and further checks may take together, told from the call before.
constexpr Microseconds kRepeatTime{1e6};
constexpr Microseconds kMoreRepeatTime{5e4};

/// A call, and what it left.
struct Left {
  Microseconds took{};
  Observed rows;
};

/// Poisons the outputs, calls once and waits. Fills `run` and returns false if the call itself did
/// not do well; `where` says which call it was.
bool call_once(const Shim& shim, const WorkloadOnDevice& target, const std::string& where, Run& run,
               Microseconds& took) {
  target.buffers.poison_outputs();
  CallOutcome outcome;
  took = target.device
             .time_call([&] {
               outcome = shim.call(target.buffers.call(), target.device.stream());
               return outcome.code;
             })
             .device;
  target.device.synchronize();
  if (outcome.code != 0) {
    run = refused(target.plan, outcome);
    return false;
  }
  if (outcome.wrote_past_err_buf) {
    run = Run{};
    run.status = Status::wrong;
    run.reason = fmt::format("{}: wrote past the {} bytes of err_buf", where, kErrBufBytes);
    return false;
  }
  return true;
}

/// Holds what the last call left against the reference. Fills `run` and returns false unless it is
/// right.
bool check(const WorkloadOnDevice& target, const std::string& where, Run& run, Observed& left) {
  const std::optional<Repeats> repeats = run.verify ? run.verify->repeats : std::nullopt;
  run.verify = target.verifier.check(target.device, target.buffers, target.input_checksum, &left);
  run.verify->repeats = repeats;
  if (run.verify->ok) return true;
  run.status = Status::wrong;
  run.reason = fmt::format("{}: {}", where, run.verify->diagnosis);
  run.timings.clear();
  return false;
}

bool verify_once(const Shim& shim, const WorkloadOnDevice& target, const std::string& where,
                 Run& run, Left& left) {
  const NvtxRange range("verify " + where);
  return call_once(shim, target, where, run, left.took) && check(target, where, run, left.rows);
}

/// Calls a right shim again. Other bits are no fault as long as they are right.
bool verify_repeats(const Shim& shim, const WorkloadOnDevice& target, const Left& first, Run& run) {
  using Clock = std::chrono::steady_clock;
  const std::uint64_t out = target.buffers.out_checksum();
  const std::uint64_t lse = target.buffers.lse_checksum();
  Repeats repeats;
  Microseconds last = first.took;
  Microseconds spent{};
  const auto goes_on = [&] {
    const Microseconds limit = repeats.calls < kRepeats ? kRepeatTime : kMoreRepeatTime;
    return repeats.calls < kMostRepeats && spent + last <= limit;
  };
  while (goes_on()) {
    const std::string where = fmt::format("call {} before timing", repeats.calls + 2);
    if (!call_once(shim, target, where, run, last)) return false;
    spent += last;
    ++repeats.calls;
    const bool same_out = target.buffers.out_checksum() == out;
    const bool same_lse = target.buffers.lse_checksum() == lse;
    repeats.same_out = repeats.same_out && same_out;
    repeats.same_lse = repeats.same_lse && same_lse;
    if (same_out && same_lse) continue;
    const Clock::time_point start = Clock::now();
    Observed left;
    if (!check(target, where, run, left)) return false;
    spent += Clock::now() - start;
    repeats.largest_difference =
        std::max(repeats.largest_difference, out_difference(first.rows, left));
  }
  if (repeats.calls > 0) run.verify->repeats = repeats;
  return true;
}

/// Calls again on other contents to say more of a result that is wrong for no known mistake.
void search_leak(const Shim& shim, const WorkloadOnDevice& target, Run& run) {
  const bool unexplained = run.verify && run.verify->unwritten == 0 && run.verify->mistake.empty();
  const bool numbers = run.verify && (run.verify->non_finite > 0 || run.verify->fault);
  if (!unexplained || !numbers) return;
  Run ignored;
  Microseconds took{};
  run.verify->mistake = find_leak(target.verifier, target.device, target.buffers,
                                  [&] { return call_once(shim, target, "", ignored, took); });
  if (run.verify->mistake.empty()) return;
  run.verify->diagnosis = fmt::format("{}; {}", run.verify->mistake, run.verify->diagnosis);
  run.reason = "before timing: " + run.verify->diagnosis;
}

}  // namespace

std::string shape_obstacle(const ShimDescription& described, const HeadShape& shape) {
  const char* origin =
      described.described ? "the shim describes" : "a shim without a description has";
  const auto has = [](const std::vector<int>& values, int value) {
    return std::find(values.begin(), values.end(), value) != values.end();
  };
  if (!has(described.head_dims, shape.head_dim)) {
    return fmt::format("head_dim {}: {} {}", shape.head_dim, origin,
                       list_text(described.head_dims));
  }
  if (!has(described.block_sizes, shape.block_size)) {
    return fmt::format("block_size {}: {} {}", shape.block_size, origin,
                       list_text(described.block_sizes));
  }
  return "";
}

Run run_shim_on(const Shim& shim, const WorkloadOnDevice& target, const RunRequest& request,
                const PhaseListener& listener, const std::stop_token& stop) {
  Run run;
  listener({"verifying before timing", 0.0});
  Left left;
  if (!verify_once(shim, target, "before timing", run, left)) {
    listener({"looking for the mistake", 0.0});
    search_leak(shim, target, run);
    return run;
  }
  if (nothing_to_do(target.plan)) {
    run.status = Status::ok;
    run.reason = kNothingToDo;
    return run;
  }
  listener({"repeating", 0.0});
  if (!verify_repeats(shim, target, left, run)) return run;
  const std::string elsewhere = work_outside_stream(shim, target);
  if (!elsewhere.empty()) {
    run.status = Status::wrong;
    run.reason = elsewhere;
    return run;
  }

  std::array<char, kErrBufBytes> err_buf{};
  const PagedVarlenCall& arguments = target.buffers.call();
  void* stream = target.device.stream();
  const std::function<int()> call = [&] { return shim.call_timed(arguments, stream, err_buf); };
  for (const CacheMode mode : request.modes) {
    const std::string phase = fmt::format("timing {}", to_text(mode));
    listener({phase, request.limits.time_limit.count()});
    const NvtxRange range(phase);
    Samples samples = take_samples(target.device, call, mode, request.limits, stop);
    if (samples.stop == Stop::call_failed) {
      run = refused(target.plan, {samples.code, err_buf_text(err_buf)});
      run.reason +=
          fmt::format(", in call {} of the {} series",
                      samples.warm_up_calls + samples.device_us.size() + 1, to_text(mode));
      return run;
    }
    if (samples.device_us.empty()) {
      run = Run{};
      run.reason = "interrupted";
      return run;
    }
    run.timings.push_back(make_timing(std::move(samples), target.plan, target.device.facts(), {}));
  }
  listener({"verifying after timing", 0.0});
  if (verify_once(shim, target, "after timing", run, left)) run.status = Status::ok;
  return run;
}

}  // namespace fa2bench
