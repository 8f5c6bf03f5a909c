// SPDX-License-Identifier: MIT
// A slot past a sequence's length that is read and given no weight: the NaN there reaches the
// result through 0 times NaN, in K or in V alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/half.hpp"
#include "verify/host_target.hpp"
#include "verify/leak_search.hpp"
#include "verify/naive_attention.hpp"

namespace fa2bench::test {
namespace {

constexpr const char* kLengths = "q1_q1s15_q1s16_q1s17_q1s31_q1s63_q1s65_q1s127_q1s129";

/// The first slot past the length of `seq`; nothing where its last block is full.
const std::uint16_t* first_tail_slot(const PagedVarlenCall& call, const void* pool, int seq) {
  const int kv_len = static_cast<const std::int32_t*>(call.seq_lens)[seq];
  if (kv_len % call.block_size == 0) return nullptr;
  const std::int32_t block = static_cast<const std::int32_t*>(
      call.block_tables)[seq * call.max_blocks_per_seq + kv_len / call.block_size];
  const std::ptrdiff_t slot = std::ptrdiff_t{block} * call.block_size + kv_len % call.block_size;
  return static_cast<const std::uint16_t*>(pool) + slot * call.num_kv_heads * call.head_dim;
}

/// Right but for the tail of `pool`, which is added with weight 0.
void read_tail_without_weight(const PagedVarlenCall& call, const void* pool) {
  naive_attention(call, Mistake::none);
  const int group = call.num_heads / call.num_kv_heads;
  for (int seq = 0; seq < call.num_seqs; ++seq) {
    const std::uint16_t* slot = first_tail_slot(call, pool, seq);
    if (slot == nullptr) continue;
    for (int head = 0; head < call.num_heads; ++head) {
      auto* out = static_cast<std::uint16_t*>(call.out) +
                  (std::ptrdiff_t{seq} * call.num_heads + head) * call.head_dim;
      for (int d = 0; d < call.head_dim; ++d) {
        out[d] = float_to_half(half_to_float(out[d]) +
                               0.0F * half_to_float(slot[head / group * call.head_dim + d]));
      }
    }
  }
}

class PoisonedTail : public testing::Test {
 protected:
  void expect_found(const void* pool) {
    const auto call = [&] { read_tail_without_weight(target_.buffers.call(), pool); };
    const VerifyReport report = target_.after([&](const PagedVarlenCall&) { call(); });
    EXPECT_FALSE(report.ok);
    // Every sequence but that of 16 keys, 4 heads of 128.
    EXPECT_EQ(report.non_finite, 8U * 4 * 128);
    EXPECT_THAT(report.diagnosis,
                testing::HasSubstr("out of sequence 0, query token 0, head 0, column 0: "));
    EXPECT_EQ(find_leak(target_.verifier, *target_.device, target_.buffers,
                        [&] {
                          call();
                          return true;
                        }),
              "reads slots past seq_len");
  }

  HostTarget target_{std::string(R"({"batch": ")") + kLengths + "\"}"};
};

TEST_F(PoisonedTail, OfVIsFoundAtEveryLength) { expect_found(target_.buffers.call().v); }

TEST_F(PoisonedTail, OfKIsFoundAtEveryLength) { expect_found(target_.buffers.call().k); }

TEST_F(PoisonedTail, LeavesACallAloneThatDoesNotReadIt) {
  const VerifyReport report =
      target_.after([](const PagedVarlenCall& call) { naive_attention(call, Mistake::none); });
  EXPECT_TRUE(report.ok) << report.diagnosis;
}

}  // namespace
}  // namespace fa2bench::test
