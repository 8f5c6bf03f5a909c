// SPDX-License-Identifier: MIT
// The real binary holds memory; this process and workers of the same binary open it.
#include "app/memory_holder_contract.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "app/memory_holder.hpp"
#include "app/shim_runner.hpp"
#include "device/select.hpp"
#include "device/workload_buffers.hpp"
#include "workload/config_text.hpp"

namespace fa2bench::test {
namespace {

using testing::HasSubstr;

constexpr Bytes kNothing{};

std::unique_ptr<Device> open_own(const std::string& device) {
  return open_device(parse_device(device)).device;
}

TEST_P(HeldMemory, HasATagThatAnotherProcessReads) {
  MemoryHolder holder(FA2BENCH_TOOL, GetParam().device);
  const PoolAnswer answer = holder.share({mib(4), 2, kNothing});
  ASSERT_TRUE(answer.pool) << answer.obstacle;
  EXPECT_NE(answer.pool->tag, 0U);
  const auto device = open_own(GetParam().device);
  EXPECT_EQ(OpenedPool(*device, *answer.pool).layers(), 2U);
}

TEST_P(HeldMemory, IsSharedByTwoThatCameLater) {
  MemoryHolder holder(FA2BENCH_TOOL, GetParam().device);
  const PoolAnswer answer = holder.share({mib(4), 1, kNothing});
  ASSERT_TRUE(answer.pool) << answer.obstacle;
  constexpr std::uint32_t kWord = 0x1234567;
  const auto device = open_own(GetParam().device);
  {
    const OpenedPool first(*device, *answer.pool);
    device->fill_words(first.layer(0)(mib(4)).get(), kWord, mib(4));
    device->synchronize();
  }
  const OpenedPool second(*device, *answer.pool);
  EXPECT_EQ(device->find_other_word(second.layer(0)(mib(4)).get(), kWord, mib(4)), kNowhere);
}

TEST_P(HeldMemory, IsAnotherAfterTheNextRequest) {
  MemoryHolder holder(FA2BENCH_TOOL, GetParam().device);
  const PoolAnswer first = holder.share({mib(4), 1, kNothing});
  const PoolAnswer second = holder.share({mib(2), 1, kNothing});
  ASSERT_TRUE(first.pool) << first.obstacle;
  ASSERT_TRUE(second.pool) << second.obstacle;
  EXPECT_NE(first.pool->tag, second.pool->tag);
  const auto device = open_own(GetParam().device);
  EXPECT_THROW((void)OpenedPool(*device, *first.pool), DeviceError);
  EXPECT_EQ(OpenedPool(*device, *second.pool).layer_size(), mib(2));
}

TEST_P(HeldMemory, HasOneLayerWhereMoreWouldTakeWhatOthersNeed) {
  MemoryHolder holder(FA2BENCH_TOOL, GetParam().device);
  const PoolAnswer answer = holder.share({mib(2), 40, Bytes{1ULL << 60U}});
  ASSERT_TRUE(answer.pool) << answer.obstacle;
  EXPECT_EQ(answer.pool->handles.size(), 1U);
}

TEST_P(HeldMemory, IsRefusedWhereThereIsTooLittleAndAskedForAgain) {
  MemoryHolder holder(FA2BENCH_TOOL, GetParam().device);
  const PoolAnswer refused = holder.share({Bytes{1ULL << 50U}, 1, kNothing});
  EXPECT_FALSE(refused.pool);
  EXPECT_THAT(refused.obstacle, HasSubstr("needs 1.00 PiB of memory to share"));
  EXPECT_TRUE(holder.share({mib(2), 1, kNothing}).pool);
}

/// What a worker tells of its memory, and how its run went.
struct Told {
  std::optional<MemorySharing> memory;
  Run run;
};

Told run_worker(ShimRunner& worker, const RunRequest& request) {
  Told told;
  const auto listen = [&](const Phase& phase) {
    if (phase.memory) told.memory = phase.memory;
  };
  told.run = worker.run(request, listen, {});
  return told;
}

TEST_P(HeldMemory, IsWhereAllWorkersHaveTheirData) {
  RunRequest request;
  request.workload = read_one(R"({"batch": "2q1s40_q5s20", "num_heads": 4, "num_kv_heads": 2,
                                  "head_dim": 128, "layers": 3})");
  request.modes = {Mode::step};
  request.limits.time_limit = Seconds(0.01);
  const Plan plan = make_plan(request.workload);
  MemoryHolder holder(FA2BENCH_TOOL, GetParam().device);
  const PoolAnswer answer =
      holder.share(pool_for(request.workload, plan, request.modes, mib(1), 2));
  ASSERT_TRUE(answer.pool) << answer.obstacle;
  ASSERT_EQ(answer.pool->handles.size(), 3U);
  request.memory = answer.pool;
  std::vector<std::unique_ptr<ShimRunner>> workers;  // all alive at once
  for (int i = 0; i < 2; ++i) {
    workers.push_back(make_worker_runner({FA2BENCH_TOOL, std::chrono::minutes(1)}));
    (void)workers.back()->open({GetParam().device, {}}, {});
  }
  for (const auto& worker : workers) {
    const Told told = run_worker(*worker, request);
    ASSERT_EQ(told.run.status, Status::ok) << told.run.reason;
    EXPECT_EQ(told.run.timings.at(0).samples.calls, 3);
    ASSERT_TRUE(told.memory);
    EXPECT_TRUE(told.memory->shared) << told.memory->obstacle;
  }
  // Each layer begins with a guard now.
  const auto device = open_own(GetParam().device);
  const OpenedPool pool(*device, *answer.pool);
  for (std::size_t layer = 0; layer < 3; ++layer) {
    const DeviceMemory memory = pool.layer(layer)(mib(1));
    EXPECT_EQ(device->find_other_word(memory.get(), kGuardWord, {4}), kNowhere) << layer;
  }
  // Another tag: the worker goes on with memory of its own.
  ++request.memory->tag;
  const Told alone = run_worker(*workers.front(), request);
  EXPECT_EQ(alone.run.status, Status::ok) << alone.run.reason;
  ASSERT_TRUE(alone.memory);
  EXPECT_FALSE(alone.memory->shared);
  EXPECT_THAT(alone.memory->obstacle, HasSubstr("is not there"));
}

}  // namespace
}  // namespace fa2bench::test
