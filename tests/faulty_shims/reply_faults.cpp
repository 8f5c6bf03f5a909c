// SPDX-License-Identifier: MIT
// Return codes and error texts. All but the last write no output.
#include <algorithm>

#include "abi/ferrum_fa2_shim.h"
#include "fault.hpp"

namespace fa2bench::faulty {
namespace {

constexpr char kFiller = 'x';

/// Not UTF-8, and no friend of a terminal or of a JSON file.
constexpr const char* kHostileText =
    "\xFF\xFE\x80 overlong \xC0\xAF surrogate \xED\xA0\x80 \x1B[31mred\x1B[0m \x07\b\r\n\t"
    "\x01 quote \" backslash \\ cut \xE2\x82";

Fault refusing(const char* name, int code, const char* text) {
  return {name, [code, text](const Call& call) { return refuse(call, code, text); }};
}

/// No NUL anywhere in the buffer.
int fill_err_buf(const Call& call) {
  if (call.err_buf != nullptr) std::fill_n(call.err_buf, call.err_buf_len, kFiller);
  return FERRUM_FA2_LAUNCH_FAILED;
}

/// 64 bytes too many. The call succeeds, so that nobody has a reason to look at the buffer.
int write_past_err_buf(const Call& call) {
  constexpr std::size_t kExcess = 64;
  if (call.err_buf != nullptr) std::fill_n(call.err_buf, call.err_buf_len + kExcess, kFiller);
  return compute(call);
}

int fail_on_call_20(const Call& call) {
  if (call.number != 20) return compute(call);
  return refuse(call, FERRUM_FA2_LAUNCH_FAILED, "call 20 of this process fails");
}

}  // namespace

std::vector<Fault> reply_faults() {
  return {
      refusing("rc_nonzero", FERRUM_FA2_LAUNCH_FAILED, "launch failed: no reason at all"),
      refusing("rc_unsupported", FERRUM_FA2_UNSUPPORTED, "no code for this shape"),
      refusing("rc_unknown", 77, "a code that the contract does not name"),
      refusing("empty_err_buf", FERRUM_FA2_LAUNCH_FAILED, ""),
      refusing("non_utf8_err_buf", FERRUM_FA2_LAUNCH_FAILED, kHostileText),
      {"unterminated_err_buf", fill_err_buf},
      {"rc_on_call_20", fail_on_call_20},
      {"write_past_err_buf", write_past_err_buf},
  };
}

}  // namespace fa2bench::faulty
