// SPDX-License-Identifier: MIT
#include "verify/naive_attention.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/half.hpp"
#include "base/parallel.hpp"

namespace fa2bench::test {
namespace {

std::size_t size(int value) { return static_cast<std::size_t>(value); }

/// The arrays of a call by their types, and where a row of them is.
struct View {
  const PagedVarlenCall& call;
  const std::uint16_t* q = static_cast<const std::uint16_t*>(call.q);
  const std::uint16_t* k = static_cast<const std::uint16_t*>(call.k);
  const std::uint16_t* v = static_cast<const std::uint16_t*>(call.v);
  const std::int32_t* starts = static_cast<const std::int32_t*>(call.cu_seqlens_q);
  const std::int32_t* kv_lens = static_cast<const std::int32_t*>(call.seq_lens);
  const std::int32_t* table = static_cast<const std::int32_t*>(call.block_tables);

  Mistake mistake;

  explicit View(const PagedVarlenCall& of, Mistake by = Mistake::none) : call(of), mistake(by) {}

  [[nodiscard]] int sequence_of(int token) const {
    return static_cast<int>(std::upper_bound(starts, starts + call.num_seqs, token) - starts) - 1;
  }
  [[nodiscard]] std::size_t q_row(int token, int head) const {
    return (size(token) * size(call.num_heads) + size(head)) * size(call.head_dim);
  }
  [[nodiscard]] std::int32_t block_of(int seq, int column) const {
    const int stride = mistake == Mistake::row_stride
                           ? (call.max_kv_len + call.block_size - 1) / call.block_size
                           : call.max_blocks_per_seq;
    const std::int32_t* row = table + size(seq) * size(stride);
    return mistake == Mistake::contiguous ? row[0] + column : row[column];
  }
  /// Negative for a block of -1.
  [[nodiscard]] std::ptrdiff_t kv_row(int seq, int key, int kv_head) const {
    const std::ptrdiff_t block = block_of(seq, key / call.block_size);
    const std::ptrdiff_t slot = block * call.block_size + key % call.block_size;
    return (slot * call.num_kv_heads + kv_head) * call.head_dim;
  }
  [[nodiscard]] int visible(int seq, int token) const {
    return kv_lens[seq] - (starts[seq + 1] - starts[seq]) + (token - starts[seq]) + 1;
  }
};

/// Scores of a row before any scale; `Number` is the precision of the sums.
template <typename Number>
std::vector<Number> dots(const View& view, int token, int head, int seq, int kv_head, int keys) {
  std::vector<Number> result(size(keys));
  const std::uint16_t* q = view.q + view.q_row(token, head);
  for (int j = 0; j < keys; ++j) {
    const std::uint16_t* k = view.k + view.kv_row(seq, j, kv_head);
    Number sum = 0;
    for (int d = 0; d < view.call.head_dim; ++d) {
      sum += static_cast<Number>(half_to_float(q[d])) * static_cast<Number>(half_to_float(k[d]));
    }
    result[size(j)] = sum;
  }
  return result;
}

template <typename Number>
Number log_sum_exp(const std::vector<Number>& scores, Number scale) {
  const Number max = *std::max_element(scores.begin(), scores.end());
  Number sum = 0;
  for (const Number score : scores) sum += std::exp((score - max) * scale);
  return max * scale + std::log(sum);
}

int seen_keys(const View& view, int seq, int token, Mistake mistake) {
  const int visible = std::max(0, view.visible(seq, token));
  const int block_size = view.call.block_size;
  const bool is_last = token + 1 == view.starts[seq + 1];
  if (mistake == Mistake::no_mask) return view.kv_lens[seq];
  if (mistake == Mistake::last_key) return visible > 1 ? visible - 1 : visible;
  if (mistake == Mistake::key_limit) return std::min(visible, 100);
  if (mistake == Mistake::read_tail && is_last) {
    return (visible + block_size - 1) / block_size * block_size;
  }
  if (mistake == Mistake::unused_entries && is_last) {
    // Past the tail of the last block, which it must not read either.
    return visible % block_size == 0 ? visible + block_size : visible;
  }
  if (mistake == Mistake::top_left) {
    return std::min(token - view.starts[seq] + 1, view.kv_lens[seq]);
  }
  if (mistake == Mistake::drop_last_block) {
    const int whole = (view.kv_lens[seq] - 1) / view.call.block_size * view.call.block_size;
    return whole > 0 ? std::min(visible, whole) : visible;
  }
  return visible;
}

float rounded(float value) { return half_to_float(float_to_half(value)); }

/// One row of out, in f32.
std::vector<float> weighted_values(const View& view, const std::vector<float>& weights, int seq,
                                   int kv_head, bool f16_sums) {
  std::vector<float> sums(size(view.call.head_dim));
  float total = 0.0F;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    total += weights[j];
    const float weight = rounded(weights[j]);
    const std::uint16_t* v = view.v + view.kv_row(seq, static_cast<int>(j), kv_head);
    for (std::size_t d = 0; d < sums.size(); ++d) {
      sums[d] += weight * half_to_float(v[d]);
      if (f16_sums) sums[d] = rounded(sums[d]);
    }
  }
  if (weights.empty()) return sums;  // zeros
  for (float& sum : sums) sum /= total;
  return sums;
}

void naive_row(const View& view, int token, int head, Mistake mistake) {
  const PagedVarlenCall& call = view.call;
  const int seq = view.sequence_of(token);
  int kv_head = head / (call.num_heads / call.num_kv_heads);
  if (mistake == Mistake::wrong_kv_head) kv_head = head % call.num_kv_heads;
  if (mistake == Mistake::next_kv_head) kv_head = (kv_head + 1) % call.num_kv_heads;
  const int keys = seen_keys(view, seq, token, mistake);
  std::vector<float> scores = dots<float>(view, token, head, seq, kv_head, keys);
  float scale = 1.0F / std::sqrt(static_cast<float>(call.head_dim));

  float lse = -std::numeric_limits<float>::infinity();
  if (keys > 0) lse = log_sum_exp(scores, mistake == Mistake::lse_unscaled ? 1.0F : scale);
  if (mistake == Mistake::lse_base2) lse *= 1.44269504F;
  std::size_t at = size(head) * size(call.total_q_tokens) + size(token);
  if (mistake == Mistake::lse_transposed) at = size(token) * size(call.num_heads) + size(head);
  if (mistake == Mistake::lse_padded) {
    at = (size(seq) * size(call.num_heads) + size(head)) * size(call.max_q_len) +
         size(token - view.starts[seq]);
  }
  if (at < size(call.num_heads) * size(call.total_q_tokens)) {
    static_cast<float*>(call.lse)[at] = lse;
  }

  if (mistake == Mistake::scale_off) scale *= 1.02F;
  if (mistake == Mistake::mean_of_v) scale = 0.0F;
  const float max = keys > 0 ? *std::max_element(scores.begin(), scores.end()) : 0.0F;
  for (float& score : scores) score = std::exp((score - max) * scale);
  std::vector<float> out =
      weighted_values(view, scores, seq, kv_head, mistake == Mistake::f16_sums);
  if (mistake == Mistake::zeros) std::fill(out.begin(), out.end(), 0.0F);
  if (mistake == Mistake::constant) std::fill(out.begin(), out.end(), 0.5F);
  auto* to = static_cast<std::uint16_t*>(call.out) + view.q_row(token, head);
  std::transform(out.begin(), out.end(), to, float_to_half);
}

}  // namespace

