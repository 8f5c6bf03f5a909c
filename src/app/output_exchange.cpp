// SPDX-License-Identifier: MIT
#include "app/output_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

#include "base/half.hpp"

namespace fa2bench {
namespace {

/// Of each query token, whether it sees no key.
std::vector<bool> empty_tokens(const Workload& workload) {
  std::vector<bool> empty;
  for (std::size_t seq = 0; seq < workload.q_lens.size(); ++seq) {
    const std::int64_t q_len = workload.q_lens[seq];
    for (std::int64_t i = 0; i < q_len; ++i) {
      empty.push_back(workload.kv_lens[seq] - q_len + i < 0);
    }
  }
  return empty;
}

/// What differs in elements of rows with keys, and whether anything does in those without.
struct Differences {
  double largest = 0.0;
  bool same = true;
  bool same_empty = true;

  void add(bool empty, bool equal, double mine, double other) {
    if (equal) return;
    if (empty) {
      same_empty = false;
      return;
    }
    same = false;
    const double difference = std::abs(mine - other);
    largest = std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                     : std::max(largest, difference);
  }
};

Outputs download(const WorkloadOnDevice& target, const WorkloadBuffers& buffers) {
  const HeadShape& shape = target.workload.shape;
  const auto rows = static_cast<std::size_t>(target.plan.total_q_tokens) *
                    static_cast<std::size_t>(shape.num_heads);
  Outputs outputs;
  outputs.out.resize(rows * static_cast<std::size_t>(shape.head_dim));
  outputs.lse.resize(rows);
  const PagedVarlenCall& call = buffers.call();
  target.device.download(outputs.out.data(), call.out,
                         {outputs.out.size() * sizeof(std::uint16_t)});
  target.device.download(outputs.lse.data(), call.lse, {outputs.lse.size() * sizeof(float)});
  return outputs;
}

template <typename T>
char* bytes(std::vector<T>& values) {
  return reinterpret_cast<char*>(values.data());
}
template <typename T>
std::streamsize size_of(const std::vector<T>& values) {
  return static_cast<std::streamsize>(values.size() * sizeof(T));
}

bool write(const std::string& path, Outputs outputs) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes(outputs.out), size_of(outputs.out));
  file.write(bytes(outputs.lse), size_of(outputs.lse));
  file.close();
  return !file.fail();
}

/// Fills outputs of the right sizes.
bool read(const std::string& path, Outputs& outputs) {
  std::ifstream file(path, std::ios::binary);
  file.read(bytes(outputs.out), size_of(outputs.out));
  file.read(bytes(outputs.lse), size_of(outputs.lse));
  return !file.fail() && file.peek() == std::ifstream::traits_type::eof();
}

}  // namespace

OutputDifference compare_outputs(const Workload& workload, const Outputs& mine,
                                 const Outputs& others) {
  const std::vector<bool> empty = empty_tokens(workload);
  const std::size_t tokens = empty.size();
  const std::size_t row = tokens == 0 ? 0 : mine.out.size() / tokens;
  Differences out;
  for (std::size_t i = 0; i < mine.out.size(); ++i) {
    out.add(empty[i / row], mine.out[i] == others.out[i],
            static_cast<double>(half_to_float(mine.out[i])),
            static_cast<double>(half_to_float(others.out[i])));
  }
  Differences lse;
  for (std::size_t i = 0; i < mine.lse.size(); ++i) {
    const bool equal =
        std::bit_cast<std::uint32_t>(mine.lse[i]) == std::bit_cast<std::uint32_t>(others.lse[i]);
    lse.add(empty[i % tokens], equal, static_cast<double>(mine.lse[i]),
            static_cast<double>(others.lse[i]));
  }
  OutputDifference difference;
  difference.same_out = out.same;
  difference.same_lse = lse.same;
  difference.largest_out = out.largest;
  difference.largest_lse = lse.largest;
  difference.same_empty_rows = out.same_empty && lse.same_empty;
  return difference;
}

bool exchange_outputs(const WorkloadOnDevice& target, const OutputFile& file, CheckedCalls& calls,
                      OutputDifference& difference) {
  const std::string where = "to compare outputs";
  if (!calls.call(where)) return false;
  if (!calls.same_bits() && !calls.check(where)) return false;
  Outputs mine = download(target, *calls.placed().buffers);
  if (file.write) {
    if (!write(file.path, std::move(mine))) difference.obstacle = "the outputs could not be kept";
    return true;
  }
  Outputs others = mine;
  if (read(file.path, others)) {
    difference = compare_outputs(target.workload, mine, others);
  } else {
    difference.obstacle = "the baseline's outputs could not be read";
  }
  return true;
}

}  // namespace fa2bench
