// SPDX-License-Identifier: MIT
// A run on memory that its session has brought, and what becomes of it where that cannot be had.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "app/fake_shim.hpp"
#include "app/faulty_device.hpp"
#include "app/layers.hpp"
#include "device/workload_buffers.hpp"

namespace fa2bench::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class SharedRun : public testing::Test {
 protected:
  SharedRun() {
    request_.workload = small_workload("small");
    request_.workload.layers = 4;
    request_.modes = {Mode::step};
    request_.limits.time_limit = Seconds(5'000.0);
    request_.limits.min_trials = request_.limits.max_trials = 1;
    request_.limits.duty = 1.0;
    request_.limits.max_samples = 4;
    plan_ = make_plan(request_.workload);
  }

  [[nodiscard]] Bytes layer_size() const {
    return size_of_layer(WorkloadBuffers::sizes(plan_, request_.workload.shape));
  }
  OwnedPool share(Bytes size, std::size_t layers) {
    OwnedPool owned = share_pool(*device_, size, layers, 42);
    request_.memory = owned.pool;
    return owned;
  }
  fa2bench::Run run() {
    const auto listen = [this](const Phase& phase) {
      if (phase.memory) told_ = phase.memory;
    };
    return ShimHost(device_, fake_shim("fake").shim).run(request_, listen, {}).run;
  }
  /// The run goes on with memory of its own, and says why.
  std::string obstacle() {
    const fa2bench::Run ran = run();
    EXPECT_EQ(ran.status, Status::ok) << ran.reason;
    EXPECT_TRUE(told_ && !told_->shared);
    return told_ ? told_->obstacle : "";
  }

  std::shared_ptr<FaultyDevice> device_ = std::make_shared<FaultyDevice>();
  RunRequest request_;
  Plan plan_;
  std::optional<MemorySharing> told_;
};

TEST_F(SharedRun, HasItsDataInTheLayersOfThePool) {
  const OwnedPool owned = share(layer_size(), 3);
  const fa2bench::Run ran = run();
  ASSERT_EQ(ran.status, Status::ok) << ran.reason;
  EXPECT_EQ(ran.timings.at(0).samples.calls, 3);  // of 4: the pool has no more
  ASSERT_TRUE(told_);
  EXPECT_TRUE(told_->shared);
  EXPECT_EQ(told_->obstacle, "");
  for (const SharedMemory& layer : owned.layers) {
    EXPECT_EQ(device_->find_other_word(layer.memory.get(), kGuardWord, {4}), kNowhere);
  }
}

TEST_F(SharedRun, SaysNothingOfMemoryThatNobodyBrought) {
  EXPECT_EQ(run().status, Status::ok);
  EXPECT_FALSE(told_);
}

TEST_F(SharedRun, GoesOnAloneWhereTheMemoryCannotBeOpened) {
  request_.memory = SharedPool{{"/proc/self/fd/1000000"}, layer_size(), 42};
  EXPECT_THAT(obstacle(), StartsWith("shared memory /proc/self/fd/1000000: "));
}

TEST_F(SharedRun, GoesOnAloneWhereTheTagIsAnother) {
  const OwnedPool owned = share(layer_size(), 1);
  ++request_.memory->tag;
  EXPECT_THAT(obstacle(), HasSubstr("tag"));
}

TEST_F(SharedRun, GoesOnAloneWhereTheMemoryIsTooSmallOrNone) {
  const OwnedPool owned = share({layer_size().count - mib(2).count}, 1);
  EXPECT_THAT(obstacle(), HasSubstr("too small"));
  request_.memory = SharedPool{};
  EXPECT_THAT(obstacle(), HasSubstr("too small"));
}

TEST_F(SharedRun, NeedsNoRoomForWhatIsThereAlready) {
  request_.modes = {Mode::cold};
  const OwnedPool owned = share(layer_size(), 1);
  device_->free = WorkloadBuffers::private_footprint(plan_) + sweep_memory(kib(64)) + mib(256) +
                  Bytes{plan_.memory.host};
  EXPECT_EQ(run().status, Status::ok);
  device_->free->count -= 1;
  EXPECT_EQ(run().status, Status::does_not_fit);
  device_->free->count += 1;
  request_.memory.reset();
  EXPECT_EQ(run().status, Status::does_not_fit);
}

/// Without a pool, what each process may take of the memory of all.
class Room : public SharedRun {
 protected:
  /// Layers of a step in a process that has this much beyond its own first layer.
  int layers(Bytes free, std::optional<Bytes> further) {
    const Bytes one = WorkloadBuffers::footprint(plan_, request_.workload.shape);
    const Bytes first = one + sweep_memory(kib(64)) + mib(512);
    device_->free = free;
    request_.room.reset();
    if (further) request_.room = first + *further;
    const fa2bench::Run ran = run();
    EXPECT_EQ(ran.status, Status::ok) << ran.reason;
    return ran.timings.empty() ? 0 : ran.timings[0].samples.calls;
  }
  [[nodiscard]] Bytes of_layers(std::uint64_t count) const {
    return WorkloadBuffers::footprint(plan_, request_.workload.shape) * count;
  }
};

TEST_F(Room, IsNotExceededThoughMoreIsFree) {
  EXPECT_EQ(layers(mib(4096), std::nullopt), 4);
  EXPECT_EQ(layers(mib(4096), of_layers(3)), 4);
  EXPECT_EQ(layers(mib(4096), Bytes{of_layers(3).count - 1}), 3);
  EXPECT_EQ(layers(mib(4096), of_layers(1)), 2);
  EXPECT_EQ(layers(mib(4096), Bytes{}), 1);
}

TEST_F(Room, IsNoMoreThanWhatIsFree) {
  EXPECT_EQ(layers(mib(512) + of_layers(1), of_layers(3)), 2);
}

/// Two processes' layers on the same pool.
class SharedLayers : public SharedRun {
 protected:
  struct Participant {
    Participant(Device& device, const Workload& workload, const Plan& plan, const SharedPool& of)
        : pool(device, of),
          table(build_block_table(workload)),
          buffers(device, workload, plan, table, pool.layer(0)),
          verifier(workload, plan, table),
          target{device, workload, plan, table, table, buffers, verifier, &pool},
          calls(fake.shim, target, listener),
          layers(target, calls, Layers::that_fit(target, 9)) {}

