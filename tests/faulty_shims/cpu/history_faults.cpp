// SPDX-License-Identifier: MIT
// Right or wrong by what was called before: the faults that one checked call does not show.
#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "abi/ferrum_fa2_shim.h"
#include "cpu/half.hpp"
#include "cpu/policy.hpp"
#include "cpu/stories.hpp"
#include "crash.hpp"

namespace fa2bench::faulty {
namespace {

constexpr std::uint16_t kNan = 0x7E00;

int attend_with_order(const Call& call, Policy::Order order) {
  Policy policy;
  policy.order = order;
  attend(call, policy);
  return FERRUM_FA2_OK;
}

/// Some value of the last token becomes NaN, as an unlucky split does.
int nan_every_97th_call(const Call& call) {
  const int code = compute(call);
  if (call.number % 97 == 0) call.out[out_elements(call) - 1] = kNan;
  return code;
}

/// Every second call is off by 0.01 in the first head of the first token, as if a thread had won.
int race(const Call& call) {
  const int code = compute(call);
  if (call.number % 2 != 0) return code;
  for (int d = 0; d < call.head_dim; ++d) call.out[d] = to_half(to_float(call.out[d]) + 0.01F);
  return code;
}

int nondeterministic_rounding(const Call& call) {
  return attend_with_order(
      call, call.number % 2 == 0 ? Policy::Order::descending : Policy::Order::ascending);
}

/// A work buffer made by the first call for its longest sequence: the keys that do not fit are
/// lost.
int static_scratch(const Call& call) {
  static const std::int64_t room = call.max_kv_len;
  Policy policy;
  policy.most_keys = room;
  attend(call, policy);
  return FERRUM_FA2_OK;
}

int good_first_10(const Call& call) {
  Policy policy;
  if (call.number > 10) policy.out = Policy::Out::zero;
  attend(call, policy);
  return FERRUM_FA2_OK;
}

int good_then_noop(const Call& call) { return call.number <= 3 ? compute(call) : FERRUM_FA2_OK; }

/// Computes once for the same pointers and sizes, and copies that result from then on.
int cached_output(const Call& call) {
  using Key = std::tuple<std::array<const void*, 8>, std::array<int, 9>>;
  struct Entry {
    Key key;
    std::vector<std::uint16_t> out;
    std::vector<float> lse;
  };
  static auto* const cache = new std::vector<Entry>;
  const Key key = {
      {call.q, call.k, call.v, call.out, call.lse, call.cu_seqlens_q, call.seq_lens,
       call.block_tables},
      {call.num_seqs, call.total_q_tokens, call.max_q_len, call.max_kv_len, call.num_heads,
       call.num_kv_heads, call.head_dim, call.block_size, call.max_blocks_per_seq}};
  for (const Entry& entry : *cache) {
    if (entry.key != key) continue;
    std::copy(entry.out.begin(), entry.out.end(), call.out);
    std::copy(entry.lse.begin(), entry.lse.end(), call.lse);
    return FERRUM_FA2_OK;
  }
  const int code = compute(call);
  cache->push_back(
      {key, {call.out, call.out + out_elements(call)}, {call.lse, call.lse + lse_elements(call)}});
  return code;
}

/// The third batch shape that this process sees is fatal; the number of calls does not matter.
int crash_on_third_workload(const Call& call) {
  using Shape = std::array<int, 9>;
  static auto* const seen = new std::set<Shape>;
  seen->insert({call.num_seqs, call.total_q_tokens, call.max_q_len, call.max_kv_len, call.num_heads,
                call.num_kv_heads, call.head_dim, call.block_size, call.max_blocks_per_seq});
  if (seen->size() >= 3) touch_forbidden_page();
  return compute(call);
}

}  // namespace

std::vector<Fault> history_faults() {
  return {
      {"nan_every_97th_call", nan_every_97th_call},
      {"race", race},
      {"nondeterministic_rounding", nondeterministic_rounding},
      {"static_scratch", static_scratch},
      {"good_first_10", good_first_10},
      {"good_then_noop", good_then_noop},
      {"cached_output", cached_output},
      {"oob_on_workload_3", crash_on_third_workload},
  };
}

}  // namespace fa2bench::faulty
