// SPDX-License-Identifier: MIT
// WorkloadBuffers on every Device: the call, the data, the guards.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "device/device_contract.hpp"
#include "device/workload_buffers.hpp"
#include "workload/config_text.hpp"

namespace fa2bench::test {
namespace {

constexpr const char* kRagged =
    R"({"q_lens": [1, 1, 7], "kv_lens": [100, 20, 7], "num_heads": 28, "num_kv_heads": 4,
        "seed": 3})";

/// A workload on a device, whose every byte a test may read and write.
struct OnDevice {
  Device& device;
  Workload workload;
  Plan plan;
  BlockTable table;
  WorkloadBuffers buffers;

  OnDevice(Device& on, const std::string& json)
      : device(on),
        workload(read_one(json)),
        plan(make_plan(workload)),
        table(build_block_table(workload)),
        buffers(device, workload, plan, table) {}
  OnDevice(Device& on, const std::string& json, const MemorySource& source)
      : device(on),
        workload(read_one(json)),
        plan(make_plan(workload)),
        table(build_block_table(workload)),
        buffers(device, workload, plan, table, source) {}

  struct Buffer {
    const char* name;
    void* data;
    std::uint64_t size;
  };
  [[nodiscard]] std::array<Buffer, 8> all() const {
    const PagedVarlenCall& call = buffers.call();
    const auto ints = [](std::int64_t count) { return 4 * static_cast<std::uint64_t>(count); };
    return {{{"out", call.out, plan.memory.q.count},
             {"lse", call.lse, plan.memory.lse.count},
             {"q", const_cast<void*>(call.q), plan.memory.q.count},
             {"k", const_cast<void*>(call.k), plan.memory.k_pool.count},
             {"v", const_cast<void*>(call.v), plan.memory.k_pool.count},
             {"cu_seqlens_q", const_cast<void*>(call.cu_seqlens_q), ints(plan.num_seqs + 1)},
             {"seq_lens", const_cast<void*>(call.seq_lens), ints(plan.num_seqs)},
             {"block_tables", const_cast<void*>(call.block_tables),
              ints(plan.num_seqs * plan.max_blocks_per_seq)}}};
  }

  /// Changes one byte and gives its earlier value back.
  std::uint8_t exchange(void* base, std::int64_t offset, std::uint8_t value) const {
    const std::uint8_t before = to_host<std::uint8_t>(device, at_byte(base, offset), 1).front();
    device.upload(at_byte(base, offset), &value, {1});
    return before;
  }

  /// What guard_breach() says while one byte at `offset` from `base` is changed.
  [[nodiscard]] std::string breach_at(void* base, std::int64_t offset) const {
    const std::uint8_t before = exchange(base, offset, 0x55);
    std::string text = buffers.guard_breach();
    exchange(base, offset, before);
    return text;
  }
};

TEST_P(DeviceContract, BuffersFillInEveryArgument) {
  const OnDevice target(device(), kRagged);
  const PagedVarlenCall& call = target.buffers.call();
  EXPECT_EQ(call.num_seqs, 3);
  EXPECT_EQ(call.total_q_tokens, 9);
  EXPECT_EQ(call.max_q_len, 7);
  EXPECT_EQ(call.max_kv_len, 100);
  EXPECT_EQ(call.num_heads, 28);
  EXPECT_EQ(call.num_kv_heads, 4);
  EXPECT_EQ(call.head_dim, 128);
  EXPECT_EQ(call.block_size, 16);
  EXPECT_EQ(call.max_blocks_per_seq, 9);  // seven used, two to spare
  EXPECT_EQ(to_host<std::int32_t>(device(), call.cu_seqlens_q, 4),
            (std::vector<std::int32_t>{0, 1, 2, 9}));
  EXPECT_EQ(to_host<std::int32_t>(device(), call.seq_lens, 3),
            (std::vector<std::int32_t>{100, 20, 7}));
  EXPECT_EQ(to_host<std::int32_t>(device(), call.block_tables, 27), target.table.entries);
}

