// SPDX-License-Identifier: MIT
// Where calls run: memory, fills and checks of it, and the time of one call. Two implementations:
// host/ and cuda/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "device/ceilings.hpp"
#include "device/kernel_trace.hpp"
#include "device/telemetry.hpp"
#include "device/value_kind.hpp"
#include "workload/data.hpp"

namespace fa2bench {

enum class DeviceKind { host, cuda };

/// What a result says of the device; "", 0 and nothing where unknown.
struct DeviceFacts {
  DeviceKind kind = DeviceKind::host;
  int index = 0;                   ///< CUDA ordinal
  std::string name;                ///< "NVIDIA H200", or the CPU's model
  std::string uuid;                ///< CUDA: "GPU-…"
  std::string compute_capability;  ///< CUDA: "9.0"
  std::string driver;              ///< CUDA: "580.159.04"
  std::string cuda_driver;         ///< CUDA: highest version the driver speaks, "13.0"
  int processors = 0;              ///< multiprocessors, or logical CPUs
  Bytes l2;                        ///< L2, or the last-level cache of the CPU
  Bytes memory;                    ///< in all

  // Of a GPU, by NVML.
  std::optional<bool> ecc;
  std::optional<bool> mig;
  std::optional<bool> persistence;  ///< the driver stays loaded while nobody uses the GPU
  std::optional<double> power_limit_w;
  std::optional<double> max_sm_mhz;
};

/// The device refused or lost work. Ends the workload; with `lost`, the device's state too: nothing
/// more can run on it in this process.
class DeviceError : public std::runtime_error {
 public:
  DeviceError(const std::string& text, bool lost) : std::runtime_error(text), lost_(lost) {}
  [[nodiscard]] bool lost() const noexcept { return lost_; }

