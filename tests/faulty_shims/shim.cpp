// SPDX-License-Identifier: MIT
// The C boundary of both faulty shims: FA2BENCH_FAULT names the fault, read at the first call or
// description. Unset or empty is "none", a correct shim. faults.json says what each fault does.
#include <atomic>
#include <cstdlib>
#include <string>
#include <string_view>

#include "abi/ferrum_fa2_shim.h"
#include "fault.hpp"

namespace fa2bench::faulty {
namespace {

std::vector<Fault> all_faults() {
  std::vector<Fault> all = {{"none", compute}};
  for (const auto story :
       {device_faults, load_faults, reply_faults, exit_faults, hang_faults, environment_faults}) {
    for (Fault& fault : story()) all.push_back(std::move(fault));
  }
  return all;
}

std::string_view name_from_environment() {
  const char* name = std::getenv("FA2BENCH_FAULT");
  return name == nullptr || *name == '\0' ? "none" : name;
}

/// A fault that says what is wrong with the name, and all the names that there are.
Fault unknown(std::string_view name, const std::vector<Fault>& all) {
  std::string text = "FA2BENCH_FAULT = " + std::string(name) + " is none of:";
  for (const Fault& fault : all) text += std::string(" ") + fault.name;
  return {"unknown",
          [text](const Call& call) { return refuse(call, FERRUM_FA2_BAD_SIZE, text.c_str()); }};
}

/// Never destroyed: some faults leave threads behind that outlive static objects.
const Fault& chosen_fault() {
  static const auto* const chosen = [] {
    const std::string_view name = name_from_environment();
    const std::vector<Fault> all = all_faults();
    for (const Fault& fault : all) {
      if (fault.name == name) return new Fault(fault);
    }
    return new Fault(unknown(name, all));
  }();
  return *chosen;
}

/// FERRUM_FA2_OK, or what a shim with manners answers to arguments that nobody should pass.
int check(const Call& c) {
  if (c.num_seqs < 0 || c.total_q_tokens < 0 || c.max_q_len < 0 || c.max_kv_len < 0 ||
      c.max_blocks_per_seq < 0 || c.head_dim < 1 || c.block_size < 1 || c.num_kv_heads < 1 ||
      c.num_heads < 1 || c.num_heads % c.num_kv_heads != 0) {
    return refuse(c, FERRUM_FA2_BAD_SIZE, "a size is negative or does not fit the others");
  }
  const bool empty = c.num_seqs == 0 || c.total_q_tokens == 0;
  for (const void* pointer :
       {static_cast<const void*>(c.q), static_cast<const void*>(c.k), static_cast<const void*>(c.v),
        static_cast<const void*>(c.out), static_cast<const void*>(c.lse),
        static_cast<const void*>(c.cu_seqlens_q), static_cast<const void*>(c.seq_lens),
        static_cast<const void*>(c.block_tables)}) {
    if (pointer == nullptr && !empty) {
      return refuse(c, FERRUM_FA2_NULL_POINTER, "a pointer is null");
    }
  }
  return FERRUM_FA2_OK;
}

const char* describe(std::string_view fault) {
  if (fault == "describe_null") return nullptr;
  if (fault == "describe_garbage") return "{\"name\": \"\xFF\xFE\x1B[31m, not JSON";
  static const auto* const text = new std::string(
      std::string("{\"name\": \"faulty shim: ") + chosen_fault().name +
      "\", \"version\": \"1\", \"memory\": \"" + kMemory + "\", \"head_dims\": " + kHeadDims +
      ", \"block_sizes\": " + kBlockSizes + "}");
  return text->c_str();
}

}  // namespace

int refuse(const Call& call, int code, const char* text) {
  if (call.err_buf != nullptr && call.err_buf_len > 0) {
    const std::size_t length = std::string_view(text).copy(call.err_buf, call.err_buf_len - 1);
    call.err_buf[length] = '\0';
  }
  return code;
}

Fault before(const char* name, void (*harm)()) {
  return {name, [harm](const Call& call) {
            harm();
            return compute(call);
          }};
}

Fault before_call(const char* name, unsigned long number, void (*harm)()) {
  return {name, [number, harm](const Call& call) {
            if (call.number == number) harm();
            return compute(call);
          }};
}

}  // namespace fa2bench::faulty

extern "C" int ferrum_fa2_paged_varlen_fwd(const void* q, const void* k, const void* v, void* out,
                                           void* lse, const void* cu_seqlens_q,
                                           const void* seq_lens, const void* block_tables,
                                           int num_seqs, int total_q_tokens, int max_q_len,
                                           int max_kv_len, int num_heads, int num_kv_heads,
                                           int head_dim, int block_size, int max_blocks_per_seq,
                                           void* stream, char* err_buf, size_t err_buf_len) {
  using namespace fa2bench::faulty;
  static std::atomic<unsigned long> calls{0};
  const Call call = {static_cast<const std::uint16_t*>(q),
                     static_cast<const std::uint16_t*>(k),
                     static_cast<const std::uint16_t*>(v),
                     static_cast<std::uint16_t*>(out),
                     static_cast<float*>(lse),
                     static_cast<const std::int32_t*>(cu_seqlens_q),
                     static_cast<const std::int32_t*>(seq_lens),
                     static_cast<const std::int32_t*>(block_tables),
                     num_seqs,
                     total_q_tokens,
                     max_q_len,
                     max_kv_len,
                     num_heads,
                     num_kv_heads,
                     head_dim,
                     block_size,
                     max_blocks_per_seq,
                     stream,
                     err_buf,
                     err_buf_len,
                     ++calls};
  const Fault& fault = chosen_fault();
  if (fault.name == std::string_view("unknown")) return fault.perform(call);
  if (const int code = check(call); code != FERRUM_FA2_OK) return code;
  if (num_seqs == 0 || total_q_tokens == 0) return FERRUM_FA2_OK;
  return fault.perform(call);
}

extern "C" const char* ferrum_fa2_shim_describe(void) {
  return fa2bench::faulty::describe(fa2bench::faulty::chosen_fault().name);
}