TEST_P(DeviceContract, BuffersPassStatedMaximaAndAGivenWidth) {
  const OnDevice target(device(), R"({"batch": "q3s40_q1", "max_q_len": 12, "max_kv_len": 500,
                                      "block_table": {"width": 31}})");
  EXPECT_EQ(target.buffers.call().max_q_len, 12);
  EXPECT_EQ(target.buffers.call().max_kv_len, 500);
  EXPECT_EQ(target.buffers.call().max_blocks_per_seq, 31);
}

TEST_P(DeviceContract, BuffersRefillEveryInput) {
  const OnDevice target(device(), kRagged);
  const std::uint64_t whole = target.buffers.input_checksum();
  for (const OnDevice::Buffer& buffer : target.all()) {
    if (buffer.data == target.buffers.call().out || buffer.data == target.buffers.call().lse) {
      continue;
    }
    const std::uint8_t before = target.exchange(buffer.data, 0, 0x55);
    target.exchange(buffer.data, 0, static_cast<std::uint8_t>(~before));
    EXPECT_NE(target.buffers.input_checksum(), whole) << buffer.name;
    target.buffers.refill(target.workload, target.table);
    EXPECT_EQ(target.buffers.input_checksum(), whole) << buffer.name;
  }
}

TEST_P(DeviceContract, BuffersTakeTheQueriesOfAnotherSeed) {
  const OnDevice target(device(), kRagged);
  const std::uint64_t whole = target.buffers.input_checksum();
  target.buffers.refill_queries(4);
  const auto q = to_host<std::uint16_t>(device(), target.buffers.call().q, 8);
  for (std::size_t i = 0; i < q.size(); ++i) {
    EXPECT_EQ(q[i], half_quad(4, Tensor::q, i / 4).value[i % 4]) << i;
  }
  EXPECT_NE(target.buffers.input_checksum(), whole);
  target.buffers.refill_queries(3);
  EXPECT_EQ(target.buffers.input_checksum(), whole);
}

TEST_P(DeviceContract, BuffersHoldTheDataRecipeAndPoison) {
  const OnDevice target(device(), kRagged);
  const PagedVarlenCall& call = target.buffers.call();
  const auto q = to_host<std::uint16_t>(device(), call.q, target.plan.memory.q.count / 2);
  for (std::size_t i = 0; i < q.size(); ++i) {
    ASSERT_EQ(q[i], half_quad(3, Tensor::q, i / 4).value[i % 4]) << i;
  }
  const std::size_t slot = 4 * 128;
  for (const auto& [pool, tensor] : {std::pair<const void*, Tensor>{call.k, Tensor::k},
                                     std::pair<const void*, Tensor>{call.v, Tensor::v}}) {
    const auto values = to_host<std::uint16_t>(device(), pool, target.plan.memory.k_pool.count / 2);
    ASSERT_EQ(values.size(), target.table.content.size() * 16 * slot);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t block = i / (16 * slot);
      const std::size_t within = i % (16 * slot);
      const std::uint64_t index = target.table.content[block] * (16 * slot) + within;
      const bool live = within < target.table.live_slots[block] * slot;
      ASSERT_EQ(values[i], live ? half_quad(3, tensor, index / 4).value[index % 4] : kPoisonHalf)
          << "block " << block << ", element " << within;
    }
  }
}

TEST_P(DeviceContract, BuffersPoisonEveryOutputElement) {
  const OnDevice target(device(), kRagged);
  const PagedVarlenCall& call = target.buffers.call();
  const std::size_t rows = 9UL * 28;
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(to_host<std::uint16_t>(device(), call.out, rows * 128),
              std::vector<std::uint16_t>(rows * 128, kCanaryHalf));
    EXPECT_EQ(to_host<std::uint32_t>(device(), call.lse, rows),
              std::vector<std::uint32_t>(rows, kCanaryFloat));
    device().fill_words(call.out, 0, target.plan.memory.q);
    device().fill_words(call.lse, 0, target.plan.memory.lse);
    target.buffers.poison_outputs();
  }
}

