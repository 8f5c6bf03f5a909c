// SPDX-License-Identifier: MIT
#include "shims/batch.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/half.hpp"

namespace fa2bench::test {
namespace {

constexpr std::uint16_t kHalfNan = 0x7E00;
constexpr std::uint16_t kHalfCanary = 0x7D5A;  // a NaN that no arithmetic gives
constexpr int kSpareBlocks = 5;

std::size_t size(int value) { return static_cast<std::size_t>(value); }

float canary() { return std::nanf("0x2b5a"); }

int blocks_of(int kv_len, int block_size) { return (kv_len + block_size - 1) / block_size; }

}  // namespace

Batch::Batch(const BatchShape& wanted) : shape(wanted) {
  std::mt19937 random(shape.seed);
  std::normal_distribution<float> normal(0.0F, shape.scale);
  const auto fill = [&](std::uint16_t* to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to[i] = float_to_half(normal(random));
  };
  const int num_seqs = static_cast<int>(shape.lengths.size());
  int max_q_len = 0;
  int max_kv_len = 0;
  int block_count = kSpareBlocks;
  cu_seqlens_q.push_back(0);
  for (const auto& [q_len, kv_len] : shape.lengths) {
    cu_seqlens_q.push_back(cu_seqlens_q.back() + q_len);
    seq_lens.push_back(kv_len);
    max_q_len = std::max(max_q_len, q_len);
    max_kv_len = std::max(max_kv_len, kv_len);
    block_count += blocks_of(kv_len, shape.block_size);
  }
  const int columns = blocks_of(max_kv_len, shape.block_size) + shape.extra_columns;

  std::vector<std::int32_t> free_blocks(size(block_count));
  std::iota(free_blocks.begin(), free_blocks.end(), 0);
  std::shuffle(free_blocks.begin(), free_blocks.end(), random);
  const std::vector<std::int32_t> shared(
      free_blocks.end() - std::min(shape.shared_blocks, block_count), free_blocks.end());
  const std::int32_t garbage[] = {-1, INT_MAX, block_count + 1000000, INT_MIN};
  block_tables.resize(size(num_seqs) * size(columns));
  for (std::size_t i = 0; i < block_tables.size(); ++i) block_tables[i] = garbage[i % 4];

  const std::size_t slot = size(shape.num_kv_heads) * size(shape.head_dim);
  k.assign(size(block_count) * size(shape.block_size) * slot, kHalfNan);
  v = k;
  std::size_t next = 0;
  for (int seq = 0; seq < num_seqs; ++seq) {
    const int kv_len = seq_lens[size(seq)];
    for (int column = 0; column < blocks_of(kv_len, shape.block_size); ++column) {
      // A shared block must be full in every sequence, or its owner's tail would be another's data.
      const bool full = (column + 1) * shape.block_size <= kv_len;
      std::int32_t& entry = block_tables[size(seq) * size(columns) + size(column)];
      entry = full && size(column) < shared.size() ? shared[size(column)] : free_blocks[next++];
      const std::size_t live = size(std::min(shape.block_size, kv_len - column * shape.block_size));
      const std::size_t begin = size(entry) * size(shape.block_size) * slot;
      fill(k.data() + begin, live * slot);
      fill(v.data() + begin, live * slot);
    }
  }
  const int tokens = cu_seqlens_q.back();
  q.resize(size(tokens) * size(shape.num_heads) * size(shape.head_dim));
  fill(q.data(), q.size());
  out.resize(q.size());
  lse.resize(size(tokens) * size(shape.num_heads));
  fill_outputs_with_canary();

  call.q = q.data();
  call.k = k.data();
  call.v = v.data();
  call.out = out.data();
  call.lse = lse.data();
  call.cu_seqlens_q = cu_seqlens_q.data();
  call.seq_lens = seq_lens.data();
  call.block_tables = block_tables.data();
  call.num_seqs = num_seqs;
  call.total_q_tokens = tokens;
  call.max_q_len = max_q_len;
  call.max_kv_len = max_kv_len;
  call.num_heads = shape.num_heads;
  call.num_kv_heads = shape.num_kv_heads;
  call.head_dim = shape.head_dim;
  call.block_size = shape.block_size;
  call.max_blocks_per_seq = columns;
}

std::size_t Batch::key_offset(int seq, int key, int kv_head) const {
  const std::size_t entry =
      size(seq) * size(call.max_blocks_per_seq) + size(key / shape.block_size);
  const std::size_t row =
      size(block_tables[entry]) * size(shape.block_size) + size(key % shape.block_size);
  return (row * size(shape.num_kv_heads) + size(kv_head)) * size(shape.head_dim);
}

void Batch::fill_outputs_with_canary() {
  std::fill(out.begin(), out.end(), kHalfCanary);
  std::fill(lse.begin(), lse.end(), canary());
}

Expected expected_result(const Batch& batch) {
  const BatchShape& shape = batch.shape;
  const std::size_t dim = size(shape.head_dim);
  const int group = shape.num_heads / shape.num_kv_heads;
  const double scale = 1.0 / std::sqrt(static_cast<double>(shape.head_dim));
  Expected expected;
  expected.out.assign(batch.out.size(), 0.0);
  expected.lse.assign(batch.lse.size(), -std::numeric_limits<double>::infinity());
  std::vector<double> scores;
  for (int seq = 0; seq < batch.call.num_seqs; ++seq) {
    const int first = batch.cu_seqlens_q[size(seq)];
    const int q_len = batch.cu_seqlens_q[size(seq) + 1] - first;
    for (int token = 0; token < q_len; ++token) {
      const int visible = batch.seq_lens[size(seq)] - q_len + token + 1;
      for (int head = 0; head < shape.num_heads && visible > 0; ++head) {
        const std::size_t row = (size(first + token) * size(shape.num_heads) + size(head)) * dim;
        scores.assign(size(visible), 0.0);
        for (int key = 0; key < visible; ++key) {
          const std::size_t at = batch.key_offset(seq, key, head / group);
          double& score = scores[size(key)];
          for (std::size_t d = 0; d < dim; ++d) {
            score += static_cast<double>(half_to_float(batch.q[row + d])) *
                     static_cast<double>(half_to_float(batch.k[at + d]));
          }
          score *= scale;
        }
        const double most = *std::max_element(scores.begin(), scores.end());
        double sum = 0;
        for (int key = 0; key < visible; ++key) {
          const double weight = std::exp(scores[size(key)] - most);
          const std::size_t at = batch.key_offset(seq, key, head / group);
          sum += weight;
          for (std::size_t d = 0; d < dim; ++d) {
            expected.out[row + d] += weight * static_cast<double>(half_to_float(batch.v[at + d]));
          }
        }
        for (std::size_t d = 0; d < dim; ++d) expected.out[row + d] /= sum;
        expected.lse[size(head) * size(batch.call.total_q_tokens) + size(first + token)] =
            most + std::log(sum);
      }
    }
  }
  return expected;
}

Errors compare(const Batch& batch, const Expected& expected) {
  const auto error_of = [](double actual, double wanted) {
    if (actual == wanted) return 0.0;  // infinities of the same sign
    const double error = std::abs(actual - wanted) / std::max(1.0, std::abs(wanted));
    return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
  };
  Errors worst;
  for (std::size_t i = 0; i < batch.out.size(); ++i) {
    const auto actual = static_cast<double>(half_to_float(batch.out[i]));
    worst.out = std::max(worst.out, error_of(actual, expected.out[i]));
  }
  for (std::size_t i = 0; i < batch.lse.size(); ++i) {
    worst.lse = std::max(worst.lse, error_of(static_cast<double>(batch.lse[i]), expected.lse[i]));
  }
  return worst;
}

}  // namespace fa2bench::test
