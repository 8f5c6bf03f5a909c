// SPDX-License-Identifier: MIT
#include "device/cuda/cuda_device.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "device/cuda/check.hpp"
#include "device/cuda/cuda_ceilings.hpp"
#include "device/cuda/cuda_facts.hpp"
#include "device/cuda/event.hpp"
#include "device/cuda/gate.hpp"
#include "device/cuda/graph.hpp"
#include "device/cuda/kernels.hpp"
#include "device/cuda/launch.hpp"
#include "device/cuda/probes.hpp"
#include "device/cuda/sharing.hpp"
#include "device/cuda/streams.hpp"
#include "device/cuda/trace.hpp"
#include "device/nvml/monitor.hpp"

namespace fa2bench {
namespace {

using cuda::check;
using cuda::ScanResult;

class CudaDevice final : public Device {
 public:
  /// `before`: from the monitor, when this process had no context.
  CudaDevice(DeviceFacts facts, const nvml::Monitor& monitor, Telemetry before)
      : facts_(std::move(facts)),
        monitor_(monitor),
        before_(std::move(before)),
        scan_(allocate({sizeof(ScanResult)})) {}

  [[nodiscard]] const DeviceFacts& facts() const override { return facts_; }
  [[nodiscard]] Telemetry telemetry() const override { return monitor_.read(true); }
  [[nodiscard]] Telemetry telemetry_before() const override { return before_; }
  [[nodiscard]] void* stream() const override { return stream_.get(); }
  void change_stream() override {
    synchronize();
    stream_.go_on();
  }
  [[nodiscard]] int stream_number() const override { return stream_.number(); }

  [[nodiscard]] Bytes free_memory() const override {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return {free};
  }

  DeviceMemory allocate(Bytes size) override {
    make_current();
    void* memory = nullptr;
    const cudaError_t error = cudaMalloc(&memory, std::max<std::size_t>(size.count, 1));
    if (error == cudaErrorMemoryAllocation) {
      cudaGetLastError();  // not sticky; forget it
      throw OutOfMemory(fmt::format("device memory: {} refused", to_text(size)));
    }
    check(error, "cudaMalloc");
    return {memory, [](void* p) { cudaFree(p); }};
  }

  SharedMemory allocate_shared(Bytes size) override {
    DeviceMemory memory = allocate(cuda::shareable_size(size));
    std::string handle = cuda::share(memory.get());
    return {std::move(memory), std::move(handle)};
  }
  DeviceMemory open_shared(const std::string& handle) override {
    make_current();
    return cuda::open_shared(handle);
  }

  void upload(void* to, const void* from, Bytes size) override {
    check(cudaMemcpyAsync(to, from, size.count, cudaMemcpyHostToDevice, stream_.get()), "upload");
    synchronize();
  }
  void download(void* to, const void* from, Bytes size) override {
    check(cudaMemcpyAsync(to, from, size.count, cudaMemcpyDeviceToHost, stream_.get()), "download");
    synchronize();
  }

  void fill_words(void* to, std::uint32_t word, Bytes size) override {
    check(cuda::enqueue_fill_words(static_cast<std::uint32_t*>(to), word, size.count / 4,
                                   stream_.get()),
          "fill_words");
  }
  void fill_normal(void* to, std::uint64_t count, std::uint64_t seed, Tensor tensor) override {
    check(cuda::enqueue_fill_normal(static_cast<std::uint16_t*>(to), count, seed, tensor,
                                    stream_.get()),
          "fill_normal");
  }
  void fill_pool(const PoolFill& fill) override {
    check(cuda::enqueue_fill_pool(
              {static_cast<std::uint16_t*>(fill.pool), fill.num_blocks, fill.slot_elements,
               fill.block_elements, fill.content, fill.live_slots, fill.seed, fill.tensor},
              stream_.get()),
          "fill_pool");
  }

  std::uint64_t find_other_word(const void* from, std::uint32_t word, Bytes size) override {
    return find_other_word_on(stream_.get(), from, word, size);
  }

  OutputScan scan_output(const void* from, std::uint64_t count, ElementType type,
                         std::uint32_t canary, const TokenMarks& apart) override {
    const cudaError_t error =
        type == ElementType::f16
            ? cuda::enqueue_scan_f16(static_cast<const std::uint16_t*>(from), count,
                                     static_cast<std::uint16_t>(canary), apart, scan(),
                                     stream_.get())
            : cuda::enqueue_scan_f32(static_cast<const std::uint32_t*>(from), count, canary, apart,
                                     scan(), stream_.get());
    check(error, "scan_output");
    const ScanResult found = scan_result();
    OutputScan result{
        found.canaries, found.first_canary, found.non_finite, found.first_non_finite, {}};
    std::copy(std::begin(found.apart), std::end(found.apart), result.apart.begin());
    return result;
  }