TEST_P(DeviceContract, BuffersTellRowsWithoutKeysApart) {
  // Query tokens 0 ... 4, 8 and 9 see no key.
  const OnDevice target(device(), R"({"q_lens": [8, 0, 2, 1], "kv_lens": [3, 20, 0, 9],
                                      "allow_empty_rows": true})");
  const PagedVarlenCall& call = target.buffers.call();
  const std::vector<float> infinity(4 * 11, std::numeric_limits<float>::infinity());
  device().upload(call.lse, infinity.data(), target.plan.memory.lse);
  const std::uint64_t heads = 4;
  const std::uint64_t dim = 128;
  const OutputScan out = target.buffers.scan_out();
  EXPECT_EQ(out.canaries, 4 * heads * dim);
  EXPECT_EQ(out.first_canary, 5 * heads * dim);
  EXPECT_EQ(out.apart, (ValueCounts{7 * heads * dim, 0, 0, 0, 0, 0}));
  const OutputScan lse = target.buffers.scan_lse();
  EXPECT_EQ(lse.canaries, 0U);
  EXPECT_EQ(lse.non_finite, 4 * heads);
  EXPECT_EQ(lse.first_non_finite, 5U);
  EXPECT_EQ(lse.apart, (ValueCounts{0, 0, 0, 7 * heads, 0, 0}));
}

TEST_P(DeviceContract, BuffersOfABatchWithNothingToDoAreGuardedToo) {
  const OnDevice target(device(), R"({"batch": "3q0_q0s40", "allow_empty_rows": true})");
  EXPECT_EQ(target.buffers.call().total_q_tokens, 0);
  EXPECT_NE(target.buffers.call().out, nullptr);
  EXPECT_EQ(target.buffers.scan_out().canaries, 0U);
  EXPECT_EQ(target.buffers.scan_lse().canaries, 0U);
  EXPECT_EQ(target.buffers.guard_breach(), "");
  EXPECT_EQ(target.breach_at(target.buffers.call().out, 0),
            "out-of-bounds write at byte 0 of out, which has 0");
}

TEST_P(DeviceContract, GuardsAreWholeUntilSomeoneWrites) {
  const OnDevice target(device(), kRagged);
  EXPECT_EQ(target.buffers.guard_breach(), "");
  for (const OnDevice::Buffer& buffer : target.all()) {
    // The first and the last byte are the buffer's own.
    EXPECT_EQ(target.breach_at(buffer.data, 0), "") << buffer.name;
    EXPECT_EQ(target.breach_at(buffer.data, static_cast<std::int64_t>(buffer.size) - 1), "")
        << buffer.name;
  }
}

TEST_P(DeviceContract, GuardsTellOfAByteBeforeABuffer) {
  const OnDevice target(device(), kRagged);
  for (const OnDevice::Buffer& buffer : target.all()) {
    // Places are told by the 4-byte word.
    for (const auto& [offset, told] :
         {std::pair<int, int>{-1, 4}, {-4, 4}, {-5, 8}, {-4096, 4096}, {-65536, 65536}}) {
      EXPECT_EQ(target.breach_at(buffer.data, offset),
                fmt::format("out-of-bounds write {} bytes before {}", told, buffer.name));
    }
  }
  EXPECT_EQ(target.buffers.guard_breach(), "");
}

TEST_P(DeviceContract, GuardsTellOfAByteBehindABuffer) {
  const OnDevice target(device(), kRagged);
  for (const OnDevice::Buffer& buffer : target.all()) {
    const auto size = static_cast<std::int64_t>(buffer.size);
    for (const auto& [offset, told] :
         {std::pair<int, int>{0, 0}, {3, 0}, {4, 4}, {5000, 5000}, {65535, 65532}}) {
      EXPECT_EQ(target.breach_at(buffer.data, size + offset),
                fmt::format("out-of-bounds write at byte {} of {}, which has {}", size + told,
                            buffer.name, size));
    }
  }
  EXPECT_EQ(target.buffers.guard_breach(), "");
}