    LabelledShim fake = fake_shim("fake");
    PhaseListener listener = [](const Phase&) {};
    OpenedPool pool;
    BlockTable table;
    WorkloadBuffers buffers;
    Verifier verifier;
    WorkloadOnDevice target;
    CheckedCalls calls;
    Layers layers;
  };
};

/// Others work on the pool while this process waits, and then there is no turn left for it.
TEST_F(SharedLayers, AreAsTheyWereAfterAModeInWhichOnlyOthersHadTurns) {
  const OwnedPool owned = share(layer_size(), 2);
  request_.modes = {Mode::graph};
  request_.in_turns = true;
  request_.check_graph = true;
  device_->on_graph = [](const auto& call) {
    return call() == 0 ? CallGraph{"", 1, 0, 0, [] {}} : CallGraph{};
  };
  int waits = 0;
  const NextTurn others = [&](const Took&) {
    ++waits;
    for (const SharedMemory& layer : owned.layers) {
      device_->fill_words(layer.memory.get(), 0x4040'4040U, layer_size());
    }
    return TurnsOver{Stop::interrupted};
  };
  const fa2bench::Run ran = ShimHost(device_, fake_shim("fake").shim)
                                .run(
                                    request_, [](const Phase&) {}, {}, others)
                                .run;
  EXPECT_EQ(waits, 1);
  ASSERT_EQ(ran.status, Status::ok) << ran.reason;
  ASSERT_TRUE(ran.verify->constancy.graph);
  EXPECT_EQ(ran.verify->constancy.graph->obstacle, "");
  EXPECT_TRUE(ran.verify->constancy.graph->same_bits);
}

TEST_F(SharedLayers, OfTheSameTrialHoldWhatTheFirstHasFilled) {
  const OwnedPool owned = share(layer_size(), 2);
  Participant first(*device_, request_.workload, plan_, owned.pool);
  Participant second(*device_, request_.workload, plan_, owned.pool);
  ASSERT_EQ(first.layers.count(), 2);
  const std::vector<std::uint64_t> filled = first.layers.place(3);
  ASSERT_EQ(filled.size(), 2U);
  // Other data in layer 0, told as what is right: it stays. Layer 1 is spoilt: it does not.
  std::vector<std::uint64_t> expected = filled;
  first.buffers.refill_queries(999);
  expected[0] = first.buffers.input_checksum();
  ASSERT_NE(expected[0], filled[0]);
  std::vector<const PagedVarlenCall*> calls;
  first.layers.for_each([&](const PagedVarlenCall& call) {
    calls.push_back(&call);
    return 0;
  });
  device_->fill_words(const_cast<void*>(calls.at(1)->k), 0, {64});
  EXPECT_EQ(second.layers.place(3, expected), expected);
  EXPECT_TRUE(second.layers.are_whole("afterwards"));
  // Without a word of what is right all is filled.
  EXPECT_EQ(second.layers.place(3), filled);
}

}  // namespace
}  // namespace fa2bench::test
