// SPDX-License-Identifier: MIT
// Fills of every Device, against the data recipe element by element, and pinned to constants so
// that all devices of all machines make the same bits.
#include <algorithm>
#include <cstdint>

#include "device/device_contract.hpp"
#include "workload/data.hpp"

namespace fa2bench::test {
namespace {

constexpr std::uint16_t kOther = 0x1234;  // stands where a fill must not write

std::uint16_t element(std::uint64_t seed, Tensor tensor, std::uint64_t index) {
  return half_quad(seed, tensor, index / 4).value[index % 4];
}

TEST_P(DeviceContract, FillsWordsAndNothingElse) {
  for (const std::size_t words : {0U, 1U, 2U, 3U, 4U, 5U, 1023U, 262145U}) {
    for (const std::size_t first : {0U, 1U, 3U}) {
      const std::size_t count = first + words + 4;
      std::vector<std::uint32_t> expected(count, 7U);
      const DeviceMemory memory = to_device(device(), expected);
      device().fill_words(at_byte(memory.get(), static_cast<std::int64_t>(4 * first)), 0xABCD0123U,
                          {4 * words});
      std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(first), words, 0xABCD0123U);
      EXPECT_EQ(to_host<std::uint32_t>(device(), memory.get(), count), expected)
          << words << " at " << first;
    }
  }
}

TEST_P(DeviceContract, FillsNormalDataByTheRecipe) {
  for (const std::size_t count : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 1024U, 1048575U, 1048579U}) {
    std::vector<std::uint16_t> expected(count + 8, kOther);
    const DeviceMemory memory = to_device(device(), expected);
    const std::uint64_t seed = 0xFEDCBA9876543210ULL + count;
    device().fill_normal(memory.get(), count, seed, Tensor::v);
    for (std::size_t i = 0; i < count; ++i) expected[i] = element(seed, Tensor::v, i);
    EXPECT_EQ(to_host<std::uint16_t>(device(), memory.get(), count + 8), expected) << count;
  }
}

TEST_P(DeviceContract, GivesEachTensorAndSeedDataOfItsOwn) {
  const DeviceMemory memory = device().allocate({4096});
  std::vector<std::uint64_t> sums;
  for (const Tensor tensor : {Tensor::q, Tensor::k, Tensor::v}) {
    for (const std::uint64_t seed : {0ULL, 1ULL, 1ULL << 32U}) {
      device().fill_normal(memory.get(), 2048, seed, tensor);
      sums.push_back(device().checksum({{memory.get(), {4096}}}));
    }
  }
  std::sort(sums.begin(), sums.end());
  EXPECT_EQ(std::unique(sums.begin(), sums.end()), sums.end());
}

/// A pool whose blocks hold logical blocks in a scattered order, some full, some partly, some not.
struct Pool {
  std::uint32_t slots = 0;
  PoolFill fill;
  std::vector<std::uint32_t> content;
  std::vector<std::uint16_t> live_slots;

  Pool(std::uint32_t num_blocks, std::uint32_t block_size, std::uint32_t slot_elements)
      : slots(block_size), content(num_blocks), live_slots(num_blocks) {
    for (std::uint32_t b = 0; b < num_blocks; ++b) {
      const std::uint32_t live = b * 2654435761U % (block_size + 1);
      live_slots[b] = static_cast<std::uint16_t>(live);
      // Far ids too, whose elements lie past 2^32.
      content[b] = live == 0 ? 0xFFFFFFFFU : (b % 5 == 4 ? 0x7FFFFFF0U - b : num_blocks - 1 - b);
    }
    fill.num_blocks = num_blocks;
    fill.slot_elements = slot_elements;
    fill.block_elements = block_size * slot_elements;
    fill.seed = 42;
    fill.tensor = Tensor::k;
  }

  [[nodiscard]] std::size_t elements() const { return fill.num_blocks * fill.block_elements; }

  [[nodiscard]] std::vector<std::uint16_t> expected() const {
    std::vector<std::uint16_t> values(elements(), kPoisonHalf);
    for (std::size_t b = 0; b < content.size(); ++b) {
      const std::uint64_t first = std::uint64_t{content[b]} * fill.block_elements;
      for (std::size_t i = 0; i < live_slots[b] * std::size_t{fill.slot_elements}; ++i) {
        values[b * fill.block_elements + i] = element(fill.seed, fill.tensor, first + i);
      }
    }
    return values;
  }
};

/// The pool as the device fills it, with eight untouched elements behind it.
DeviceMemory filled(Device& device, Pool& pool) {
  const DeviceMemory content = to_device(device, pool.content);
  const DeviceMemory live_slots = to_device(device, pool.live_slots);
  DeviceMemory memory = to_device(device, std::vector<std::uint16_t>(pool.elements() + 8, kOther));
  pool.fill.pool = memory.get();
  pool.fill.content = static_cast<const std::uint32_t*>(content.get());
  pool.fill.live_slots = static_cast<const std::uint16_t*>(live_slots.get());
  device.fill_pool(pool.fill);
  device.synchronize();
  return memory;
}

void expect_oracle(Device& device, Pool pool) {
  const DeviceMemory memory = filled(device, pool);
  std::vector<std::uint16_t> expected = pool.expected();
  expected.insert(expected.end(), 8, kOther);
  // Not EXPECT_EQ: it would print millions of elements.
  EXPECT_TRUE(to_host<std::uint16_t>(device, memory.get(), expected.size()) == expected)
      << pool.fill.num_blocks << " blocks of " << pool.slots << " slots of "
      << pool.fill.slot_elements;
}

TEST_P(DeviceContract, FillsAPoolAsTheOracleElementByElement) {
  expect_oracle(device(), {1, 16, 256});
  expect_oracle(device(), {257, 16, 512});
  expect_oracle(device(), {33, 1, 8});
  expect_oracle(device(), {65, 1024, 8});
  expect_oracle(device(), {100, 16, 24});
  expect_oracle(device(), {77, 3, 40});
}

TEST_P(DeviceContract, FillsPoolBlocksPast65536) { expect_oracle(device(), {70001, 2, 8}); }

TEST_P(DeviceContract, FillsPoolBlocksPastAMillion) { expect_oracle(device(), {1100000, 1, 8}); }

TEST_P(DeviceContract, FillsAnEmptyPool) {
  Pool pool(0, 16, 8);
  const DeviceMemory memory = filled(device(), pool);
  EXPECT_EQ(to_host<std::uint16_t>(device(), memory.get(), 8),
            std::vector<std::uint16_t>(8, kOther));
}

TEST_P(DeviceContract, MakesTheBitsOfEveryOtherMachine) {
  const std::uint64_t count = 1000006;
  const DeviceMemory normal = device().allocate({2 * count});
  device().fill_normal(normal.get(), count, 1, Tensor::q);
  EXPECT_EQ(device().checksum({{normal.get(), {2 * count}}}), 8144166558681465696ULL);

  Pool pool(1000, 16, 256);
  const DeviceMemory memory = filled(device(), pool);
  EXPECT_EQ(device().checksum({{memory.get(), {2 * pool.elements()}}}), 13440785601193826423ULL);
}

}  // namespace
}  // namespace fa2bench::test
