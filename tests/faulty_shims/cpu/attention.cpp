// SPDX-License-Identifier: MIT
// A plain paged attention on the host with float accumulation, and the switches that spoil it.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "cpu/half.hpp"
#include "cpu/key_slots.hpp"
#include "cpu/policy.hpp"

namespace fa2bench::faulty {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// A query token of one sequence.
struct Row {
  std::size_t seq;
  std::size_t in_seq;
  std::size_t token;  ///< in the batch
};

class Attention {
 public:
  Attention(const Call& call, const Policy& policy)
      : call_(call),
        policy_(policy),
        dim_(static_cast<std::size_t>(call.head_dim)),
        heads_(static_cast<std::size_t>(call.num_heads)),
        kv_heads_(static_cast<std::size_t>(call.num_kv_heads)),
        scale_(policy.scale_factor / std::sqrt(static_cast<float>(call.head_dim))),
        q_(dim_),
        out_(dim_) {}

  void run() {
    SlotFinder finder(call_, policy_);
    for (int seq = 0; seq < call_.num_seqs; ++seq) {
      const int q_len = call_.cu_seqlens_q[seq + 1] - call_.cu_seqlens_q[seq];
      const KeySlots slots = finder.find(seq);
      if (q_len > 0) sequence(seq, q_len, slots);
    }
  }

 private:
  void sequence(int seq, int q_len, const KeySlots& slots) {
    const std::vector<std::size_t> order = summation_order(slots);
    int rows = q_len;
    if (policy_.first_quarter_only) rows = std::min(rows, std::max(1, call_.max_q_len / 4));
    for (std::size_t kv_head = 0; kv_head < kv_heads_; ++kv_head) {
      gather(slots, kv_head);
      for (int i = 0; i < rows; ++i) {
        see_keys(i, q_len, slots, order);
        const Row row = {static_cast<std::size_t>(seq), static_cast<std::size_t>(i),
                         static_cast<std::size_t>(call_.cu_seqlens_q[seq] + i)};
        for (std::size_t head = 0; head < heads_; ++head) {
          const std::size_t reads =
              policy_.gqa_mod ? head % kv_heads_ : head / (heads_ / kv_heads_);
          if (reads == kv_head) attend_row(row, head, slots);
        }
      }
    }
  }

  std::vector<std::size_t> summation_order(const KeySlots& slots) const {
    std::vector<std::size_t> order(slots.offsets.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (policy_.order == Policy::Order::descending) std::reverse(order.begin(), order.end());
    if (policy_.order == Policy::Order::by_page) {
      std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return slots.blocks[a] < slots.blocks[b];
      });
    }
    return order;
  }

  /// K and V of one head, as floats, one slot after the other.
  void gather(const KeySlots& slots, std::size_t kv_head) {
    k_.resize(slots.offsets.size() * dim_);
    v_.resize(slots.offsets.size() * dim_);
    for (std::size_t j = 0; j < slots.offsets.size(); ++j) {
      const auto from = static_cast<std::size_t>(slots.offsets[j]) + kv_head * dim_;
      std::transform(call_.k + from, call_.k + from + dim_, k_.data() + j * dim_, to_float);
      std::transform(call_.v + from, call_.v + from + dim_, v_.data() + j * dim_, to_float);
    }
  }

  /// Fills seen_ with the slots that query token `i` reads, in the order of summation.
  void see_keys(int i, int q_len, const KeySlots& slots, const std::vector<std::size_t>& order) {
    std::int64_t visible = slots.kv_len - q_len + i + 1;
    if (policy_.mask == Policy::Mask::top_left) {
      visible = std::min<std::int64_t>(i + 1, slots.kv_len);
    }
    if (policy_.drop_last_block && slots.kv_len > call_.block_size) {
      visible = std::min(visible, (slots.kv_len - 1) / call_.block_size * call_.block_size);
    }
    visible = std::max<std::int64_t>(0, std::min(visible, policy_.most_keys));
    const bool is_last = i == q_len - 1;
    seen_.clear();
    for (const std::size_t j : order) {
      const auto key = static_cast<std::int64_t>(j);
      if (key < visible || (is_last && key >= slots.kv_len)) seen_.push_back(j);
    }
  }