TEST_P(DeviceContract, GuardsOfThePoolsTakeAWholeBlock) {
  // 2 MiB a block: what an entry of -1 or num_blocks reaches is all guard.
  const OnDevice target(device(), R"({"batch": "q1s1030", "block_size": 1024, "num_heads": 8,
                                      "num_kv_heads": 8})");
  const OnDevice::Buffer k = target.all()[3];
  EXPECT_EQ(target.breach_at(k.data, -(2 << 20)), "out-of-bounds write 2097152 bytes before k");
  const auto size = static_cast<std::int64_t>(k.size);
  EXPECT_EQ(
      target.breach_at(k.data, size + (2 << 20) - 4),
      fmt::format("out-of-bounds write at byte {} of k, which has {}", size + (2 << 20) - 4, size));
}

TEST_P(DeviceContract, InputChecksumChangesWithAnyBitOfAnyInput) {
  const OnDevice target(device(), kRagged);
  const std::uint64_t sum = target.buffers.input_checksum();
  for (const OnDevice::Buffer& buffer : target.all()) {
    const bool output = std::string(buffer.name) == "out" || std::string(buffer.name) == "lse";
    const auto size = static_cast<std::int64_t>(buffer.size);
    for (const std::int64_t at : {std::int64_t{0}, size / 2, size - 1}) {
      const auto byte = to_host<std::uint8_t>(device(), at_byte(buffer.data, at), 1).front();
      for (unsigned bit = 0; bit < 8; bit += 7) {
        target.exchange(buffer.data, at, static_cast<std::uint8_t>(byte ^ (1U << bit)));
        EXPECT_EQ(target.buffers.input_checksum() == sum, output) << buffer.name << ' ' << at;
      }
      target.exchange(buffer.data, at, byte);
    }
  }
  EXPECT_EQ(target.buffers.input_checksum(), sum);
}

TEST_P(DeviceContract, TheSameWorkloadHasTheSameInputs) {
  const OnDevice first(device(), kRagged);
  const OnDevice second(device(), kRagged);
  EXPECT_EQ(first.buffers.input_checksum(), second.buffers.input_checksum());
  const OnDevice other(device(), R"({"q_lens": [1, 1, 7], "kv_lens": [100, 20, 7],
                                     "num_heads": 28, "num_kv_heads": 4, "seed": 4})");
  EXPECT_NE(first.buffers.input_checksum(), other.buffers.input_checksum());
}

TEST_P(DeviceContract, BuffersHoldTheSameInOtherPlacesBetweenGuardsOfTheirOwn) {
  OnDevice target(device(), kRagged);
  const PagedVarlenCall before = target.buffers.call();
  const std::uint64_t inputs = target.buffers.input_checksum();
  target.buffers.relocate(target.workload, target.table, 7);
  const PagedVarlenCall after = target.buffers.call();
  EXPECT_NE(after.k, before.k);
  EXPECT_NE(after.q, before.q);
  EXPECT_NE(after.lse, before.lse);
  EXPECT_NE(after.block_tables, before.block_tables);
  EXPECT_EQ(target.buffers.input_checksum(), inputs);
  EXPECT_EQ(target.buffers.guard_breach(), "");
  device().fill_words(static_cast<std::byte*>(after.lse) - 4, 0, {4});
  EXPECT_EQ(target.buffers.guard_breach(), "out-of-bounds write 4 bytes before lse");
}

/// Two sets of buffers on the same memory, as processes have them that share it.
struct TwoOnTheSame {
  std::vector<std::shared_ptr<void>> memory;
  std::vector<Bytes> taken;
  OnDevice first;
  OnDevice second;

  explicit TwoOnTheSame(Device& device)
      : first(device, kRagged,
              [&](Bytes size) {
                taken.push_back(size);
                memory.emplace_back(device.allocate(size));
                return DeviceMemory(memory.back().get(), [](void*) {});
              }),
        second(device, kRagged, [&, next = std::size_t{0}](Bytes /*size*/) mutable {
          return DeviceMemory(memory.at(next++).get(), [](void*) {});
        }) {}
};

TEST_P(DeviceContract, BuffersTakeWhatACallTouchesFromTheirSourceInTheOrderOfTheirSizes) {
  const TwoOnTheSame two(device());
  const Plan& plan = two.first.plan;
  const HeadShape& shape = two.first.workload.shape;
  EXPECT_EQ(two.taken, WorkloadBuffers::sizes(plan, shape));
  Bytes all = WorkloadBuffers::private_footprint(plan);
  for (const Bytes size : two.taken) all += size;
  EXPECT_EQ(all, WorkloadBuffers::footprint(plan, shape));
  const auto mine = two.first.all();
  const auto others = two.second.all();
  for (std::size_t i = 0; i < mine.size(); ++i) EXPECT_EQ(mine[i].data, others[i].data);
}

