// SPDX-License-Identifier: MIT
#include "device/host/host_device.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>

#include "base/parallel.hpp"
#include "device/checksum.hpp"
#include "device/host/host_ceilings.hpp"
#include "device/host/host_facts.hpp"
#include "device/host/host_telemetry.hpp"
#include "device/host/shared_memory.hpp"

namespace fa2bench {
namespace {

constexpr std::size_t kGrain = 1U << 18U;  // words or quads a piece

void fill_pool_block(const PoolFill& fill, std::size_t block) {
  auto* to = static_cast<std::uint16_t*>(fill.pool) + block * fill.block_elements;
  const std::uint32_t live = fill.live_slots[block] * fill.slot_elements;
  const std::uint64_t first_quad =
      static_cast<std::uint64_t>(fill.content[block]) * fill.block_elements / 4;
  for (std::uint32_t at = 0; at < live; at += 4) {
    const HalfQuad quad = half_quad(fill.seed, fill.tensor, first_quad + at / 4);
    std::memcpy(to + at, quad.value, sizeof quad.value);
  }
  std::fill(to + live, to + fill.block_elements, kPoisonHalf);
}

/// Counts in [first, last) of one output; indices are absolute.
template <typename Bits>
void scan_run(const Bits* values, std::size_t first, std::size_t last, Bits canary,
              OutputScan& scan) {
  for (std::size_t i = first; i < last; ++i) {
    if (values[i] == canary) {
      if (scan.canaries++ == 0) scan.first_canary = i;
    } else if (is_non_finite(values[i])) {
      if (scan.non_finite++ == 0) scan.first_non_finite = i;
    }
  }
}

/// The same, with the tokens counted apart that have a mark: one run of elements after another.
template <typename Bits>
OutputScan scan_range(const Bits* values, std::size_t first, std::size_t last, Bits canary,
                      const TokenMarks& apart) {
  OutputScan scan;
  if (apart.marks == nullptr) {
    scan_run(values, first, last, canary, scan);
    return scan;
  }
  for (std::size_t begin = first; begin < last;) {
    const std::size_t run = begin / apart.token_elements;
    const std::size_t end = std::min(last, (run + 1) * apart.token_elements);
    if (apart.marks[run % apart.tokens] == 0) {
      scan_run(values, begin, end, canary, scan);
    } else {
      for (std::size_t i = begin; i < end; ++i) {
        ++scan.apart[static_cast<std::size_t>(value_kind(values[i], canary))];
      }
    }
    begin = end;
  }
  return scan;
}

class HostDevice final : public Device {
 public:
  HostDevice() : facts_(host_facts()), before_(host_telemetry()) {}

  [[nodiscard]] const DeviceFacts& facts() const override { return facts_; }
  [[nodiscard]] Telemetry telemetry() const override { return host_telemetry(); }
  [[nodiscard]] Telemetry telemetry_before() const override { return before_; }
  [[nodiscard]] Bytes free_memory() const override { return available_host_memory(); }
  [[nodiscard]] void* stream() const override { return nullptr; }

  DeviceMemory allocate(Bytes size) override {
    const std::size_t length = std::max<std::size_t>(size.count, 1);
    void* memory =
        ::mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      throw OutOfMemory(fmt::format("host memory: {} refused", to_text(size)));
    }
    ::madvise(memory, length, MADV_HUGEPAGE);
    return {memory, [length](void* p) { ::munmap(p, length); }};
  }

  SharedMemory allocate_shared(Bytes size) override { return share_host_memory(size); }
  DeviceMemory open_shared(const std::string& handle) override { return open_host_memory(handle); }

  void upload(void* to, const void* from, Bytes size) override {
    if (size.count > 0) std::memcpy(to, from, size.count);
  }
  void download(void* to, const void* from, Bytes size) override { upload(to, from, size); }

  void fill_words(void* to, std::uint32_t word, Bytes size) override {
    auto* words = static_cast<std::uint32_t*>(to);
    parallel_ranges(size.count / 4, kGrain, [&](std::size_t first, std::size_t last) {
      std::fill(words + first, words + last, word);
    });
  }

