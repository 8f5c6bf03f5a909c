// SPDX-License-Identifier: MIT
// One call of the contract as typed values, and what a fault is: the same for both faulty shims.
// C++17, because the CUDA twin includes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace fa2bench::faulty {

/// ferrum_fa2_paged_varlen_fwd's arguments; see ferrum_fa2_shim.h for shapes. Pointers borrow.
struct Call {
  const std::uint16_t* q;
  const std::uint16_t* k;
  const std::uint16_t* v;
  std::uint16_t* out;
  float* lse;
  const std::int32_t* cu_seqlens_q;
  const std::int32_t* seq_lens;
  const std::int32_t* block_tables;
  int num_seqs;
  int total_q_tokens;
  int max_q_len;
  int max_kv_len;
  int num_heads;
  int num_kv_heads;
  int head_dim;
  int block_size;
  int max_blocks_per_seq;
  void* stream;
  char* err_buf;  ///< may be null
  std::size_t err_buf_len;
  unsigned long number;  ///< of this call in this process, from 1
};

inline std::size_t lse_elements(const Call& call) {
  return static_cast<std::size_t>(call.total_q_tokens) * static_cast<std::size_t>(call.num_heads);
}

inline std::size_t out_elements(const Call& call) {
  return lse_elements(call) * static_cast<std::size_t>(call.head_dim);
}

/// Writes `text`, cut to the buffer and NUL-terminated, and returns `code`.
int refuse(const Call& call, int code, const char* text);

/// A named way to be wrong. `perform` does all that the shim does in one call.
struct Fault {
  const char* name;
  std::function<int(const Call&)> perform;
};

/// A fault that does `harm` and then computes rightly.
Fault before(const char* name, void (*harm)());
/// The same on call `number` of the process only.
Fault before_call(const char* name, unsigned long number, void (*harm)());

// The stories that both shims share, each in a file of its own.
std::vector<Fault> load_faults();         ///< on dlopen and in the description
std::vector<Fault> reply_faults();        ///< return codes and error texts
std::vector<Fault> exit_faults();         ///< the process ends
std::vector<Fault> hang_faults();         ///< the call does not come back, or late
std::vector<Fault> environment_faults();  ///< the process is left in another state

// What a shim adds for its kind of memory.
extern const char* const kMemory;    ///< "host" or "device"
extern const char* const kHeadDims;  ///< JSON lists
extern const char* const kBlockSizes;
std::vector<Fault> device_faults();
/// Does the call as it should be done and returns a code.
int compute(const Call& call);

}  // namespace fa2bench::faulty
