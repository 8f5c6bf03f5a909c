// SPDX-License-Identifier: MIT
#include "app/checked_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace fa2bench {
namespace {

/// Whether the code is an answer, not a failure: no code for the shape, or for a batch without a
/// query token, which an engine does not call for.
bool rejects(const Plan& plan, int code) {
  return code == FERRUM_FA2_UNSUPPORTED || (code == FERRUM_FA2_BAD_SIZE && nothing_to_do(plan));
}

}  // namespace

Run refused(const Plan& plan, const CallOutcome& outcome) {
  Run run;
  run.status = rejects(plan, outcome.code) ? Status::unsupported : Status::failed;
  run.reason =
      fmt::format("code {} ({}): {}", outcome.code, code_meaning(outcome.code), outcome.message);
  return run;
}

void CheckedCalls::place(const BlockTable& table) {
  target_.buffers.refill(target_.workload, table);
  note_inputs(table);
}

void CheckedCalls::note_inputs(const BlockTable& table) {
  placed_ = {&target_.buffers, &table, target_.buffers.input_checksum()};
}

void CheckedCalls::begin(const std::string& where) {
  listener_({"verifying " + where, 0.0});
  placed_.buffers->poison_outputs();
}

bool CheckedCalls::call_first(const std::string& where) {
  using Clock = std::chrono::steady_clock;
  begin(where);
  target_.device.synchronize();  // the other stream must see what this one filled
  const Clock::time_point start = Clock::now();
  CallOutcome outcome;
  target_.device.call_on_other_stream([&](void* stream) {
    outcome = shim_.call(placed_.buffers->call(), stream);
    return outcome.code;
  });
  run.first_call_us = std::round(Microseconds(Clock::now() - start).count());
  return did_well(outcome, where);
}

bool CheckedCalls::call(const std::string& where) {
  begin(where);
  CallOutcome outcome;
  took_ = target_.device
              .time_call([&] {
                outcome = shim_.call(placed_.buffers->call(), target_.device.stream());
                return outcome.code;
              })
              .device;
  return did_well(outcome, where);
}

bool CheckedCalls::did_well(const CallOutcome& outcome, const std::string& where) {
  target_.device.synchronize();
  if (outcome.code != 0) {
    run = refused(target_.plan, outcome);
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

bool CheckedCalls::check(const std::string& where) {
  listener_({"checking " + where, kOwnWorkSeconds});
  Constancy constancy = run.verify ? std::move(run.verify->constancy) : Constancy{};
  run.verify = target_.verifier.check(target_.device, *placed_.buffers, placed_.input_checksum,
                                      placed_.table, &left_);
  run.verify->constancy = std::move(constancy);
  if (run.verify->ok) return true;
  run.status = Status::wrong;
  run.reason = fmt::format("{}: {}", where, run.verify->diagnosis);
  run.timings.clear();
  return false;
}

VerifyReport CheckedCalls::look() {
  listener_({"checking", kOwnWorkSeconds});
  return target_.verifier.check(target_.device, *placed_.buffers, placed_.input_checksum, nullptr,
                                &left_);
}

void CheckedCalls::keep_as_first() {
  first_ = left_;
  first_bits_ = bits();
  first_checksum_ = placed_.buffers->outputs_checksum();
}

OutputBits CheckedCalls::bits() const {
  return {placed_.buffers->out_checksum(), placed_.buffers->lse_checksum()};
}

bool CheckedCalls::check_other_bits(const std::string& where, Repeats& repeats) {
  const OutputBits now = bits();
  repeats.same_out = repeats.same_out && now.out == first_bits_.out;
  repeats.same_lse = repeats.same_lse && now.lse == first_bits_.lse;
  if (!check(where)) return false;
  repeats.largest_difference = std::max(repeats.largest_difference, out_difference(first_, left_));
  return true;
}

}  // namespace fa2bench
