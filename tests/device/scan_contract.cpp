// SPDX-License-Identifier: MIT
// Scans and checksums of every Device.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/random.hpp"
#include "device/checksum.hpp"
#include "device/device_contract.hpp"

namespace fa2bench::test {
namespace {

constexpr std::uint32_t kWord = 0x7E3C7E3CU;
constexpr std::uint16_t kHalfCanary = 0x7DA5;
constexpr std::uint32_t kFloatCanary = 0x7FA5C3A5U;

std::uint64_t find_other(Device& device, const std::vector<std::uint32_t>& words) {
  const DeviceMemory memory = to_device(device, words);
  return device.find_other_word(memory.get(), kWord, {4 * words.size()});
}

TEST_P(DeviceContract, FindsNoOtherWordWhereThereIsNone) {
  for (const std::size_t count : {0U, 1U, 3U, 300000U}) {
    EXPECT_EQ(find_other(device(), std::vector<std::uint32_t>(count, kWord)), kNowhere) << count;
  }
}

TEST_P(DeviceContract, FindsTheFirstOtherWord) {
  constexpr std::size_t kCount = 3000001;
  for (const std::vector<std::size_t>& others : std::vector<std::vector<std::size_t>>{
           {0}, {kCount - 1}, {kCount / 2}, {2999999, 1700001, 12345, 2163000}, {kCount - 1, 1}}) {
    std::vector<std::uint32_t> words(kCount, kWord);
    for (const std::size_t i : others) words[i] ^= 1U << (i % 32);
    EXPECT_EQ(find_other(device(), words), 4 * *std::min_element(others.begin(), others.end()));
  }
}

TEST_P(DeviceContract, LooksAtNoWordOutsideTheRange) {
  std::vector<std::uint32_t> words(100, kWord);
  words.front() = words.back() = 0;
  const DeviceMemory memory = to_device(device(), words);
  EXPECT_EQ(device().find_other_word(at_byte(memory.get(), 4), kWord, {4 * 98}), kNowhere);
  EXPECT_EQ(device().find_other_word(at_byte(memory.get(), 4), kWord, {4 * 99}), 4U * 98);
}

template <typename Bits>
OutputScan scan(Device& device, const std::vector<Bits>& values) {
  const DeviceMemory memory = to_device(device, values);
  return sizeof(Bits) == 2
             ? device.scan_output(memory.get(), values.size(), ElementType::f16, kHalfCanary)
             : device.scan_output(memory.get(), values.size(), ElementType::f32, kFloatCanary);
}

void expect_scan(const OutputScan& found, std::uint64_t canaries, std::uint64_t first_canary,
                 std::uint64_t non_finite, std::uint64_t first_non_finite) {
  EXPECT_EQ(found.canaries, canaries);
  EXPECT_EQ(found.first_canary, first_canary);
  EXPECT_EQ(found.non_finite, non_finite);
  EXPECT_EQ(found.first_non_finite, first_non_finite);
}

TEST_P(DeviceContract, ScansFindNothingInFiniteNumbers) {
  // Every finite f16, the largest and the subnormal ones among them.
  std::vector<std::uint16_t> halves;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    if ((bits & 0x7C00U) != 0x7C00U) halves.push_back(static_cast<std::uint16_t>(bits));
  }
  expect_scan(scan(device(), halves), 0, kNowhere, 0, kNowhere);
  const std::vector<std::uint32_t> floats{0, 0x80000000U, 1, 0x7F7FFFFFU, 0xFF7FFFFFU, 0x3F800000U};
  expect_scan(scan(device(), floats), 0, kNowhere, 0, kNowhere);
  expect_scan(scan(device(), std::vector<std::uint16_t>{}), 0, kNowhere, 0, kNowhere);
}

TEST_P(DeviceContract, ScansCountEveryNonFiniteHalf) {
  std::vector<std::uint16_t> halves;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    halves.push_back(static_cast<std::uint16_t>(bits));
  }
  // 2 · 1024 have the exponent of NaN and infinity; one of them is the canary.
  expect_scan(scan(device(), halves), 1, kHalfCanary, 2047, 0x7C00);
}

TEST_P(DeviceContract, ScansGiveTheFirstOfSeveral) {
  std::vector<std::uint16_t> halves(1000003, 0x3C00);
  for (const std::size_t i : {999999U, 40000U, 700001U}) halves[i] = kHalfCanary;
  for (const std::size_t i : {1000002U, 650000U}) halves[i] = 0xFC00;  // -inf
  halves[39999] = 0x7E00;                                              // NaN
  expect_scan(scan(device(), halves), 3, 40000, 3, 39999);

  std::vector<std::uint32_t> floats(700001, 0xC0490FDBU);
  floats[700000] = kFloatCanary;
  floats[0] = kFloatCanary;
  floats[500000] = 0x7F800000U;  // inf
  floats[3] = 0xFF800000U;       // -inf
  floats[699999] = 0x7FC00000U;  // NaN
  floats[4] = 0xFFA5C3A5U;       // the canary's negative is no canary
  expect_scan(scan(device(), floats), 2, 0, 4, 3);
}

std::vector<std::uint32_t> random_words(std::size_t count) {
  CounterRng rng(5, 77);
  std::vector<std::uint32_t> words(count);
  for (std::uint32_t& word : words) word = rng();
  return words;
}

std::uint64_t checksum(Device& device, const std::vector<std::uint32_t>& words) {
  const DeviceMemory memory = to_device(device, words);
  return device.checksum({{memory.get(), {4 * words.size()}}});
}

TEST_P(DeviceContract, ChecksumIsTheSumOfItsTerms) {
  for (const std::size_t count : {0U, 1U, 31U, 33U, 1000U, 2000003U}) {
    const std::vector<std::uint32_t> words = random_words(count);
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i < count; ++i) expected += checksum_term(words[i], i);
    EXPECT_EQ(checksum(device(), words), expected) << count;
  }
}

TEST_P(DeviceContract, ChecksumOfRegionsIsThatOfTheirWordsInARow) {
  const std::vector<std::uint32_t> words = random_words(5000);
  const DeviceMemory memory = to_device(device(), words);
  const auto* first = static_cast<const std::uint32_t*>(memory.get());
  EXPECT_EQ(device().checksum({{first, {4 * 7}}, {first + 7, {}}, {first + 7, {4 * 4993}}}),
            checksum(device(), words));
  EXPECT_EQ(device().checksum({}), 0U);
}

TEST_P(DeviceContract, ChecksumChangesWithEveryBit) {
  std::vector<std::uint32_t> words = random_words(97);
  const std::uint64_t before = checksum(device(), words);
  for (const std::size_t i : {0U, 50U, 96U}) {
    for (std::uint32_t bit = 0; bit < 32; ++bit) {
      words[i] ^= 1U << bit;
      EXPECT_NE(checksum(device(), words), before) << i << ' ' << bit;
      words[i] ^= 1U << bit;
    }
  }
  EXPECT_EQ(checksum(device(), words), before);
}

TEST_P(DeviceContract, ChecksumChangesWhenWordsChangePlaces) {
  std::vector<std::uint32_t> words = random_words(5000);
  const std::uint64_t before = checksum(device(), words);
  for (const auto& [a, b] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 4999}, {17, 2048}}) {
    std::swap(words[a], words[b]);
    EXPECT_NE(checksum(device(), words), before);
    std::swap(words[a], words[b]);
  }
  // Zeros count too: a run of them is not an empty sum.
  EXPECT_NE(checksum(device(), {0, 0}), checksum(device(), {0}));
}

}  // namespace
}  // namespace fa2bench::test