  std::uint64_t checksum(const std::vector<Region>& regions) override {
    std::uint64_t before = 0;  // words of earlier regions
    for (const Region& region : regions) {
      const std::uint64_t words = region.size.count / 4;
      check(cuda::enqueue_checksum(static_cast<const std::uint32_t*>(region.data), words, before,
                                   scan(), stream_.get()),
            "checksum");
      before += words;
    }
    return before == 0 ? 0 : scan_result().sum;
  }

  // A write of twice the L2 displaces earlier lines; it does not displace persisting ones. It
  // leaves an L2 full of lines that are yet to be written back, which a call would have to wait
  // for: on an H200 1 to 10 µs. So as much other memory is read afterwards.
  void evict_cache() override {
    const Bytes size = facts_.l2 * 2;
    if (!sweep_) {
      sweep_ = allocate(size * 2);
      fill_words(sweep_.get(), 0, size * 2);
    }
    check(cudaCtxResetPersistingL2Cache(), "cudaCtxResetPersistingL2Cache");
    fill_words(sweep_.get(), ++sweeps_, size);
    const void* clean = static_cast<const std::byte*>(sweep_.get()) + size.count;
    check(cuda::enqueue_read(clean, size.count / 16, scan(), stream_.get()), "read sweep");
  }

  void synchronize() override {
    check(cudaStreamSynchronize(stream_.get()), "synchronize");
    check(cudaGetLastError(), "synchronize");
  }

  void enqueue_nothing() override { check(cuda::enqueue_nothing(stream_.get()), "null kernel"); }
  void enqueue_spin(Microseconds time) override {
    if (cycles_per_us_ <= 0.0) cycles_per_us_ = cuda::measure_clock(stream_.get());
    check(cuda::enqueue_spin(std::llround(time.count() * cycles_per_us_), stream_.get()), "spin");
  }
  void enqueue_walk(const LineWalk& walk) override {
    check(cuda::enqueue_walk(walk.lines, walk.chains, walk.lines_per_chain, stream_.get()), "walk");
  }

  int call_on_other_stream(const std::function<int(void*)>& call) override {
    const int code = call(side_stream_.get());
    check(cudaStreamSynchronize(side_stream_.get()), "synchronize");
    return code;
  }
  CallTime time_call(const std::function<int()>& call) override { return timed(call, false); }

  [[nodiscard]] bool has_gate() const override { return gate_.available(); }
  CallTime time_gated_call(const std::function<int()>& call) override {
    return timed(call, gate_.available());
  }

  [[nodiscard]] bool has_sm_clock() const override { return true; }
  ClockedCall clock_call(const std::function<int()>& call, bool gated) override {
    if (!clocks_) clocks_ = allocate({2 * sizeof(cuda::ClockReading)});
    auto* const reading = static_cast<cuda::ClockReading*>(clocks_.get());
    ClockedCall result;
    result.call = timed(
        [&] {
          check(cuda::enqueue_read_clock(reading, stream_.get()), "read clock");
          const int code = call();
          make_current();
          check(cuda::enqueue_read_clock(reading + 1, stream_.get()), "read clock");
          return code;
        },
        gated && gate_.available());
    if (result.call.code != 0 || result.call.blocked) return result;
    std::array<cuda::ClockReading, 2> readings{};
    download(readings.data(), reading, {sizeof readings});
    const double mhz = cuda::mhz_between(readings[0], readings[1]);
    if (mhz > 0.0) result.sm_mhz = mhz;
    return result;
  }

  HeldCall call_while_held(const std::function<int()>& call, const void* watched,
                           std::uint32_t word, Bytes size) override {
    HeldCall result;
    if (!gate_.available()) {
      result.code = call();
      synchronize();
      return result;
    }
    // Time for work that runs elsewhere to show. What the watchdog allows is many times this.
    constexpr std::chrono::milliseconds kWait{5};
    make_current();
    synchronize();
    check(gate_.hold(stream_.get()), "cuStreamWaitValue32");
    result.code = call();
    make_current();
    std::this_thread::sleep_for(kWait);
    const std::uint64_t other = find_other_word_on(side_stream_.get(), watched, word, size);
    result.blocked = !gate_.release();
    result.wrote = !result.blocked && result.code == 0 && other != kNowhere;
    synchronize();
    return result;
  }

  [[nodiscard]] bool has_graphs() const override { return true; }
  CallGraph capture(const std::function<int()>& call) override {
    make_current();
    synchronize();
    CallGraph result = cuda::capture(stream_.get(), call);
    make_current();
    return result;
  }

  KernelTrace trace_kernels(const std::function<int()>& call, bool gated) override {
    return cuda::trace_call(facts_.index, stream_.get(), gated ? &gate_ : nullptr, call);
  }

