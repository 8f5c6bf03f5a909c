// SPDX-License-Identifier: MIT
// The holder on the CPU, and holders that fail.
#include "app/memory_holder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "app/memory_holder_contract.hpp"
#include "device/host/host_device.hpp"
#include "device/workload_buffers.hpp"
#include "workload/config_text.hpp"

namespace fa2bench::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

INSTANTIATE_TEST_SUITE_P(Host, HeldMemory,
                         testing::Values(HeldMemoryCase{"cpu", [] { return std::string(); }}));

constexpr PoolRequest kSmall{mib(2), 1, Bytes{}};

/// A program that is no holder.
class Script {
 public:
  explicit Script(const std::string& text) {
    std::ofstream(path_) << "#!/bin/sh\n" << text;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
  }
  ~Script() { std::filesystem::remove(path_); }
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_ =
      std::filesystem::path(testing::TempDir()) / ("fa2bench-holder-" + std::to_string(::getpid()));
};

/// The first answer of such a program, and that the second is the same.
std::string obstacle(const std::string& script,
                     std::chrono::milliseconds patience = std::chrono::minutes(1)) {
  const Script program(script);
  MemoryHolder holder(program.path(), "cpu", patience);
  const PoolAnswer answer = holder.share(kSmall);
  EXPECT_FALSE(answer.pool);
  EXPECT_EQ(holder.share(kSmall).obstacle, answer.obstacle);
  return answer.obstacle;
}

TEST(MemoryHolder, TellsThatItsProcessHasEnded) {
  EXPECT_EQ(obstacle("exit 0"), "the process that holds the memory has ended");
  EXPECT_EQ(obstacle("kill -9 $$"), "the process that holds the memory has ended");
}

TEST(MemoryHolder, WaitsForASilentProcessNoLongerThanItMay) {
  EXPECT_EQ(obstacle("read never <&3; sleep 1000", std::chrono::milliseconds(1)),
            "the process that holds the memory did not answer");
}

TEST(MemoryHolder, TakesNothingButAnAnswer) {
  const auto says = [](const char* frame) {
    return obstacle(std::string("printf '") + frame + "' >&3; sleep 1000");
  };
  EXPECT_EQ(says("HTTP/1.1 200 OK"), "the process that holds the memory has ended");
  for (const char* frame : {R"(fa2m\004\000\000\000what)", R"(fa2m\010\000\000\000shared x)",
                            R"(fa2m\011\000\000\000shared 12)"}) {
    EXPECT_EQ(says(frame), "the process that holds the memory sent garbage") << frame;
  }
}

TEST(MemoryHolder, TellsThatItsProgramIsNotThere) {
  MemoryHolder holder("/nowhere/tool", "cpu");
  EXPECT_THAT(holder.share(kSmall).obstacle, HasSubstr("/nowhere/tool: No such file"));
}

TEST(MemoryHolder, TellsThatItHasNoSuchDevice) {
  MemoryHolder holder(FA2BENCH_TOOL, "cuda:63");
  EXPECT_THAT(holder.share(kSmall).obstacle, HasSubstr("CUDA"));
}

TEST(MemoryHolder, IsInterruptedWithTheSession) {
  const Script program("sleep 1000");
  MemoryHolder holder(program.path(), "cpu");
  EXPECT_THAT(holder.share(kSmall, [] { return true; }).obstacle, HasSubstr("interrupted"));
}

TEST(MemoryHolder, LeavesWhatIsOpenAndNothingElseWhenItIsKilled) {
  MemoryHolder holder(FA2BENCH_TOOL, "cpu");
  const PoolAnswer answer = holder.share(kSmall);
  ASSERT_TRUE(answer.pool) << answer.obstacle;
  const auto device = make_host_device();
  const OpenedPool opened(*device, *answer.pool);
  const std::string& handle = answer.pool->handles.front();
  ASSERT_THAT(handle, StartsWith("/proc/"));
  ASSERT_EQ(::kill(static_cast<pid_t>(std::stol(handle.substr(6))), SIGKILL), 0);
  EXPECT_EQ(holder.share(kSmall).obstacle, "the process that holds the memory has ended");
  device->fill_words(opened.layer(0)(mib(2)).get(), 1, mib(2));
  EXPECT_THROW((void)OpenedPool(*device, *answer.pool), DeviceError);
}

TEST(MemoryHolder, StartsNothingWhereSharingIsSwitchedOff) {
  ASSERT_EQ(::setenv(kNoSharingVariable, "1", 1), 0);
  MemoryHolder off("/nowhere/tool", "cpu");
  EXPECT_EQ(off.share(kSmall).obstacle, "FA2BENCH_NO_SHARED_MEMORY is set");
  for (const char* value : {"", "0"}) {
    ASSERT_EQ(::setenv(kNoSharingVariable, value, 1), 0);
    MemoryHolder on(FA2BENCH_TOOL, "cpu");
    EXPECT_EQ(on.share(kSmall).obstacle, "") << value;
  }
  ::unsetenv(kNoSharingVariable);
}

TEST(PoolFor, CountsTheLayersThatTheModesUseAndWhatProcessesNeedBesides) {
  const Workload workload = read_one(R"({"batch": "q1s40", "layers": 5})");
  const Plan plan = make_plan(workload);
  const auto of = [&](std::vector<Mode> modes, int processes) {
    return pool_for(workload, plan, modes, mib(50), processes);
  };
  EXPECT_EQ(of({Mode::cold, Mode::warm, Mode::graph_warm}, 1).layers, 1U);
  EXPECT_EQ(of({Mode::cold, Mode::step}, 1).layers, 5U);
  EXPECT_EQ(of({Mode::graph}, 1).layers, 5U);
  EXPECT_EQ(of({Mode::cold}, 1).layer_size,
            size_of_layer(WorkloadBuffers::sizes(plan, workload.shape)));
  EXPECT_GE(of({Mode::cold}, 1).reserve, mib(100));
  EXPECT_EQ(of({Mode::cold}, 6).reserve, of({Mode::cold}, 1).reserve * 6);
}

}  // namespace
}  // namespace fa2bench::test
