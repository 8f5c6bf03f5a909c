// SPDX-License-Identifier: MIT
#include "gpu/random_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/random.hpp"

namespace fa2bench::test {
namespace {

constexpr int kMostKeys = 3000;
constexpr int kMostQueries = 700;  // of a batch; the first sequence may have more

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : rng_(seed, 0x52574C44) {}

  /// In [low, high].
  int between(int low, int high) {
    return low + static_cast<int>(rng_.below(static_cast<std::uint64_t>(high - low) + 1));
  }
  bool once_in(int n) { return between(1, n) == 1; }
  template <typename T>
  T one_of(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(between(0, static_cast<int>(choices.size()) - 1))];
  }
  /// Half of the lengths lie at a page or tile edge, or one beside it.
  int length(int most) {
    const int any = between(1, most);
    if (once_in(2)) return any;
    const int step = one_of<int>({16, 64, 128, 256});
    return std::clamp((any + step - 1) / step * step + between(-1, 1), 1, most);
  }

 private:
  CounterRng rng_;
};

int queries(Draw& draw, int kv_len, int left) {
  const int most = std::max(1, std::min(kv_len, left));
  switch (draw.between(0, 3)) {
    case 0:
      return std::min(most, draw.length(kMostQueries));
    case 1:
      return std::min(most, draw.between(2, 16));
    default:
      return 1;
  }
}

struct Lengths {
  int q = 0;
  int kv = 0;
};

/// A sequence without keys, without query tokens, without either, or with more tokens than keys.
Lengths with_empty_rows(Draw& draw, int most_keys, int left) {
  const int most = std::max(1, std::min(150, left));
  switch (draw.between(0, 3)) {
    case 0:
      return {draw.between(1, std::min(most, 70)), 0};
    case 1:
      return {0, draw.length(most_keys)};
    case 2:
      return {0, 0};
    default: {
      const int q = draw.between(1, most);
      return {q, std::min(q, draw.length(most_keys)) - draw.between(0, 1)};
    }
  }
}

}  // namespace

std::string random_workload(std::uint64_t seed) {
  Draw draw(seed);
  const int num_kv_heads = draw.one_of<int>({1, 1, 2, 2, 3, 4, 4, 5, 8});
  const int group = draw.between(1, num_kv_heads > 4 ? 6 : 16);
  const int block_size = draw.one_of<int>({16, 16, 16, 16, 32, 64, 128, 256});
  const int most_keys = draw.one_of<int>({40, 300, kMostKeys});
  std::vector<int> q_lens;
  std::vector<int> kv_lens;
  int left = kMostQueries;
  const int count = draw.once_in(8) ? draw.between(13, 60) : draw.between(1, 12);
  const bool empty_rows = draw.once_in(3);
  for (int s = 0; s < count; ++s) {
    Lengths lengths;
    if (empty_rows && draw.once_in(2)) {
      lengths = with_empty_rows(draw, most_keys, left);
    } else {
      lengths.kv = draw.length(most_keys);
      lengths.q = queries(draw, lengths.kv, left);
    }
    q_lens.push_back(lengths.q);
    kv_lens.push_back(lengths.kv);
    left -= lengths.q;
  }
  const int longest = *std::max_element(kv_lens.begin(), kv_lens.end());
  const int shortest = *std::min_element(kv_lens.begin(), kv_lens.end());
  const int longest_q = *std::max_element(q_lens.begin(), q_lens.end());
  const int needed = (longest + block_size - 1) / block_size;

  std::string text = fmt::format(
      R"({{"q_lens": [{}], "kv_lens": [{}], "num_heads": {}, "num_kv_heads": {}, "head_dim": {}, )"
      R"("block_size": {}, "seed": {}, "allow_empty_rows": {})",
      fmt::join(q_lens, ", "), fmt::join(kv_lens, ", "), group * num_kv_heads, num_kv_heads,
      draw.one_of<int>({64, 128, 128}), block_size, seed, empty_rows);
  const std::string layout =
      draw.one_of<std::string>({"shuffled", "contiguous", "reversed", "interleaved", "aged"});
  std::vector<std::string> policies{"minus_one", "int_max", "num_blocks", "poison_block"};
  if (longest > 0) policies.emplace_back("live_block");
  const std::string unused = draw.one_of(policies);
  const int width = std::max(1, needed + draw.one_of<int>({0, 1, 2, 13, 4000}));
  text += fmt::format(R"(, "block_table": {{"layout": "{}", "unused": "{}", "width": {}}})", layout,
                      unused, width);
  if (shortest >= block_size && draw.once_in(3)) {
    text += fmt::format(R"(, "shared_prefix": {{"tokens": {}, "groups": {}}})",
                        draw.between(1, shortest / block_size) * block_size,
                        draw.between(1, std::min(3, count)));
  }
  if (draw.once_in(4)) {
    text += fmt::format(R"(, "max_q_len": {}, "max_kv_len": {})",
                        std::max(1, longest_q + draw.between(0, 100)),
                        std::max(1, longest + draw.between(0, 2000)));
  }
  return text + "}";
}

}  // namespace fa2bench::test