  void fill_normal(void* to, std::uint64_t count, std::uint64_t seed, Tensor tensor) override {
    auto* halves = static_cast<std::uint16_t*>(to);
    parallel_ranges((count + 3) / 4, kGrain, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const HalfQuad quad = half_quad(seed, tensor, i);
        const std::size_t used = std::min<std::size_t>(4, count - 4 * i);
        std::memcpy(halves + 4 * i, quad.value, 2 * used);
      }
    });
  }

  void fill_pool(const PoolFill& fill) override {
    const std::size_t blocks_a_piece =
        std::max<std::size_t>(1, kGrain / std::max<std::uint32_t>(1, fill.block_elements));
    parallel_ranges(fill.num_blocks, blocks_a_piece, [&](std::size_t first, std::size_t last) {
      for (std::size_t block = first; block < last; ++block) fill_pool_block(fill, block);
    });
  }

  std::uint64_t find_other_word(const void* from, std::uint32_t word, Bytes size) override {
    const auto* words = static_cast<const std::uint32_t*>(from);
    const auto* end = words + size.count / 4;
    const auto* other = std::find_if(words, end, [word](std::uint32_t w) { return w != word; });
    return other == end ? kNowhere : static_cast<std::uint64_t>(other - words) * 4;
  }

  OutputScan scan_output(const void* from, std::uint64_t count, ElementType type,
                         std::uint32_t canary, const TokenMarks& apart) override {
    OutputScan total;
    std::mutex mutex;
    parallel_ranges(count, kGrain, [&](std::size_t first, std::size_t last) {
      const OutputScan part =
          type == ElementType::f16
              ? scan_range(static_cast<const std::uint16_t*>(from), first, last,
                           static_cast<std::uint16_t>(canary), apart)
              : scan_range(static_cast<const std::uint32_t*>(from), first, last, canary, apart);
      const std::lock_guard lock(mutex);
      total.canaries += part.canaries;
      total.non_finite += part.non_finite;
      total.first_canary = std::min(total.first_canary, part.first_canary);
      total.first_non_finite = std::min(total.first_non_finite, part.first_non_finite);
      for (std::size_t i = 0; i < part.apart.size(); ++i) total.apart[i] += part.apart[i];
    });
    return total;
  }

  std::uint64_t checksum(const std::vector<Region>& regions) override {
    std::atomic<std::uint64_t> total{0};
    std::size_t before = 0;  // words of earlier regions
    for (const Region& region : regions) {
      const auto* words = static_cast<const std::uint32_t*>(region.data);
      parallel_ranges(region.size.count / 4, kGrain, [&](std::size_t first, std::size_t last) {
        std::uint64_t sum = 0;
        for (std::size_t i = first; i < last; ++i) sum += checksum_term(words[i], before + i);
        total += sum;
      });
      before += region.size.count / 4;
    }
    return total;
  }

  // Writes a buffer of twice the cache: earlier lines are displaced, dirty ones written back.
  void evict_cache() override {
    const Bytes size = facts_.l2 * 2;
    if (!sweep_) sweep_ = allocate(size);
    fill_words(sweep_.get(), ++sweeps_, size);
  }

  void synchronize() override {}

  void enqueue_spin(Microseconds time) override {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
    }
  }
  void enqueue_walk(const LineWalk& walk) override {
    std::uint32_t at = 0;
    for (std::uint32_t chain = 0; chain < walk.chains; ++chain) {
      at = chain * walk.lines_per_chain;
      for (std::uint32_t i = 0; i < walk.lines_per_chain; ++i) {
        at = walk.lines[std::size_t{at} * kLineWords];
      }
    }
    walked_to_ = at;
  }

  CallTime time_call(const std::function<int()>& call) override {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    const int code = call();
    const Microseconds time = Clock::now() - start;
    return {time, time, code};
  }

  Ceilings measure_ceilings() override { return measure_host_ceilings(facts_.l2); }

 private:
  DeviceFacts facts_;
  Telemetry before_;
  DeviceMemory sweep_;
  std::uint32_t sweeps_ = 0;
  std::atomic<std::uint32_t> walked_to_{0};  ///< so that no walk is optimized away
};

}  // namespace

std::unique_ptr<Device> make_host_device() { return std::make_unique<HostDevice>(); }

}  // namespace fa2bench
