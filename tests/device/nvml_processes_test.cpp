// SPDX-License-Identifier: MIT
#include "device/nvml/processes.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>

namespace fa2bench::nvml {
namespace {

// A shell (10) that started two runs of the tool (20 and 30), with two workers each, and a program.
const std::map<int, ProcessFacts> kMachine{
    {10, {1, "/bin/sh"}},      {20, {10, "/bin/tool"}}, {21, {20, "/bin/tool"}},
    {22, {20, "/bin/tool"}},   {30, {10, "/bin/tool"}}, {31, {30, "/bin/tool"}},
    {40, {20, "/bin/python"}},
};

std::optional<ProcessFacts> look_up(int pid) {
  const auto found = kMachine.find(pid);
  return found == kMachine.end() ? std::nullopt : std::optional(found->second);
}

bool ours(int pid, int self) { return is_of_this_run(pid, self, look_up); }

TEST(IsOfThisRun, HoldsForAWorkerItsSiblingsAndTheirTool) {
  for (const int pid : {20, 21, 22}) EXPECT_TRUE(ours(pid, 21)) << pid;
}

TEST(IsOfThisRun, HoldsForTheToolAndItsWorkers) {
  for (const int pid : {20, 21, 22}) EXPECT_TRUE(ours(pid, 20)) << pid;
}

TEST(IsOfThisRun, DoesNotHoldForAnotherRunFromTheSameShell) {
  for (const int pid : {30, 31}) {
    EXPECT_FALSE(ours(pid, 20)) << pid;
    EXPECT_FALSE(ours(pid, 21)) << pid;
  }
}

TEST(IsOfThisRun, DoesNotHoldForOtherProgramsOrNumbersOfNobody) {
  for (const int pid : {10, 40, 99, 0}) EXPECT_FALSE(ours(pid, 21)) << pid;
}

TEST(IsOfThisRun, HoldsForOneselfWhateverProcSays) { EXPECT_TRUE(ours(99, 99)); }

TEST(ReadProcess, KnowsThisOneAndItsParent) {
  const auto self = read_process(::getpid());
  ASSERT_TRUE(self.has_value());
  EXPECT_EQ(self->parent, ::getppid());
  EXPECT_NE(self->executable.find("test_device"), std::string::npos) << self->executable;
  EXPECT_FALSE(read_process(1 << 30).has_value());
}

Process process(unsigned pid, Bytes used) { return {pid, used.count, 0, 0}; }

Neighbours seen(std::vector<Process> listed, bool we_hold_a_context = true) {
  Neighbours neighbours;
  neighbours.listed = std::move(listed);
  neighbours.ours = [](int pid) { return pid < 100; };
  neighbours.we_hold_a_context = we_hold_a_context;
  return neighbours;
}

Neighbours in_container(Neighbours neighbours, std::optional<Bytes> in_use) {
  neighbours.own_namespace = true;
  neighbours.memory_in_use = in_use;
  return neighbours;
}

TEST(CountOthers, CountsWhoIsNotOfThisRun) {
  EXPECT_EQ(count_others(seen({process(1, {}), process(2, {})})), 0);
  EXPECT_EQ(count_others(seen({process(1, {}), process(200, {}), process(201, {})})), 2);
}

TEST(CountOthers, CountsBeforeThereIsAContextOfOurs) {
  EXPECT_EQ(count_others(seen({}, false)), 0);
  EXPECT_EQ(count_others(seen({process(200, {})}, false)), 1);
}

TEST(CountOthers, DoesNotKnowWhereWeShouldBeListedAndAreNot) {
  EXPECT_EQ(count_others(seen({})), std::nullopt);
  EXPECT_EQ(count_others(seen({process(200, {})})), std::nullopt);
}

TEST(CountOthers, InAContainerCountsWhoIsListed) {
  EXPECT_EQ(count_others(in_container(seen({process(1, {}), process(200, {})}), std::nullopt)), 1);
}

TEST(CountOthers, InAContainerIsAloneIfNoMemoryIsLeftUnexplained) {
  EXPECT_EQ(count_others(in_container(seen({}, false), mib(4))), 0);
  EXPECT_EQ(count_others(in_container(seen({process(1, mib(600))}), mib(600) + kNobodysMemory)), 0);
  EXPECT_EQ(count_others(in_container(seen({process(1, mib(600))}), mib(590))), 0);
}

TEST(CountOthers, InAContainerDoesNotKnowWhoseMemoryIsInUse) {
  EXPECT_EQ(count_others(in_container(seen({}, false), mib(500))), std::nullopt);
  EXPECT_EQ(count_others(in_container(seen({process(1, mib(600))}), mib(601) + kNobodysMemory)),
            std::nullopt);
}

TEST(CountOthers, InAContainerDoesNotKnowWithoutTheSizesOfMemory) {
  EXPECT_EQ(count_others(in_container(seen({}, false), std::nullopt)), std::nullopt);
  EXPECT_EQ(count_others(in_container(seen({process(1, {kMemoryUnknown})}), mib(4))), std::nullopt);
}

}  // namespace
}  // namespace fa2bench::nvml