TEST_P(DeviceContract, BuffersOfTheSameNumberAreInTheSamePlacesAndNeedNoFilling) {
  TwoOnTheSame two(device());
  const auto place = [](OnDevice& target, std::optional<std::uint64_t> expected) {
    return target.buffers.relocate(target.workload, target.table, 7, expected);
  };
  const std::uint64_t filled = place(two.first, std::nullopt);
  EXPECT_EQ(filled, two.first.buffers.input_checksum());
  // A byte that no filling leaves: it stays unless something is filled.
  const PagedVarlenCall& call = two.first.buffers.call();
  two.first.exchange(const_cast<void*>(call.q), 0, 0x55);
  const std::uint64_t marked = two.first.buffers.input_checksum();
  EXPECT_NE(marked, filled);
  EXPECT_EQ(place(two.second, marked), marked);
  EXPECT_EQ(two.second.buffers.call().k, call.k);
  EXPECT_EQ(two.second.buffers.call().block_tables, call.block_tables);
  EXPECT_EQ(two.second.buffers.input_checksum(), marked);
}

TEST_P(DeviceContract, BuffersFillAgainWhatAnotherHasSpoilt) {
  TwoOnTheSame two(device());
  const auto place = [](OnDevice& target, std::optional<std::uint64_t> expected) {
    return target.buffers.relocate(target.workload, target.table, 7, expected);
  };
  const std::uint64_t filled = place(two.first, std::nullopt);
  for (const OnDevice::Buffer& buffer : two.first.all()) {
    // One byte of each array, and of what is before and behind it.
    for (const std::int64_t at :
         {std::int64_t{0}, std::int64_t{-1}, static_cast<std::int64_t>(buffer.size)}) {
      const std::uint8_t before = two.first.exchange(buffer.data, at, 0x55);
      two.first.exchange(buffer.data, at, static_cast<std::uint8_t>(~before));
    }
  }
  EXPECT_NE(two.first.buffers.guard_breach(), "");
  EXPECT_NE(two.first.buffers.input_checksum(), filled);
  EXPECT_EQ(place(two.second, filled), filled);
  EXPECT_EQ(two.second.buffers.input_checksum(), filled);
  EXPECT_EQ(two.second.buffers.guard_breach(), "");
  const std::uint64_t rows = 9ULL * 28;
  EXPECT_EQ(two.second.buffers.scan_out().canaries, rows * 128);
  EXPECT_EQ(two.second.buffers.scan_lse().canaries, rows);
}

TEST_P(DeviceContract, TheFootprintHoldsBuffersAndGuards) {
  const Workload workload = read_one(kRagged);
  const Plan plan = make_plan(workload);
  const Memory& memory = plan.memory;
  const Bytes data = memory.k_pool * 2 + memory.q * 2 + memory.lse + memory.tables;
  const Bytes guards = mib(1) * 10 + kib(64) * 6;
  const Bytes other_places = mib(8) * 8;
  const Bytes fill_lists{6 * static_cast<std::uint64_t>(plan.num_blocks)};
  EXPECT_EQ(WorkloadBuffers::footprint(plan, workload.shape).count,
            (data + guards + other_places + fill_lists).count);
}

TEST_P(DeviceContract, TheFootprintHoldsAByteForEachTokenWhereOneSeesNoKey) {
  const auto footprint = [](const char* json) {
    const Workload workload = read_one(json);
    return WorkloadBuffers::footprint(make_plan(workload), workload.shape).count;
  };
  EXPECT_EQ(footprint(R"({"batch": "q9s40_q40s9", "allow_empty_rows": true})"),
            footprint(R"({"batch": "q9s40_q40s40", "block_table": {"pool_blocks": 12}})") + 49);
}

}  // namespace
}  // namespace fa2bench::test
