// SPDX-License-Identifier: MIT
#include "app/fake_shim.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "base/half.hpp"
#include "workload/identity.hpp"

namespace fa2bench::test {
namespace {

struct ScriptState {
  std::function<FakeOrder(int call)> order;
  int calls = 0;
  std::vector<std::byte> out;  ///< that the last call computed
  std::vector<std::byte> lse;
};
ScriptState& state() {
  static ScriptState state;
  return state;
}

/// The contract in its plainest form, in double.
class PlainAttention {
 public:
  explicit PlainAttention(const PagedVarlenCall& call) : c_(call) {}

  void run() const {
    const auto* starts = static_cast<const std::int32_t*>(c_.cu_seqlens_q);
    const auto* kv_lens = static_cast<const std::int32_t*>(c_.seq_lens);
    for (int seq = 0; seq < c_.num_seqs; ++seq) {
      const int q_len = starts[seq + 1] - starts[seq];
      for (int i = 0; i < q_len; ++i) {
        const int keys = kv_lens[seq] - q_len + i + 1;
        for (int head = 0; head < c_.num_heads; ++head) row(seq, starts[seq] + i, head, keys);
      }
    }
  }

 private:
  [[nodiscard]] std::size_t q_at(int token, int head) const {
    return (static_cast<std::size_t>(token) * static_cast<std::size_t>(c_.num_heads) +
            static_cast<std::size_t>(head)) *
           static_cast<std::size_t>(c_.head_dim);
  }
  [[nodiscard]] std::size_t kv_at(int seq, int key, int head) const {
    const auto* table = static_cast<const std::int32_t*>(c_.block_tables);
    const int block = table[seq * c_.max_blocks_per_seq + key / c_.block_size];
    const int slot = block * c_.block_size + key % c_.block_size;
    const int kv_head = head / (c_.num_heads / c_.num_kv_heads);
    return (static_cast<std::size_t>(slot) * static_cast<std::size_t>(c_.num_kv_heads) +
            static_cast<std::size_t>(kv_head)) *
           static_cast<std::size_t>(c_.head_dim);
  }
  static double value(const void* tensor, std::size_t at) {
    return static_cast<double>(half_to_float(static_cast<const std::uint16_t*>(tensor)[at]));
  }

  void row(int seq, int token, int head, int keys) const {
    const auto dim = static_cast<std::size_t>(c_.head_dim);
    const std::size_t q = q_at(token, head);
    double sum = 0.0;
    std::vector<double> out(dim);
    for (int key = 0; key < keys; ++key) {
      const std::size_t kv = kv_at(seq, key, head);
      double score = 0.0;
      for (std::size_t d = 0; d < dim; ++d) score += value(c_.q, q + d) * value(c_.k, kv + d);
      const double weight = std::exp(score / std::sqrt(static_cast<double>(dim)));
      sum += weight;
      for (std::size_t d = 0; d < dim; ++d) out[d] += weight * value(c_.v, kv + d);
    }
    for (std::size_t d = 0; d < dim; ++d) {
      static_cast<std::uint16_t*>(c_.out)[q + d] = float_to_half(static_cast<float>(out[d] / sum));
    }
    static_cast<float*>(c_.lse)[head * c_.total_q_tokens + token] =
        static_cast<float>(std::log(sum));
  }

  const PagedVarlenCall& c_;
};

int fake(const void* q, const void* k, const void* v, void* out, void* lse,
         const void* cu_seqlens_q, const void* seq_lens, const void* block_tables, int num_seqs,
         int total_q_tokens, int max_q_len, int max_kv_len, int num_heads, int num_kv_heads,
         int head_dim, int block_size, int max_blocks_per_seq, void* /*stream*/, char* err_buf,
         std::size_t err_buf_len) {
  const int call = ++state().calls;
  const FakeOrder order = state().order ? state().order(call) : FakeOrder{};
  if (order.action) order.action();
  if (order.past_err_buf) err_buf[err_buf_len] = 'x';
  if (order.code != 0) {
    std::strncpy(err_buf, order.text.c_str(), err_buf_len);
    return order.code;
  }
  if (order.idle) return 0;
  const PagedVarlenCall arguments{q,
                                  k,
                                  v,
                                  out,
                                  lse,
                                  cu_seqlens_q,
                                  seq_lens,
                                  block_tables,
                                  num_seqs,
                                  total_q_tokens,
                                  max_q_len,
                                  max_kv_len,
                                  num_heads,
                                  num_kv_heads,
                                  head_dim,
                                  block_size,
                                  max_blocks_per_seq};
  if (order.nan) {
    auto* halves = static_cast<std::uint16_t*>(out);
    std::fill(halves, halves + total_q_tokens * num_heads * head_dim, std::uint16_t{0x7E00});
    return 0;
  }
  if (order.stale) {
    std::memcpy(out, state().out.data(), state().out.size());
    std::memcpy(lse, state().lse.data(), state().lse.size());
    return 0;
  }
  PlainAttention(arguments).run();
  const auto rows = static_cast<std::size_t>(total_q_tokens * num_heads);
  const auto* out_bytes = static_cast<const std::byte*>(out);
  const auto* lse_bytes = static_cast<const std::byte*>(lse);
  state().out.assign(out_bytes, out_bytes + rows * static_cast<std::size_t>(head_dim) * 2);
  state().lse.assign(lse_bytes, lse_bytes + rows * 4);
  if (order.other_bits) *static_cast<std::uint16_t*>(out) ^= 1U;
  if (order.wrong) *static_cast<std::uint16_t*>(out) = float_to_half(100.0F);
  return 0;
}

}  // namespace

FakeScript::FakeScript(std::function<FakeOrder(int call)> order) {
  state() = ScriptState{std::move(order), 0, {}, {}};
}
FakeScript::~FakeScript() { state() = ScriptState{}; }
int FakeScript::calls() { return state().calls; }

LabelledShim fake_shim_for(const std::string& label, std::vector<int> head_dims,
                           std::vector<int> block_sizes) {
  ShimDescription description;
  description.device_memory = false;
  description.described = true;
  description.head_dims = std::move(head_dims);
  description.block_sizes = std::move(block_sizes);
  return {label, Shim("/fake/" + label + ".so", &fake, description, {})};
}

LabelledShim fake_shim(const std::string& label) { return fake_shim_for(label, {16}, {16}); }

Workload small_workload(const std::string& name) {
  Workload workload;
  workload.name = name;
  workload.shape = {2, 1, 16, 16};
  workload.q_lens = {1, 3};
  workload.kv_lens = {17, 5};
  workload.id = workload_id(workload);
  return workload;
}

}  // namespace fa2bench::test