 private:
  bool lost_;
};

/// An allocation did not fit.
class OutOfMemory : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What evict_cache() takes of the device's memory at most.
inline Bytes sweep_memory(Bytes l2) { return l2 * 4; }

/// Device memory, freed on destruction; must not outlive its Device.
using DeviceMemory = std::unique_ptr<void, std::function<void(void*)>>;

/// Memory that other processes on this machine can open.
struct SharedMemory {
  DeviceMemory memory;  ///< the owner; while it lives, others can open it
  std::string handle;   ///< printable; for open_shared in another process, on the same device
};

/// A cache's worth of lines of 128 bytes in `chains` chains, one after the other in memory. The
/// first word of a line is the index of the line that follows it in its chain, a circle through all
/// `lines_per_chain` lines of it that starts at the lowest.
struct LineWalk {
  const std::uint32_t* lines = nullptr;
  std::uint32_t chains = 0;
  std::uint32_t lines_per_chain = 0;
};
inline constexpr std::uint32_t kLineWords = 32;

/// Fill of one KV pool, [num_blocks, block_elements] f16: the first live_slots[b] * slot_elements
/// elements of block b are data of logical block content[b]; all else is kPoisonHalf.
struct PoolFill {
  void* pool = nullptr;
  std::uint64_t num_blocks = 0;
  std::uint32_t slot_elements = 0;            ///< num_kv_heads * head_dim, a multiple of 8
  std::uint32_t block_elements = 0;           ///< block_size * slot_elements
  const std::uint32_t* content = nullptr;     ///< device memory, [num_blocks]
  const std::uint16_t* live_slots = nullptr;  ///< device memory, [num_blocks]
  std::uint64_t seed = 0;
  Tensor tensor = Tensor::k;
};

inline constexpr std::uint64_t kNowhere = ~0ULL;

/// Elements by ValueKind.
using ValueCounts = std::array<std::uint64_t, kValueKinds>;

/// What a scan for a canary and for non-finite values found; indices count elements.
struct OutputScan {
  std::uint64_t canaries = 0;
  std::uint64_t first_canary = kNowhere;
  std::uint64_t non_finite = 0;  ///< NaN or infinity, canaries left out
  std::uint64_t first_non_finite = kNowhere;
  ValueCounts apart{};  ///< of the marked tokens, which count nowhere else
};

enum class ElementType { f16, f32 };

/// Device memory to be read; a multiple of 4 bytes.
struct Region {
  const void* data = nullptr;
  Bytes size;
};

/// One timed call. `device` is the time between two events (CUDA) or the wall time of the call
/// (host); `host` is the time until the call returned.
struct CallTime {
  Microseconds device{};
  Microseconds host{};
  int code = 0;          ///< the call's own result; the times mean nothing unless 0
  bool blocked = false;  ///< of a gated call: it waited for the device, so the times mean nothing
};

/// What a call did while its stream was held.
struct HeldCall {
  int code = 0;
  bool blocked = false;  ///< it waited for the device
  bool wrote = false;    ///< the watched memory changed: work ran elsewhere than on the stream
};

/// A call between two readings of an SM's cycle counter.
struct ClockedCall {
  CallTime call;  ///< its times hold the readings; there is no clock unless all is well
  std::optional<double> sm_mhz;  ///< cycles of an SM per microsecond
};

/// Calls captured into a graph, ready to be launched. Must not outlive its Device.
struct CallGraph {
  std::string obstacle;                    ///< why there is none; "" if there is
  int kernels = 0;                         ///< kernel nodes, child graphs included
  int allocations = 0;                     ///< memory allocation nodes, likewise
  int code = 0;                            ///< the calls' own result; an obstacle unless 0
  std::function<void()> launch = nullptr;  ///< enqueues; may throw DeviceError
};

/// Work is ordered on one stream; only synchronize(), download(), the scans and time_call() wait.
/// Sizes and pointers of fills and scans are multiples of 4 bytes. Every member but the destructor
/// may throw DeviceError. Not thread-safe.
class Device {
 public:
  Device() = default;
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  [[nodiscard]] virtual const DeviceFacts& facts() const = 0;
  /// What can be allocated now.
  [[nodiscard]] virtual Bytes free_memory() const = 0;
  /// Cheap enough to be read between series of calls, never within one. Never throws: what cannot
  /// be read is unknown.
  [[nodiscard]] virtual Telemetry telemetry() const { return {}; }
  /// As it was before this process had any work on the device.
  [[nodiscard]] virtual Telemetry telemetry_before() const { return {}; }
  /// The stream that shims are given; null on the host.
  [[nodiscard]] virtual void* stream() const = 0;
  /// Waits; from now on stream() is another one of a few, in turn.
  virtual void change_stream() {}
  /// Its number among them.
  [[nodiscard]] virtual int stream_number() const { return 0; }

  /// 256-byte aligned. Throws OutOfMemory.
  virtual DeviceMemory allocate(Bytes size) = 0;
  /// Like allocate. Throws DeviceError, not lost, with the reason where nothing can be shared.
  virtual SharedMemory allocate_shared(Bytes /*size*/) {
    throw DeviceError("this device shares no memory", false);
  }
  /// What another process has shared; the data are gone with its owner. Throws DeviceError, not
  /// lost, with the reason. CUDA opens no handle in the process that made it.
  virtual DeviceMemory open_shared(const std::string& /*handle*/) {
    throw DeviceError("this device shares no memory", false);
  }
  virtual void upload(void* to, const void* from, Bytes size) = 0;
  virtual void download(void* to, const void* from, Bytes size) = 0;

  virtual void fill_words(void* to, std::uint32_t word, Bytes size) = 0;
  /// Elements 0 ... count - 1 of the tensor, by the recipe of workload/data.hpp.
  virtual void fill_normal(void* to, std::uint64_t count, std::uint64_t seed, Tensor tensor) = 0;
  virtual void fill_pool(const PoolFill& fill) = 0;

