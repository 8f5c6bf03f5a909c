// SPDX-License-Identifier: MIT
#include "measure/blocks.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

namespace fa2bench {
namespace {

struct Stream {
  double sum = 0.0;
  std::size_t trials = 0;
};

std::map<int, Stream> by_stream(std::span<const double> medians, std::span<const Trial> trials) {
  std::map<int, Stream> streams;
  for (std::size_t t = 0; t < trials.size(); ++t) {
    Stream& stream = streams[trials[t].stream];
    stream.sum += t < medians.size() ? medians[t] : 0.0;
    ++stream.trials;
  }
  return streams;
}

}  // namespace

bool counts_streams(std::span<const Trial> trials) {
  const std::map<int, Stream> streams = by_stream({}, trials);
  return streams.size() >= kLeastStreams &&
         std::all_of(streams.begin(), streams.end(),
                     [](const auto& stream) { return stream.second.trials >= 2; });
}

std::vector<double> independent_values(std::span<const double> medians,
                                       std::span<const Trial> trials) {
  if (!counts_streams(trials)) return {medians.begin(), medians.end()};
  std::vector<double> means;
  for (const auto& [number, stream] : by_stream(medians, trials)) {
    means.push_back(stream.sum / static_cast<double>(stream.trials));
  }
  return means;
}

}  // namespace fa2bench
