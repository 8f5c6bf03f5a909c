// SPDX-License-Identifier: MIT
#include "device/workload_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "workload/visible_keys.hpp"

namespace fa2bench {
namespace {

constexpr Bytes kGuard = mib(1);
constexpr Bytes kTableGuard = kib(64);
/// Room for other places: several pages of a GPU, in steps of what its allocators align to.
constexpr Bytes kRoom = mib(8);
constexpr Bytes kPlace{512};

constexpr Bytes round_up(Bytes size, std::uint64_t multiple) {
  return {(size.count + multiple - 1) / multiple * multiple};
}

/// A table entry of -1 or num_blocks must land in a guard: at least one block, in whole megabytes.
Bytes pool_guard(const HeadShape& shape) {
  const Bytes block{2ULL * static_cast<std::uint64_t>(shape.block_size) *
                    static_cast<std::uint64_t>(shape.num_kv_heads) *
                    static_cast<std::uint64_t>(shape.head_dim)};
  return round_up(std::max(block, kGuard), mib(1).count);
}

Bytes ints(std::int64_t count) { return {4 * static_cast<std::uint64_t>(count)}; }

/// For small arrays: the device copy of a host vector.
template <typename T>
void upload_all(Device& device, void* to, const std::vector<T>& from) {
  device.upload(to, from.data(), {from.size() * sizeof(T)});
}

std::vector<std::int32_t> cumulative(const std::vector<std::int32_t>& lengths) {
  std::vector<std::int32_t> sums{0};
  sums.reserve(lengths.size() + 1);
  for (const std::int32_t length : lengths) sums.push_back(sums.back() + length);
  return sums;
}

/// TokenMarks::marks of the query tokens that see no key.
DeviceMemory mark_empty_rows(Device& device, const Workload& workload, const Plan& plan) {
  if (plan.empty_rows == 0) return nullptr;
  std::vector<std::uint8_t> marks;
  marks.reserve(static_cast<std::size_t>(plan.total_q_tokens));
  for (std::size_t s = 0; s < workload.q_lens.size(); ++s) {
    const std::int64_t empty = empty_rows(workload.q_lens[s], workload.kv_lens[s]);
    marks.insert(marks.end(), static_cast<std::size_t>(empty), 1);
    marks.insert(marks.end(), static_cast<std::size_t>(workload.q_lens[s] - empty), 0);
  }
  DeviceMemory memory = device.allocate({marks.size()});
  upload_all(device, memory.get(), marks);
  return memory;
}

Bytes marks_of_empty_rows(const Plan& plan) {
  return {plan.empty_rows > 0 ? static_cast<std::uint64_t>(plan.total_q_tokens) : 0};
}

}  // namespace

Bytes GuardedSize::footprint() const { return round_up(data, 4) + guard + guard + kRoom; }

GuardedMemory::GuardedMemory(Device& device, const MemorySource& source, GuardedSize size)
    : memory_(source(size.footprint())), size_(size) {
  fill_guards(device);
}

void GuardedMemory::fill_guards(Device& device) const {
  auto* begin = static_cast<std::byte*>(data());
  device.fill_words(begin - size_.guard.count, kGuardWord, size_.guard);
  device.fill_words(begin + round_up(size_.data, 4).count, kGuardWord, size_.guard);
}

void GuardedMemory::relocate(Device& device, std::uint64_t number) {
  place_ = {number % (kRoom.count / kPlace.count) * kPlace.count};
  fill_guards(device);
}

void* GuardedMemory::data() const {
  return static_cast<std::byte*>(memory_.get()) + place_.count + size_.guard.count;
}

GuardedMemory::Breach GuardedMemory::find_breach(Device& device) const {
  const Bytes guard = size_.guard;
  const auto* begin = static_cast<const std::byte*>(data());
  const std::uint64_t before = device.find_other_word(begin - guard.count, kGuardWord, guard);
  if (before != kNowhere) {
    return {true, static_cast<std::int64_t>(before) - static_cast<std::int64_t>(guard.count)};
  }
  const Bytes end = round_up(size_.data, 4);
  const std::uint64_t after = device.find_other_word(begin + end.count, kGuardWord, guard);
  if (after != kNowhere) return {true, static_cast<std::int64_t>(end.count + after)};
  return {};
}

WorkloadBuffers::Sizes WorkloadBuffers::guarded_sizes(const Plan& plan, const HeadShape& shape) {
  const GuardedSize pool{plan.memory.k_pool, pool_guard(shape)};
  const GuardedSize rows{plan.memory.q, kGuard};
  return {pool,
          pool,
          rows,
          rows,
          GuardedSize{plan.memory.lse, kGuard},
          GuardedSize{ints(plan.num_seqs + 1), kTableGuard},
          GuardedSize{ints(plan.num_seqs), kTableGuard},
          GuardedSize{ints(plan.num_seqs * plan.max_blocks_per_seq), kTableGuard}};
}

std::vector<Bytes> WorkloadBuffers::sizes(const Plan& plan, const HeadShape& shape) {
  std::vector<Bytes> sizes;
  for (const GuardedSize& size : guarded_sizes(plan, shape)) sizes.push_back(size.footprint());
  return sizes;
}

Bytes WorkloadBuffers::private_footprint(const Plan& plan) {
  return Bytes{6 * static_cast<std::uint64_t>(plan.num_blocks)} + marks_of_empty_rows(plan);
}

Bytes WorkloadBuffers::footprint(const Plan& plan, const HeadShape& shape) {
  Bytes sum = private_footprint(plan);
  for (const Bytes size : sizes(plan, shape)) sum += size;
  return sum;
}

WorkloadBuffers::WorkloadBuffers(Device& device, const Workload& workload, const Plan& plan,
                                 const BlockTable& table)
    : WorkloadBuffers(device, workload, plan, table,
                      [&device](Bytes size) { return device.allocate(size); }) {}

WorkloadBuffers::WorkloadBuffers(Device& device, const Workload& workload, const Plan& plan,
                                 const BlockTable& table, const MemorySource& source)
    : WorkloadBuffers(device, workload, plan, table, source, guarded_sizes(plan, workload.shape)) {}

WorkloadBuffers::WorkloadBuffers(Device& device, const Workload& workload, const Plan& plan,
                                 const BlockTable& table, const MemorySource& source,
                                 const Sizes& sizes)
    : device_(&device),
      k_(device, source, sizes[0]),
      v_(device, source, sizes[1]),
      q_(device, source, sizes[2]),
      out_(device, source, sizes[3]),
      lse_(device, source, sizes[4]),
      cu_seqlens_q_(device, source, sizes[5]),
      seq_lens_(device, source, sizes[6]),
      block_tables_(device, source, sizes[7]),
      content_(device.allocate({4 * table.content.size()})),
      live_slots_(device.allocate({2 * table.live_slots.size()})),
      empty_rows_(mark_empty_rows(device, workload, plan)) {
  refill(workload, table);
  poison_outputs();
  device.synchronize();
  point();
  call_.num_seqs = static_cast<int>(plan.num_seqs);
  call_.total_q_tokens = static_cast<int>(plan.total_q_tokens);
  call_.max_q_len = static_cast<int>(plan.max_q_len);
  call_.max_kv_len = static_cast<int>(plan.max_kv_len);
  call_.num_heads = workload.shape.num_heads;
  call_.num_kv_heads = workload.shape.num_kv_heads;
  call_.head_dim = workload.shape.head_dim;
  call_.block_size = workload.shape.block_size;
  call_.max_blocks_per_seq = static_cast<int>(plan.max_blocks_per_seq);
}

void WorkloadBuffers::point() {
  call_.q = q_.data();
  call_.k = k_.data();
  call_.v = v_.data();
  call_.out = out_.data();
  call_.lse = lse_.data();
  call_.cu_seqlens_q = cu_seqlens_q_.data();
  call_.seq_lens = seq_lens_.data();
  call_.block_tables = block_tables_.data();
}

std::uint64_t WorkloadBuffers::relocate(const Workload& workload, const BlockTable& table,
                                        std::uint64_t number,
                                        std::optional<std::uint64_t> expected) {
  std::uint64_t tensor = 0;
  for (GuardedMemory* memory :
       {&k_, &v_, &q_, &out_, &lse_, &cu_seqlens_q_, &seq_lens_, &block_tables_}) {
    memory->relocate(*device_, random_block(number, 0, tensor++).word[0]);
  }
  point();
  poison_outputs();
  std::uint64_t inputs = expected ? input_checksum() : 0;
  if (!expected || inputs != *expected) {
    refill(workload, table);
    inputs = input_checksum();
  }
  return inputs;
}

void WorkloadBuffers::fill_pools(const Workload& workload, const BlockTable& table) const {
  upload_all(*device_, content_.get(), table.content);
  upload_all(*device_, live_slots_.get(), table.live_slots);
  PoolFill fill;
  fill.num_blocks = static_cast<std::uint64_t>(table.num_blocks);
  fill.slot_elements =
      static_cast<std::uint32_t>(workload.shape.num_kv_heads * workload.shape.head_dim);
  fill.block_elements = static_cast<std::uint32_t>(workload.shape.block_size) * fill.slot_elements;
  fill.content = static_cast<const std::uint32_t*>(content_.get());
  fill.live_slots = static_cast<const std::uint16_t*>(live_slots_.get());
  fill.seed = workload.seed;
  fill.pool = k_.data();
  fill.tensor = Tensor::k;
  device_->fill_pool(fill);
  fill.pool = v_.data();
  fill.tensor = Tensor::v;
  device_->fill_pool(fill);
  device_->synchronize();
}

void WorkloadBuffers::poison_outputs() const {
  constexpr std::uint32_t kPair = kCanaryHalf | (static_cast<std::uint32_t>(kCanaryHalf) << 16U);
  device_->fill_words(out_.data(), kPair, out_.size());
  device_->fill_words(lse_.data(), kCanaryFloat, lse_.size());
}

void WorkloadBuffers::refill(const Workload& workload, const BlockTable& table) const {
  refill_queries(workload.seed);
  fill_pools(workload, table);
  upload_all(*device_, cu_seqlens_q_.data(), cumulative(workload.q_lens));
  upload_all(*device_, seq_lens_.data(), workload.kv_lens);
  upload_all(*device_, block_tables_.data(), table.entries);
}

void WorkloadBuffers::refill_queries(std::uint64_t seed) const {
  device_->fill_normal(q_.data(), q_.size().count / 2, seed, Tensor::q);
}

OutputScan WorkloadBuffers::scan_out() const {
  const auto row =
      static_cast<std::uint64_t>(call_.num_heads) * static_cast<std::uint64_t>(call_.head_dim);
  const auto tokens = static_cast<std::uint64_t>(call_.total_q_tokens);
  return device_->scan_output(out_.data(), tokens * row, ElementType::f16, kCanaryHalf,
                              {static_cast<const std::uint8_t*>(empty_rows_.get()), tokens, row});
}

OutputScan WorkloadBuffers::scan_lse() const {
  const auto tokens = static_cast<std::uint64_t>(call_.total_q_tokens);
  return device_->scan_output(lse_.data(), static_cast<std::uint64_t>(call_.num_heads) * tokens,
                              ElementType::f32, kCanaryFloat,
                              {static_cast<const std::uint8_t*>(empty_rows_.get()), tokens, 1});
}

std::uint64_t WorkloadBuffers::checksum(std::initializer_list<const GuardedMemory*> of) const {
  std::vector<Region> regions;
  for (const GuardedMemory* memory : of) regions.push_back({memory->data(), memory->size()});
  return device_->checksum(regions);
}

std::uint64_t WorkloadBuffers::out_checksum() const { return checksum({&out_}); }
std::uint64_t WorkloadBuffers::lse_checksum() const { return checksum({&lse_}); }
std::uint64_t WorkloadBuffers::outputs_checksum() const { return checksum({&out_, &lse_}); }
std::array<Region, 2> WorkloadBuffers::outputs() const {
  return {Region{out_.data(), out_.size()}, Region{lse_.data(), lse_.size()}};
}
std::uint64_t WorkloadBuffers::input_checksum() const {
  return checksum({&q_, &k_, &v_, &cu_seqlens_q_, &seq_lens_, &block_tables_});
}

std::vector<WorkloadBuffers::Named> WorkloadBuffers::all() const {
  return {{"out", &out_},
          {"lse", &lse_},
          {"q", &q_},
          {"k", &k_},
          {"v", &v_},
          {"cu_seqlens_q", &cu_seqlens_q_},
          {"seq_lens", &seq_lens_},
          {"block_tables", &block_tables_}};
}

std::string WorkloadBuffers::guard_breach() const {
  for (const Named& named : all()) {
    const GuardedMemory::Breach breach = named.memory->find_breach(*device_);
    if (!breach.hit) continue;
    if (breach.offset < 0) {
      return fmt::format("out-of-bounds write {} bytes before {}", -breach.offset, named.name);
    }
    return fmt::format("out-of-bounds write at byte {} of {}, which has {}", breach.offset,
                       named.name, named.memory->size().count);
  }
  return "";
}

}  // namespace fa2bench