  /// Byte offset of the first word that is not `word`, or kNowhere.
  virtual std::uint64_t find_other_word(const void* from, std::uint32_t word, Bytes size) = 0;
  virtual OutputScan scan_output(const void* from, std::uint64_t count, ElementType type,
                                 std::uint32_t canary, const TokenMarks& apart) = 0;
  /// Of one region after the other. Depends on every bit and its place; the same on every device
  /// (device/checksum.hpp).
  virtual std::uint64_t checksum(const std::vector<Region>& regions) = 0;

  /// Enqueues work after which nothing of earlier data is left in the last-level cache.
  virtual void evict_cache() = 0;
  virtual void synchronize() = 0;

  /// Enqueues a kernel that does nothing; on the host, nothing.
  virtual void enqueue_nothing() {}
  /// Enqueues work that takes `time` by a clock of the device's own, not by the events that are to
  /// be held against it. The first call finds the rate of that clock and waits.
  virtual void enqueue_spin(Microseconds /*time*/) {}
  /// Enqueues a walk along all chains at once: each line is read once, the next one only when the
  /// last is there, so that its time tells where the lines lay.
  virtual void enqueue_walk(const LineWalk& /*walk*/) {}

  /// Calls with another stream than stream(), and waits for it.
  virtual int call_on_other_stream(const std::function<int(void* stream)>& call) {
    return call(stream());
  }
  /// Times one call; waits for it.
  virtual CallTime time_call(const std::function<int()>& call) = 0;

  /// Whether a call can be gated: its stream held until the call and both events are queued, so
  /// that no delay of the host gets into the device's time. The first call of a shape must come
  /// before: code that is loaded lazily waits for the device.
  [[nodiscard]] virtual bool has_gate() const { return false; }
  /// Like time_call, gated. A call that waits for the device is let go after a quarter of a second.
  virtual CallTime time_gated_call(const std::function<int()>& call) { return time_call(call); }
  /// Whether clock_call() tells a clock.
  [[nodiscard]] virtual bool has_sm_clock() const { return false; }
  /// Calls between readings of an SM's cycle counter and of the device's timer: how fast the SMs
  /// ran meanwhile, the few microseconds around the call included. With `gated`, like
  /// time_gated_call. Waits.
  virtual ClockedCall clock_call(const std::function<int()>& call, bool /*gated*/) {
    return {time_call(call), std::nullopt};
  }
  /// Calls with the stream held, and looks for words of `watched` that are no longer `word` before
  /// it is let go. Nothing to see without a gate. Waits.
  virtual HeldCall call_while_held(const std::function<int()>& call, const void* /*watched*/,
                                   std::uint32_t /*word*/, Bytes /*size*/) {
    return {call(), false, false};
  }

  /// Whether calls can be captured into graphs.
  [[nodiscard]] virtual bool has_graphs() const { return false; }
  /// Captures what the call enqueues into a graph. A call that cannot be captured may leave errors
  /// behind in its library.
  virtual CallGraph capture(const std::function<int()>& /*call*/) {
    return {"this device has no graphs"};
  }

  /// Calls once and says what the device did for it, on any stream; with `gated` the stream is held
  /// until all is queued, so that no gap is the host's. Waits, before the call too. Nothing of the
  /// trace lasts, but the process may stay a little slower in its launches.
  virtual KernelTrace trace_kernels(const std::function<int()>& /*call*/, bool /*gated*/) {
    KernelTrace none;
    none.obstacle = "this device has no kernel trace";
    return none;
  }

  /// What a profiler that waits for cudaProfilerStart records lies between these two. Both wait for
  /// the device; nothing where there is no such profiler.
  virtual void start_profiler() {}
  virtual void stop_profiler() {}

  /// From one launch to the next in a chain of empty kernels that fill the device and were queued
  /// before it began: a matter of the process, not of the device alone. A few milliseconds; nothing
  /// where it cannot be known. Waits.
  virtual std::optional<Microseconds> measure_launch() { return std::nullopt; }

  /// Measures what this device reaches; well under a second. What cannot be measured is left out
  /// with a note, never an error.
  virtual Ceilings measure_ceilings() = 0;
};

}  // namespace fa2bench
