// SPDX-License-Identifier: MIT
// Writes where it should not, not at all, or too late; keeps what it should give back.
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>

#include "abi/ferrum_fa2_shim.h"
#include "cpu/policy.hpp"
#include "cpu/stories.hpp"

namespace fa2bench::faulty {
namespace {

constexpr std::size_t kStrayBytes = 64;
constexpr std::uint16_t kOneAsHalf = 0x3C00;

int noop(const Call& /*call*/) { return FERRUM_FA2_OK; }

/// The results are right; a row too many is written behind both.
int write_past_the_end(const Call& call) {
  const int code = compute(call);
  std::fill_n(call.out + out_elements(call), kStrayBytes / sizeof *call.out, kOneAsHalf);
  std::fill_n(call.lse + lse_elements(call), kStrayBytes / sizeof *call.lse, 1.0F);
  return code;
}

int write_before_the_start(const Call& call) {
  const int code = compute(call);
  constexpr std::size_t kHalves = kStrayBytes / sizeof *call.out;
  std::fill_n(call.out - kHalves, kHalves, kOneAsHalf);
  return code;
}

/// The first key of the first sequence that has one: its first element becomes 1.
int clobber_inputs(const Call& call) {
  const int code = compute(call);
  for (int seq = 0; seq < call.num_seqs; ++seq) {
    if (call.seq_lens[seq] == 0) continue;
    const std::int64_t block =
        call.block_tables[static_cast<std::int64_t>(seq) * call.max_blocks_per_seq];
    const std::int64_t elements = std::int64_t{call.block_size} * call.num_kv_heads * call.head_dim;
    const_cast<std::uint16_t*>(call.k)[block * elements] = kOneAsHalf;
    break;
  }
  return code;
}

/// One table entry, never to an id that is not in the table: a second block becomes the first one,
/// or, where no sequence has two blocks, an unused entry becomes a used one.
int clobber_tables(const Call& call) {
  const int code = compute(call);
  auto* tables = const_cast<std::int32_t*>(call.block_tables);
  for (const int least_keys : {call.block_size + 1, 1}) {
    for (int seq = 0; seq < call.num_seqs; ++seq) {
      std::int32_t* row = tables + static_cast<std::int64_t>(seq) * call.max_blocks_per_seq;
      if (call.seq_lens[seq] < least_keys || call.max_blocks_per_seq < 2) continue;
      row[1] = row[0];
      return code;
    }
  }
  return code;
}

/// A mebibyte a call, touched and lost; no more than half a gibibyte, to spare the machine.
int leak(const Call& call) {
  constexpr std::size_t kBytes = std::size_t{1} << 20U;
  if (call.number <= 512) {
    void* volatile lost = std::malloc(kBytes);
    if (lost != nullptr) std::memset(lost, 1, kBytes);
  }
  return compute(call);
}

/// A result that waits for its delivery.
struct Parcel {
  std::vector<std::uint16_t> out;
  std::vector<float> lse;
  std::vector<std::byte> before;  ///< what `to_out` held when the call returned
  void* to_out;
  void* to_lse;
};

/// Copies through the kernel, which fails where memory is gone instead of crashing.
bool copy_out_of(void* from, std::vector<std::byte>& to) {
  const ::iovec local = {to.data(), to.size()};
  const ::iovec remote = {from, to.size()};
  return ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0) ==
         static_cast<::ssize_t>(to.size());
}

void copy_into(void* to, void* from, std::size_t size) {
  const ::iovec local = {from, size};
  const ::iovec remote = {to, size};
  static_cast<void>(::process_vm_writev(::getpid(), &local, 1, &remote, 1, 0));
}

/// Nothing is delivered where the buffer was freed or filled with something else meanwhile: the
/// fault is to be late, not to spoil the next workload.
void deliver(Parcel& parcel) {
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  std::vector<std::byte> now(parcel.before.size());
  if (!copy_out_of(parcel.to_out, now) || now != parcel.before) return;
  copy_into(parcel.to_out, parcel.out.data(), parcel.out.size() * sizeof(std::uint16_t));
  copy_into(parcel.to_lse, parcel.lse.data(), parcel.lse.size() * sizeof(float));
}

/// Returns at once; another thread brings the result 50 ms later.
int answer_late(const Call& call) {
  Parcel parcel = {
      std::vector<std::uint16_t>(out_elements(call)), std::vector<float>(lse_elements(call)),
      std::vector<std::byte>(out_elements(call) * sizeof(std::uint16_t)), call.out, call.lse};
  std::memcpy(parcel.before.data(), call.out, parcel.before.size());
  Call aside = call;
  aside.out = parcel.out.data();
  aside.lse = parcel.lse.data();
  const int code = compute(aside);
  std::thread([late = std::move(parcel)]() mutable { deliver(late); }).detach();
  return code;
}

}  // namespace

std::vector<Fault> memory_faults() {
  return {
      {"noop", noop},
      {"combine_stride", write_past_the_end},
      {"write_before", write_before_the_start},
      {"clobber_inputs", clobber_inputs},
      {"clobber_tables", clobber_tables},
      {"malloc_in_call", leak},
      {"async_thread", answer_late},
  };
}

}  // namespace fa2bench::faulty
