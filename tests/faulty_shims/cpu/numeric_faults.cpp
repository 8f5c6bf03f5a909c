// SPDX-License-Identifier: MIT
// Wrong in the same way at every call: one switch of the policy each.
#include "cpu/stories.hpp"

#include "abi/ferrum_fa2_shim.h"
#include "cpu/policy.hpp"

namespace fa2bench::faulty {
namespace {

Fault with(const char* name, void (*spoil)(Policy&)) {
  Policy policy;
  spoil(policy);
  return {name, [policy](const Call& call) {
            attend(call, policy);
            return FERRUM_FA2_OK;
          }};
}

}  // namespace

std::vector<Fault> numeric_faults() {
  return {
      with("zeros", [](Policy& p) { p.out = Policy::Out::zero; }),
      with("constant", [](Policy& p) { p.out = Policy::Out::constant; }),
      with("mean_of_v", [](Policy& p) { p.out = Policy::Out::mean_of_v; }),
      with("nan", [](Policy& p) { p.out = Policy::Out::nan; }),
      with("drop_last_block", [](Policy& p) { p.drop_last_block = true; }),
      with("read_tail", [](Policy& p) { p.tail = Policy::Tail::scored; }),
      with("read_tail_v", [](Policy& p) { p.tail = Policy::Tail::zero_weight; }),
      with("walk_full_table", [](Policy& p) { p.walk_full_table = true; }),
      with("topleft_causal", [](Policy& p) { p.mask = Policy::Mask::top_left; }),
      with("gqa_mod", [](Policy& p) { p.gqa_mod = true; }),
      with("int32_offset", [](Policy& p) { p.offset = Policy::Offset::int32_bytes; }),
      with("uint32_offset", [](Policy& p) { p.offset = Policy::Offset::uint32_elements; }),
      with("stride_from_max_kv", [](Policy& p) { p.stride_from_max_kv = true; }),
      with("assume_contiguous", [](Policy& p) { p.table = Policy::Table::contiguous; }),
      with("table_ignored", [](Policy& p) { p.table = Policy::Table::ignored; }),
      with("fp16_accum", [](Policy& p) { p.fp16_accumulation = true; }),
      with("scale_off_2pct", [](Policy& p) { p.scale_factor = 1.02F; }),
      with("ignore_rows_past_max", [](Policy& p) { p.first_quarter_only = true; }),
      with("page_dependent", [](Policy& p) { p.order = Policy::Order::by_page; }),
      with("lse_unwritten", [](Policy& p) { p.lse = Policy::Lse::unwritten; }),
      with("lse_transposed", [](Policy& p) { p.lse = Policy::Lse::transposed; }),
      with("lse_padded", [](Policy& p) { p.lse = Policy::Lse::padded; }),
      with("lse_log2", [](Policy& p) { p.lse = Policy::Lse::base_2; }),
      with("lse_unscaled", [](Policy& p) { p.lse = Policy::Lse::unscaled; }),
      with("empty_rows_nan", [](Policy& p) { p.empty = Policy::Empty::nan; }),
      with("empty_rows_unwritten", [](Policy& p) { p.empty = Policy::Empty::unwritten; }),
      with("empty_rows_lse_pos_inf", [](Policy& p) { p.empty = Policy::Empty::lse_pos_inf; }),
  };
}

}  // namespace fa2bench::faulty