  float dot(const float* key) const {
    if (policy_.fp16_accumulation) {
      float sum = 0.0F;
      for (std::size_t d = 0; d < dim_; ++d) sum = rounded_to_half(sum + q_[d] * key[d]);
      return sum;
    }
    constexpr std::size_t kLanes = 8;  // independent sums, so that the compiler uses vectors
    std::array<float, kLanes> sums{};
    std::size_t d = 0;
    for (; d + kLanes <= dim_; d += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += q_[d + lane] * key[d + lane];
    }
    for (; d < dim_; ++d) sums[0] += q_[d] * key[d];
    return ((sums[0] + sums[4]) + (sums[1] + sums[5])) +
           ((sums[2] + sums[6]) + (sums[3] + sums[7]));
  }

  void attend_row(const Row& row, std::size_t head, const KeySlots& slots) {
    if (seen_.empty()) return write_empty(row, head);
    const std::uint16_t* q = call_.q + (row.token * heads_ + head) * dim_;
    std::transform(q, q + dim_, q_.begin(), to_float);
    float largest = -kInfinity;
    scores_.clear();
    for (const std::size_t j : seen_) {
      const bool weightless =
          policy_.tail == Policy::Tail::zero_weight && static_cast<std::int64_t>(j) >= slots.kv_len;
      scores_.push_back(weightless ? -kInfinity : dot(k_.data() + j * dim_) * scale_);
      if (scores_.back() > largest) largest = scores_.back();  // false for NaN, which stays a score
    }
    float sum = 0.0F;
    std::fill(out_.begin(), out_.end(), 0.0F);
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      const float weight = std::exp(scores_[i] - largest);
      sum += weight;
      accumulate(policy_.out == Policy::Out::mean_of_v ? 1.0F : weight,
                 v_.data() + seen_[i] * dim_);
    }
    write_out(row, head,
              policy_.out == Policy::Out::mean_of_v ? static_cast<float>(seen_.size()) : sum);
    write_lse(row, head, largest, sum);
  }

  void accumulate(float weight, const float* value) {
    for (std::size_t d = 0; d < dim_; ++d) out_[d] += weight * value[d];
    if (!policy_.fp16_accumulation) return;
    for (float& x : out_) x = rounded_to_half(x);
  }

  void write_out(const Row& row, std::size_t head, float sum) const {
    constexpr float kConstant = 0x1p-6F;
    std::uint16_t* to = call_.out + (row.token * heads_ + head) * dim_;
    for (std::size_t d = 0; d < dim_; ++d) {
      float value = out_[d] / sum;
      if (policy_.out == Policy::Out::zero) value = 0.0F;
      if (policy_.out == Policy::Out::constant) value = kConstant;
      if (policy_.out == Policy::Out::nan) value = kNan;
      to[d] = to_half(value);
    }
  }

  void write_lse(const Row& row, std::size_t head, float largest, float sum) const {
    const auto tokens = static_cast<std::size_t>(call_.total_q_tokens);
    const auto max_q_len = static_cast<std::size_t>(call_.max_q_len);
    float value = largest + std::log(sum);
    std::size_t at = head * tokens + row.token;
    switch (policy_.lse) {
      case Policy::Lse::right:
        break;
      case Policy::Lse::unwritten:
        return;
      case Policy::Lse::transposed:
        at = row.token * heads_ + head;
        break;
      case Policy::Lse::padded:
        at = ((row.seq * heads_ + head) * max_q_len + row.in_seq) % (heads_ * tokens);
        break;
      case Policy::Lse::base_2:
        value *= 1.44269504F;
        break;
      case Policy::Lse::unscaled:
        value = largest / scale_ + std::log(sum);
        break;
    }
    call_.lse[at] = value;
  }

  void write_empty(const Row& row, std::size_t head) const {
    if (policy_.empty == Policy::Empty::unwritten) return;
    const bool nan = policy_.empty == Policy::Empty::nan;
    const bool plus = policy_.empty == Policy::Empty::lse_pos_inf;
    std::fill_n(call_.out + (row.token * heads_ + head) * dim_, dim_, to_half(nan ? kNan : 0.0F));
    call_.lse[head * static_cast<std::size_t>(call_.total_q_tokens) + row.token] =
        plus ? kInfinity : -kInfinity;
  }

  const Call& call_;
  const Policy& policy_;
  std::size_t dim_;
  std::size_t heads_;
  std::size_t kv_heads_;
  float scale_;
  std::vector<float> k_;
  std::vector<float> v_;
  std::vector<float> q_;
  std::vector<float> out_;
  std::vector<float> scores_;
  std::vector<std::size_t> seen_;
};

}  // namespace

void attend(const Call& call, const Policy& policy) { Attention(call, policy).run(); }

}  // namespace fa2bench::faulty
