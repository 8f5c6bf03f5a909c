// SPDX-License-Identifier: MIT
// Calls into mocks: codes, texts good and bad, arguments in their places.
#include <gmock/gmock.h>

#include <array>
#include <type_traits>

#include "shim/shim.hpp"
#include "support.hpp"

namespace fa2bench {
namespace {

using test::mock;
using testing::EndsWith;
using testing::StartsWith;

/// The mock reads num_seqs as the thing to do.
CallOutcome call_mock(int what) {
  const Shim shim = load_shim(mock("c11"));
  PagedVarlenCall call;
  call.num_seqs = what;
  return shim.call(call, nullptr);
}

TEST(ShimCall, HasNoTextWhenTheCodeIsZero) {
  const CallOutcome outcome = call_mock(0);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.message, "");
  EXPECT_FALSE(outcome.wrote_past_err_buf);
}

TEST(ShimCall, PutsTheTextOnOneLine) {
  const CallOutcome outcome = call_mock(1);
  EXPECT_EQ(outcome.code, FERRUM_FA2_UNSUPPORTED);
  EXPECT_EQ(outcome.message, "head_dim 96\\nis not built");
}

TEST(ShimCall, BoundsATextWithoutANul) {
  const CallOutcome outcome = call_mock(2);
  EXPECT_EQ(outcome.code, FERRUM_FA2_LAUNCH_FAILED);
  EXPECT_EQ(outcome.message, std::string(512, 'x') + " [err_buf filled without a NUL]");
  EXPECT_FALSE(outcome.wrote_past_err_buf);
}

TEST(ShimCall, SaysThatThereIsNoText) {
  const CallOutcome outcome = call_mock(3);
  EXPECT_EQ(outcome.code, FERRUM_FA2_NULL_POINTER);
  EXPECT_EQ(outcome.message, "the shim gave no text");
}

TEST(ShimCall, EscapesBytesThatAreNotText) {
  EXPECT_EQ(call_mock(4).message, "bad \\xff\\xc0\\xaf \\x1b[31m");
}

TEST(ShimCall, NoticesAWritePastTheBuffer) {
  const CallOutcome outcome = call_mock(5);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(outcome.wrote_past_err_buf);
}

TEST(ShimCall, ReportsANegativeCodeAsItIs) { EXPECT_EQ(call_mock(-5).code, -5); }

TEST(ShimCall, PassesEveryArgumentInItsPlace) {
  const Shim shim = load_shim(mock("c11"));
  int out = 0;
  int lse = 0;
  int stream = 0;
  PagedVarlenCall call;
  call.num_seqs = 6;
  call.q = &stream;
  call.out = &out;
  call.lse = &lse;
  call.total_q_tokens = 1;
  call.max_q_len = 2;
  call.max_kv_len = 3;
  call.num_heads = 4;
  call.num_kv_heads = 5;
  call.head_dim = 6;
  call.block_size = 7;
  call.max_blocks_per_seq = 8;
  EXPECT_EQ(shim.call(call, &stream).code, 0);
  EXPECT_EQ(out, 4321);
  EXPECT_EQ(lse, 8765);
}

TEST(ShimCall, TheTimedCallLeavesItsTextInTheCallersBuffer) {
  const Shim shim = load_shim(mock("c11"));
  PagedVarlenCall call;
  call.num_seqs = 1;
  std::array<char, kErrBufBytes> err_buf{};
  EXPECT_EQ(shim.call_timed(call, nullptr, err_buf), FERRUM_FA2_UNSUPPORTED);
  EXPECT_EQ(err_buf_text(err_buf), "head_dim 96\\nis not built");
}

TEST(ShimCall, CatchesAnExceptionThatLeavesTheShim) {
  const Shim shim = load_shim(mock("throws"));
  PagedVarlenCall call;
  const CallOutcome standard = shim.call(call, nullptr);
  EXPECT_EQ(standard.code, FERRUM_FA2_EXCEPTION);
  EXPECT_EQ(standard.message,
            "a C++ exception left the shim, which ends its caller: no kernel\\nfor this");
  call.num_seqs = 1;
  const CallOutcome other = shim.call(call, nullptr);
  EXPECT_EQ(other.code, FERRUM_FA2_EXCEPTION);
  EXPECT_EQ(other.message, "a C++ exception left the shim, which ends its caller");
}

TEST(ErrBufText, StopsAtTheNulOrTheEnd) {
  EXPECT_EQ(err_buf_text({}), "the shim gave no text");
  EXPECT_EQ(err_buf_text(std::array{'a', '\0', 'b'}), "a");
  EXPECT_EQ(err_buf_text(std::array{'a', 'b'}), "ab [err_buf filled without a NUL]");
}

TEST(CodeMeaning, NamesTheCodesOfTheContract) {
  EXPECT_EQ(code_meaning(0), "ok");
  EXPECT_EQ(code_meaning(1), "null pointer");
  EXPECT_EQ(code_meaning(2), "bad size");
  EXPECT_EQ(code_meaning(3), "unsupported shape");
  EXPECT_EQ(code_meaning(4), "launch failed");
  EXPECT_EQ(code_meaning(10), "exception");
  EXPECT_EQ(code_meaning(11), "exception that is not a std::exception");
  EXPECT_EQ(code_meaning(5), "a code of its own");
  EXPECT_EQ(code_meaning(-1), "a code of its own");
}

TEST(Shim, IsMovedAndNeverCopied) {
  EXPECT_FALSE(std::is_copy_constructible_v<Shim>);
  EXPECT_FALSE(std::is_copy_assignable_v<Shim>);
  EXPECT_TRUE(std::is_nothrow_move_constructible_v<Shim>);
}

}  // namespace
}  // namespace fa2bench