  std::optional<Microseconds> measure_launch() override {
    make_current();
    return cuda::measure_launch(stream_.get(), gate_, facts_.processors);
  }

  void start_profiler() override { cuda::start_profiler(stream_.get()); }
  void stop_profiler() override { cuda::stop_profiler(stream_.get()); }

  Ceilings measure_ceilings() override { return cuda::measure_ceilings(*this); }

 private:
  /// Before each call, so that it finds its device, and after it: a shim may have left another one
  /// current, where none of our work belongs.
  void make_current() const { check(cudaSetDevice(facts_.index), "cudaSetDevice"); }

  [[nodiscard]] ScanResult* scan() const { return static_cast<ScanResult*>(scan_.get()); }
  ScanResult scan_result() { return scan_result_on(stream_.get()); }
  ScanResult scan_result_on(cudaStream_t stream) {
    ScanResult result{};
    check(cudaMemcpyAsync(&result, scan(), sizeof result, cudaMemcpyDeviceToHost, stream),
          "download");
    check(cudaStreamSynchronize(stream), "download");
    return result;
  }

  std::uint64_t find_other_word_on(cudaStream_t stream, const void* from, std::uint32_t word,
                                   Bytes size) {
    check(cuda::enqueue_find_other_word(static_cast<const std::uint32_t*>(from), word,
                                        size.count / 4, scan(), stream),
          "find_other_word");
    const std::uint64_t index = scan_result_on(stream).first_canary;
    return index == kNowhere ? kNowhere : index * 4;
  }

  CallTime timed(const std::function<int()>& call, bool gated) {
    using Clock = std::chrono::steady_clock;
    CallTime time;
    make_current();
    if (gated) check(gate_.hold(stream_.get()), "cuStreamWaitValue32");
    check(cudaEventRecord(start_.get(), stream_.get()), "cudaEventRecord");
    const Clock::time_point begin = Clock::now();
    time.code = call();
    time.host = Clock::now() - begin;
    check(cudaEventRecord(stop_.get(), stream_.get()), "cudaEventRecord");
    if (gated) time.blocked = !gate_.release();
    make_current();
    synchronize();
    float milliseconds = 0.0F;
    check(cudaEventElapsedTime(&milliseconds, start_.get(), stop_.get()), "cudaEventElapsedTime");
    time.device = std::chrono::duration<double, std::milli>(static_cast<double>(milliseconds));
    return time;
  }

  DeviceFacts facts_;
  nvml::Monitor monitor_;
  Telemetry before_;
  cuda::StreamSet stream_;
  cuda::Stream side_stream_;  ///< looks at memory while stream_ is held; has a call of its own
  cuda::StreamGate gate_;
  cuda::Event start_;
  cuda::Event stop_;
  DeviceMemory scan_;
  DeviceMemory clocks_;  ///< two readings of an SM's clock
  DeviceMemory sweep_;
  std::uint32_t sweeps_ = 0;
  double cycles_per_us_ = 0.0;  ///< of the SMs; 0: not measured yet
};

}  // namespace

std::string cuda_device_obstacle() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaErrorInsufficientDriver) {
    int driver = 0;
    cudaDriverGetVersion(&driver);
    if (driver == 0) return "no NVIDIA driver is installed";
    return fmt::format("the NVIDIA driver speaks CUDA {}.{}, older than this build; update it",
                       driver / 1000, driver % 1000 / 10);
  }
  if (error != cudaSuccess) return cudaGetErrorString(error);
  return count == 0 ? "the driver shows no device" : "";
}

std::unique_ptr<Device> make_cuda_device(int index, bool used_before) {
  const std::string obstacle = cuda_device_obstacle();
  if (!obstacle.empty())
    throw Error(ErrorKind::environment,
                "no CUDA device: " + obstacle + "; --device cpu measures without one");
  int count = 0;
  cudaGetDeviceCount(&count);
  if (index >= count) {
    throw Error(ErrorKind::environment,
                fmt::format("no CUDA device {}: the driver shows {}, expected --device cuda:0 … {}",
                            index, count, count - 1));
  }
  try {
    DeviceFacts facts = cuda::cuda_facts(index);
    const nvml::Monitor monitor(nvml::open_library(), facts.uuid);
    monitor.describe(facts);
    Telemetry before;
    if (!used_before) before = nvml::read_before_work([&] { return monitor.read(false); });
    check(cudaSetDevice(index), "cudaSetDevice");  // makes our context
    return std::make_unique<CudaDevice>(std::move(facts), monitor, std::move(before));
  } catch (const std::runtime_error& error) {
    throw Error(ErrorKind::environment,
                fmt::format("CUDA device {} cannot be used: {}", index, error.what()));
  }
}

}  // namespace fa2bench
