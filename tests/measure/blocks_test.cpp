// SPDX-License-Identifier: MIT
#include "measure/blocks.hpp"

#include <gtest/gtest.h>

namespace fa2bench {
namespace {

/// `count` trials, going round so many streams, in so many processes one after the other.
std::vector<Trial> trials(int processes, int streams, int count) {
  std::vector<Trial> list;
  for (int process = 0; process < processes; ++process) {
    for (int i = 0; i < count; ++i) {
      Trial& trial = list.emplace_back();
      trial.process = process;
      trial.stream = i % streams;
    }
  }
  return list;
}

std::vector<double> ascending(std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<double>(i));
  return values;
}

TEST(Blocks, AreTrialsOfFewStreams) {
  const std::vector<Trial> list = trials(1, 4, 20);
  EXPECT_EQ(independent_block(list), Block::trials);
  EXPECT_EQ(independent_values(ascending(20), list), ascending(20));
}

TEST(Blocks, AreStreamsOfWhichEachHasTwoTrials) {
  EXPECT_EQ(independent_block(trials(1, 16, 31)), Block::trials);
  const std::vector<Trial> list = trials(1, 16, 32);
  EXPECT_EQ(independent_block(list), Block::streams);
  const std::vector<double> values = independent_values(ascending(32), list);
  ASSERT_EQ(values.size(), 16U);
  EXPECT_EQ(values[0], 8.0);  // of 0 and 16
}

TEST(Blocks, AreStreamsOfEachOfTwoProcesses) {
  EXPECT_EQ(independent_block(trials(2, 16, 32)), Block::streams);
  EXPECT_EQ(independent_values(ascending(64), trials(2, 16, 32)).size(), 32U);
}

TEST(Blocks, AreProcessesOfWhichThereAreThree) {
  const std::vector<Trial> list = trials(3, 16, 5);
  EXPECT_EQ(independent_block(list), Block::processes);
  EXPECT_EQ(independent_values(ascending(15), list), (std::vector<double>{2.0, 7.0, 12.0}));
}

TEST(Blocks, DoNotMoveByBurstsInAFifthOfTheirTrials) {
  const std::vector<Trial> list = trials(3, 1, 20);
  std::vector<double> medians(60, 18.4);
  for (std::size_t t = 20; t < 24; ++t) medians[t] = 19.6;  // of the second process
  for (const double center : independent_values(medians, list)) EXPECT_DOUBLE_EQ(center, 18.4);
}

}  // namespace
}  // namespace fa2bench
