// SPDX-License-Identifier: MIT
#include "verify/yardstick.hpp"

#include <algorithm>
#include <cmath>

#include "base/half.hpp"
#include "base/parallel.hpp"
#include "verify/tolerance.hpp"
#include "workload/data.hpp"

namespace fa2bench {
namespace {

constexpr std::size_t kPairs = 16;
constexpr std::int64_t kKeys = 1 << 18;  // of all pairs; the first pair may have more

void load(std::uint64_t seed, Tensor tensor, std::uint64_t first, std::vector<float>& to) {
  for (std::size_t i = 0; i < to.size(); i += 4) {
    const HalfQuad quad = half_quad(seed, tensor, (first + i) / 4);
    for (std::size_t j = 0; j < 4; ++j) to[i + j] = half_to_float(quad.value[j]);
  }
}

double pair_error(const Workload& workload, const BlockTable& table, const CheckedRow& row,
                  int head, const HeadReference& exact) {
  const std::vector<float> out = plain_attention(workload, table, row, head, PlainSums::f32);
  double worst = 0.0;
  for (std::size_t d = 0; d < out.size(); ++d) {
    const double error = std::abs(static_cast<double>(out[d]) - exact.out[d]);
    worst = std::max(worst, error / element_tolerance(exact, d, row.visible_keys).bound);
  }
  return worst;
}

float rounded(float value) { return half_to_float(float_to_half(value)); }

}  // namespace

std::vector<float> plain_attention(const Workload& workload, const BlockTable& table,
                                   const CheckedRow& row, int head, PlainSums sums) {
  const HeadShape& shape = workload.shape;
  const auto dim = static_cast<std::size_t>(shape.head_dim);
  const float scale = 1.0F / std::sqrt(static_cast<float>(shape.head_dim));
  const auto kept = [sums](float sum) { return sums == PlainSums::f16 ? rounded(sum) : sum; };
  const auto kv_index = [&](std::int64_t key) {
    const auto entry = static_cast<std::size_t>(row.seq * table.width + key / shape.block_size);
    return kv_element(shape, table.content[static_cast<std::size_t>(table.entries[entry])],
                      key % shape.block_size, head / shape.group());
  };
  std::vector<float> q(dim);
  std::vector<float> kv(dim);
  load(workload.seed, Tensor::q,
       static_cast<std::uint64_t>((row.global_token * shape.num_heads + head) * shape.head_dim), q);
  std::vector<float> scores(static_cast<std::size_t>(row.visible_keys));
  for (std::size_t j = 0; j < scores.size(); ++j) {
    load(workload.seed, Tensor::k, kv_index(static_cast<std::int64_t>(j)), kv);
    float dot = 0.0F;
    for (std::size_t d = 0; d < dim; ++d) dot = kept(dot + q[d] * kv[d]);
    scores[j] = dot * scale;
  }
  const float max = *std::max_element(scores.begin(), scores.end());
  std::vector<float> out(dim);
  float sum = 0.0F;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    const float weight = std::exp(scores[j] - max);
    sum += weight;
    load(workload.seed, Tensor::v, kv_index(static_cast<std::int64_t>(j)), kv);
    for (std::size_t d = 0; d < dim; ++d) out[d] = kept(out[d] + rounded(weight) * kv[d]);
  }
  for (float& x : out) x = rounded(x / sum);
  return out;
}

double f16_yardstick(const Workload& workload, const BlockTable& table,
                     const Reference& reference) {
  struct Pair {
    std::size_t row;
    int head;
  };
  std::vector<Pair> pairs;
  const std::size_t step = std::max<std::size_t>(1, reference.rows.size() / kPairs);
  std::int64_t left = kKeys;
  for (std::size_t row = 0; row < reference.rows.size() && pairs.size() < kPairs; row += step) {
    const std::int64_t keys = reference.rows[row].visible_keys;
    if (keys > left && !pairs.empty()) continue;
    left -= keys;
    pairs.push_back({row, static_cast<int>(pairs.size()) % reference.num_heads});
  }
  std::vector<double> errors(pairs.size());
  parallel_for(pairs.size(), [&](std::size_t i) {
    const auto [row, head] = pairs[i];
    errors[i] = pair_error(workload, table, reference.rows[row], head, reference.at(row, head));
  });
  return errors.empty() ? 0.0 : *std::max_element(errors.begin(), errors.end());
}

}  // namespace fa2bench
