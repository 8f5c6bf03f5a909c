// SPDX-License-Identifier: MIT
// What a call reads that it must not, found out by calling again.
#include "verify/leak_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "verify/host_target.hpp"
#include "verify/naive_attention.hpp"
#include "verify/poison.hpp"

namespace fa2bench::test {
namespace {

std::string leak_of(const HostTarget& target, const std::function<void()>& call) {
  return find_leak(target.verifier, *target.device, target.buffers, [&] {
    call();
    return true;
  });
}

std::string leak_of(const HostTarget& target, Mistake mistake) {
  return leak_of(target, [&] { naive_attention(target.buffers.call(), mistake); });
}

TEST(LeakSearch, FindsReadsPastTheLength) {
  const HostTarget target(R"({"batch": "q1s20_q4s33_q16"})");
  EXPECT_EQ(leak_of(target, Mistake::read_tail), "reads slots past seq_len");
}

TEST(LeakSearch, FindsThemBesideRowsWithoutKeys) {
  const HostTarget target(R"({"batch": "q1s20_q5s0_q40s33_q0s7_q0", "allow_empty_rows": true})");
  EXPECT_EQ(leak_of(target, Mistake::read_tail), "reads slots past seq_len");
  EXPECT_EQ(leak_of(target, Mistake::none), "wrong in one call and right in those after it");
}

TEST(LeakSearch, FindsUnusedEntriesThatAreFollowedWhateverStandsThere) {
  for (const std::string unused : {"minus_one", "num_blocks", "live_block", "poison_block"}) {
    const HostTarget target(R"({"batch": "q1s32_q4s48", "block_table": {"unused": ")" + unused +
                            "\"}}");
    EXPECT_EQ(leak_of(target, Mistake::unused_entries),
              "follows unused table entries (unused: " + unused + ")");
  }
}

TEST(LeakSearch, FindsUnusedBlocksThatAreRead) {
  // Adds the first element of a block that nobody uses to every result.
  const HostTarget target(R"({"batch": "q1s32_q4s48"})");
  const auto& content = target.table.content;
  const auto block = std::find(content.begin(), content.end(), kUnusedBlock) - content.begin();
  EXPECT_EQ(leak_of(target,
                    [&] {
                      const PagedVarlenCall& call = target.buffers.call();
                      naive_attention(call, Mistake::none);
                      const std::ptrdiff_t at = block * 16 * 2 * 128;
                      const auto stray = static_cast<const std::uint16_t*>(call.k)[at];
                      static_cast<std::uint16_t*>(call.out)[0] = stray;
                    }),
            "reads unused blocks");
}

TEST(LeakSearch, FindsSeveralAtOnce) {
  const HostTarget target(R"({"batch": "q1s20_q4s48"})");
  EXPECT_EQ(leak_of(target,
                    [&] {
                      const PagedVarlenCall& call = target.buffers.call();
                      naive_attention(call, Mistake::read_tail);
                      const auto* k = static_cast<const std::uint16_t*>(call.k);
                      const auto* entries = static_cast<const std::int32_t*>(call.block_tables);
                      // The entry behind the last of sequence 0, as an index of blocks.
                      const std::ptrdiff_t block = entries[2] < 0 ? -1 : entries[2];
                      static_cast<std::uint16_t*>(call.out)[128] = k[block * 16 * 2 * 128];
                    }),
            "reads slots past seq_len and follows unused table entries (unused: minus_one)");
}

TEST(LeakSearch, FindsUnusedEntriesInAPoolWithoutSpareBlocks) {
  const HostTarget target(
      R"({"batch": "q1s32_q4s48", "block_table": {"layout": "contiguous", "pool_blocks": 5}})");
  EXPECT_EQ(leak_of(target, Mistake::unused_entries),
            "follows unused table entries (unused: minus_one)");
}

TEST(LeakSearch, NamesAMistakeThatThePoisonHid) {
  // With -1 behind the last blocks, the misread rows are all NaN.
  const HostTarget target(R"({"batch": "q1s60_4q1s20"})");
  const VerifyReport first =
      target.after([](const PagedVarlenCall& call) { naive_attention(call, Mistake::row_stride); });
  EXPECT_GT(first.non_finite, 0U);
  EXPECT_EQ(leak_of(target, Mistake::row_stride),
            "row stride ceil(max_kv_len / block_size) used instead of max_blocks_per_seq (first "
            "misread: sequence 1)");
  EXPECT_EQ(leak_of(target, Mistake::contiguous),
            "block table ignored (blocks taken as contiguous)");
}

TEST(LeakSearch, SaysThatNoPoisonWasNeeded) {
  const HostTarget target(R"({"batch": "q1s20_q4s33"})");
  EXPECT_EQ(leak_of(target,
                    [&] {
                      const PagedVarlenCall& call = target.buffers.call();
                      naive_attention(call, Mistake::none);
                      std::fill_n(static_cast<std::uint16_t*>(call.out), 128, 0x7E00);
                    }),
            "NaN or infinite whatever the memory holds that it must not read");
  EXPECT_EQ(leak_of(target, Mistake::none), "wrong in one call and right in those after it");
}

TEST(LeakSearch, EndsWhenACallFails) {
  const HostTarget target(R"({"batch": "q1s20"})");
  int calls = 0;
  EXPECT_EQ(find_leak(target.verifier, *target.device, target.buffers,
                      [&] {
                        naive_attention(target.buffers.call(), Mistake::read_tail);
                        return ++calls < 3;
                      }),
            "reads slots past seq_len");  // what the second call showed
  EXPECT_EQ(calls, 3);
}

TEST(LeakSearch, BlamesNoMemoryForResultsThatChangeByThemselves) {
  const HostTarget target(R"({"batch": "q1s20_q4s33"})");
  for (const int every : {2, 3, 4}) {
    int calls = 0;
    EXPECT_EQ(leak_of(target,
                      [&] {
                        const PagedVarlenCall& call = target.buffers.call();
                        naive_attention(call, Mistake::none);
                        if (++calls % every == 0) static_cast<std::uint16_t*>(call.out)[9] = 0x4900;
                      }),
              "differs from call to call on the same inputs")
        << every;
  }
}

TEST(Poison, OfNoKindLeavesTheLiveDataAsTheyAre) {
  for (const char* layout : {"shuffled", "aged"}) {
    const Workload workload = read_one(
        std::string(R"({"batch": "q1s20_q4s33", "block_table": {"layout": ")") + layout + "\"}}");
    const BlockTable table = build_block_table(workload);
    const BlockTable harmless = with_poison(workload, table, {});
    for (std::size_t id = 0; id < table.content.size(); ++id) {
      EXPECT_EQ(harmless.live_slots[id], 16);
      if (table.content[id] != kUnusedBlock) {
        EXPECT_EQ(harmless.content[id], table.content[id]);
      }
    }
    EXPECT_EQ(harmless.entries[1], table.entries[1]);  // sequence 0 has two blocks
    const auto pointed_at = static_cast<std::size_t>(harmless.entries[2]);
    EXPECT_EQ(table.content[pointed_at], kUnusedBlock);
    EXPECT_EQ(with_poison(workload, table, {true, true, false}).live_slots[pointed_at], 16);
    const BlockTable all = with_poison(workload, table, {true, true, true});
    EXPECT_EQ(all.entries, table.entries);
    EXPECT_EQ(all.content, table.content);
    EXPECT_EQ(all.live_slots, table.live_slots);
  }
}

}  // namespace
}  // namespace fa2bench::test
