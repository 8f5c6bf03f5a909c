// SPDX-License-Identifier: MIT
// What a gate is for: what gated times scatter by is what the kernels between the events scatter
// by. Events and CUPTI's times are of the same calls, in one placement. The figures are properties
// of the tests, in µs, for --gtest_output=json.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "device/cuda/event.hpp"
#include "gpu/gpu_test.hpp"
#include "stats/summary.hpp"

namespace fa2bench::test {
namespace {

struct ScatterCase {
  const char* name;   ///< the acceptance finds the figures by it
  const char* batch;  ///< "" is a kernel that spins for 20 µs, which has next to no scatter
  bool cold;
};

/// Instead of its bytes, in the names of the tests.
void PrintTo(const ScatterCase& one, std::ostream* out) { *out << one.name; }

std::string name_of(const testing::TestParamInfo<ScatterCase>& info) { return info.param.name; }

struct Scatter {
  double median = 0.0;
  double p1 = 0.0;
  double p99 = 0.0;
  [[nodiscard]] double width() const { return p99 - p1; }
};

Scatter scatter_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {quantile(values, 0.5), quantile(values, 0.01), quantile(values, 0.99)};
}

struct TracedTime {
  double events_us = 0.0;
  double kernels_us = 0.0;
};

class GatedTimes : public GpuTest, public testing::WithParamInterface<ScatterCase> {
 protected:
  /// When the gate of a cold call opens, the sweep before it still runs, and the device reads ahead
  /// what is queued. A trace waits for the sweep, so that another kernel stands for it.
  static constexpr Microseconds kSweep{60.0};

  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    begin_.emplace();
    end_.emplace();
  }

  /// Nothing, with a failure, if there is no time.
  std::optional<TracedTime> trace(const std::function<int()>& call) {
    const bool cold = GetParam().cold;
    if (cold) device().evict_cache();
    const KernelTrace found = device().trace_kernels(
        [&] {
          if (cold) device().enqueue_spin(kSweep);
          const bool begun = record(*begin_);
          const int code = call();
          return begun && record(*end_) ? code : -1;
        },
        true);
    EXPECT_EQ(found.obstacle, "");
    EXPECT_EQ(found.code, 0);
    EXPECT_FALSE(found.blocked);
    float ms = 0.0F;
    EXPECT_EQ(cudaEventElapsedTime(&ms, begin_->get(), end_->get()), cudaSuccess);
    EXPECT_GT(found.launches.size(), cold ? 1U : 0U);
    if (HasFailure()) return std::nullopt;
    return TracedTime{1e3 * static_cast<double>(ms),
                      found.span_us - found.launches[cold ? 1 : 0].start_us};
  }

  static void publish(const char* what, const Scatter& of) {
    for (const auto& [name, us] :
         {std::pair{"p1", of.p1}, {"median", of.median}, {"p99", of.p99}}) {
      RecordProperty(fmt::format("{}_{}_us", what, name), fmt::format("{:.3f}", us));
    }
  }

 private:
  [[nodiscard]] bool record(const cuda::Event& event) const {
    return cudaEventRecord(event.get(), static_cast<cudaStream_t>(device().stream())) ==
           cudaSuccess;
  }

  std::optional<cuda::Event> begin_;
  std::optional<cuda::Event> end_;
};

TEST_P(GatedTimes, ScatterAsTheKernelsDo) {
  constexpr int kWarmUp = 50;
  constexpr int kCalls = 600;
  const ScatterCase& is = GetParam();
  const bool spins = *is.batch == '\0';
  const Shim shim = bundled_shim();
  const std::string json = fmt::format(R"({{"batch": "{}", "num_heads": 32, "num_kv_heads": 4}})",
                                       spins ? "q1s64" : is.batch);
  const GpuTarget target(device(), read_one(json.c_str()));
  ASSERT_TRUE(target.after(shim).ok);
  device().enqueue_spin(Microseconds(20.0));
  device().synchronize();
  const auto call = [&] {
    if (!spins) return shim.call(target.buffers.call(), device().stream()).code;
    device().enqueue_spin(Microseconds(20.0));
    return 0;
  };
  std::vector<double> events;
  std::vector<double> kernels;
  for (int i = 0; i < kWarmUp + kCalls; ++i) {
    const std::optional<TracedTime> time = trace(call);
    if (!time) return;
    if (i < kWarmUp) continue;
    events.push_back(time->events_us);
    kernels.push_back(time->kernels_us);
  }
  const Scatter of_events = scatter_of(events);
  const Scatter of_kernels = scatter_of(kernels);
  publish("events", of_events);
  publish("kernels", of_kernels);
  // A delay of the host is longer. The acceptance has the narrower bound.
  constexpr double kMostAdded = 1.5;
  EXPECT_LE(of_events.width() - of_kernels.width(), kMostAdded);
}

INSTANTIATE_TEST_SUITE_P(Gate, GatedTimes,
                         testing::Values(ScatterCase{"warm_spin_20_us", "", false},
                                         ScatterCase{"warm_decode_8x4096", "8q1s4096", false},
                                         ScatterCase{"cold_decode_8x4096", "8q1s4096", true},
                                         ScatterCase{"warm_decode_1x32768", "q1s32k", false},
                                         ScatterCase{"cold_decode_1x32768", "q1s32k", true},
                                         ScatterCase{"warm_prefill_4x512", "4q512", false},
                                         ScatterCase{"cold_prefill_4x512", "4q512", true},
                                         ScatterCase{"warm_prefill_1x2048", "q2k", false},
                                         ScatterCase{"cold_prefill_1x2048", "q2k", true}),
                         name_of);

}  // namespace
}  // namespace fa2bench::test
