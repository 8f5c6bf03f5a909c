// SPDX-License-Identifier: MIT
// The device contract on CUDA, and what only a GPU promises.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <limits>
#include <vector>

#include "device/cuda/cuda_device.hpp"
#include "device/cuda/kernels.hpp"
#include "device/device_contract.hpp"
#include "gpu/gpu_test.hpp"

namespace fa2bench::test {
namespace {

INSTANTIATE_TEST_SUITE_P(Cuda, DeviceContract,
                         testing::Values(DeviceCase{"cuda", cuda_obstacle,
                                                    [] { return make_cuda_device(0); }}));

class CudaDevice : public GpuTest {};

TEST_F(CudaDevice, SaysMoreThanAHost) {
  const DeviceFacts& facts = device().facts();
  EXPECT_EQ(facts.kind, DeviceKind::cuda);
  EXPECT_EQ(facts.uuid.size(), 40U) << facts.uuid;
  EXPECT_EQ(facts.uuid.substr(0, 4), "GPU-");
  EXPECT_FALSE(facts.compute_capability.empty());
  EXPECT_FALSE(facts.cuda_driver.empty());
  EXPECT_LE(device().free_memory(), facts.memory);
}

// Lines that are yet to be written back take their time from the call that displaces them: the
// cache emptied as for a sample must not be slower to read into than one that was swept by reading
// once more.
TEST_F(CudaDevice, LeavesNothingToWriteBackWhereItEmptiesTheCache) {
  const Bytes size = mib(32);
  const DeviceMemory data = device().allocate(size);
  const DeviceMemory other = device().allocate(device().facts().l2 * 4);
  const DeviceMemory never = device().allocate(mib(1));
  device().fill_words(data.get(), 1, size);
  device().fill_words(other.get(), 1, device().facts().l2 * 4);
  const auto read_us = [&](const std::function<void()>& before) {
    std::vector<double> times;
    for (int i = 0; i < 21; ++i) {
      before();
      const CallTime time = device().time_gated_call([&] {
        return static_cast<int>(cuda::enqueue_read(data.get(), size.count / 16,
                                                   static_cast<cuda::ScanResult*>(never.get()),
                                                   static_cast<cudaStream_t>(device().stream())));
      });
      EXPECT_EQ(time.code, 0);
      times.push_back(time.device.count());
    }
    std::nth_element(times.begin(), times.begin() + 10, times.end());
    return times[10];
  };
  (void)read_us([&] { device().evict_cache(); });  // loads and allocates
  const double emptied = read_us([&] { device().evict_cache(); });
  const double clean = read_us([&] {
    device().evict_cache();
    (void)device().checksum({{other.get(), device().facts().l2 * 4}});
  });
  std::printf("reading 32 MiB: %.2f us after the sweep, %.2f us after one more\n", emptied, clean);
  EXPECT_LT(emptied, 1.03 * clean);
}

TEST_F(CudaDevice, FillsAPoolAtATerabytePerSecond) {
  const Bytes size = mib(8192);
  if (device().free_memory() < size + mib(512)) GTEST_SKIP() << "less than 8.5 GiB are free";
  constexpr std::uint32_t kSlotElements = 4 * 128;
  constexpr std::uint32_t kBlockElements = 16 * kSlotElements;
  PoolFill fill;
  fill.num_blocks = size.count / (2ULL * kBlockElements);
  fill.slot_elements = kSlotElements;
  fill.block_elements = kBlockElements;
  fill.seed = 1;
  std::vector<std::uint32_t> ids(fill.num_blocks);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::uint32_t>(i);
  const DeviceMemory content = to_device(device(), ids);
  const DeviceMemory live_slots =
      to_device(device(), std::vector<std::uint16_t>(ids.size(), std::uint16_t{16}));
  const DeviceMemory pool = device().allocate(size);
  fill.content = static_cast<const std::uint32_t*>(content.get());
  fill.live_slots = static_cast<const std::uint16_t*>(live_slots.get());
  fill.pool = pool.get();
  double fastest_us = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 4; ++i) {
    const CallTime time = device().time_call([&] {
      device().fill_pool(fill);
      return 0;
    });
    fastest_us = std::min(fastest_us, time.device.count());
  }
  const double tb_per_s = static_cast<double>(size.count) / fastest_us * 1e-6;
  RecordProperty("fill_tb_per_s", fmt::format("{:.3f}", tb_per_s));
  std::printf("fill_pool: %.3f TB/s\n", tb_per_s);
  EXPECT_GE(tb_per_s, 1.0);
}

TEST_F(CudaDevice, EvictsWithTwiceTheL2) {
  const Bytes before = device().free_memory();
  device().evict_cache();
  device().synchronize();
  const Bytes taken{before.count - device().free_memory().count};
  EXPECT_GE(taken, device().facts().l2 * 2);
  device().evict_cache();
  device().synchronize();
  EXPECT_EQ(before.count - device().free_memory().count, taken.count);  // taken once
}

TEST_F(CudaDevice, MeasuresItsCeilings) {
  const Ceilings ceilings = device().measure_ceilings();
  ASSERT_TRUE(ceilings.read_gb_per_s.has_value());
  EXPECT_GT(*ceilings.read_gb_per_s, 100.0);
  std::printf("read: %.0f GB/s, matrix: %.0f TFLOP/s %s\n", *ceilings.read_gb_per_s,
              ceilings.matrix_tflop_per_s.value_or(0.0), ceilings.note.c_str());
  EXPECT_EQ(ceilings.matrix_tflop_per_s.has_value(), ceilings.note.empty());
}

}  // namespace
}  // namespace fa2bench::test