ExactResult exact_attention(const PagedVarlenCall& call) {
  const View view(call);
  const auto dim = size(call.head_dim);
  const std::size_t rows = size(call.total_q_tokens) * size(call.num_heads);
  ExactResult result;
  result.out.resize(rows * dim);
  result.spread.resize(rows * dim);
  result.lse.resize(rows);
  result.largest_score.resize(rows);
  parallel_for(size(call.total_q_tokens), [&](std::size_t index) {
    const auto token = static_cast<int>(index);
    const int seq = view.sequence_of(token);
    if (view.visible(seq, token) <= 0) return;
    for (int head = 0; head < call.num_heads; ++head) {
      const int kv_head = head / (call.num_heads / call.num_kv_heads);
      std::vector<double> scores =
          dots<double>(view, token, head, seq, kv_head, view.visible(seq, token));
      for (double& score : scores) score /= std::sqrt(static_cast<double>(call.head_dim));
      const double lse = log_sum_exp(scores, 1.0);
      const std::size_t row = size(head) * size(call.total_q_tokens) + index;
      const std::size_t first = view.q_row(token, head);
      result.lse[row] = lse;
      for (std::size_t j = 0; j < scores.size(); ++j) {
        result.largest_score[row] = std::max(result.largest_score[row], std::abs(scores[j]));
        const double weight = std::exp(scores[j] - lse);
        const std::uint16_t* v = view.v + view.kv_row(seq, static_cast<int>(j), kv_head);
        for (std::size_t d = 0; d < dim; ++d) {
          const double term = weight * static_cast<double>(half_to_float(v[d]));
          result.out[first + d] += term;
          result.spread[first + d] += term * term;
        }
      }
    }
  });
  for (double& value : result.spread) value = std::sqrt(value);
  return result;
}

void naive_attention(const PagedVarlenCall& call, Mistake mistake) {
  const View view(call, mistake);
  parallel_for(size(call.total_q_tokens), [&](std::size_t token) {
    for (int head = 0; head < call.num_heads; ++head) {
      naive_row(view, static_cast<int>(token), head, mistake);
    }
  });
}

const char* to_text(Mistake mistake) {
  switch (mistake) {
    case Mistake::none:
      return "none";
    case Mistake::zeros:
      return "zeros";
    case Mistake::constant:
      return "constant";
    case Mistake::mean_of_v:
      return "mean_of_v";
    case Mistake::scale_off:
      return "scale_off";
    case Mistake::top_left:
      return "top_left";
    case Mistake::drop_last_block:
      return "drop_last_block";
    case Mistake::wrong_kv_head:
      return "wrong_kv_head";
    case Mistake::next_kv_head:
      return "next_kv_head";
    case Mistake::f16_sums:
      return "f16_sums";
    case Mistake::lse_base2:
      return "lse_base2";
    case Mistake::lse_unscaled:
      return "lse_unscaled";
    case Mistake::lse_transposed:
      return "lse_transposed";
    case Mistake::lse_padded:
      return "lse_padded";
    case Mistake::no_mask:
      return "no_mask";
    case Mistake::last_key:
      return "last_key";
    case Mistake::key_limit:
      return "key_limit";
    case Mistake::contiguous:
      return "contiguous";
    case Mistake::row_stride:
      return "row_stride";
    case Mistake::read_tail:
      return "read_tail";
    case Mistake::unused_entries:
      break;
  }
  return "unused_entries";
}

}  // namespace fa2bench::test
