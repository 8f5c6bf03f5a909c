// SPDX-License-Identifier: MIT
#include "compare/shim_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/text.hpp"

namespace fa2bench {
namespace {

std::vector<std::string> labels_of(const Report& report) {
  std::vector<std::string> labels;
  for (const ShimRecord& shim : report.shims) labels.push_back(shim.label);
  return labels;
}

std::optional<std::size_t> index_of(const Report& report, const std::string& label) {
  for (std::size_t i = 0; i < report.shims.size(); ++i) {
    if (report.shims[i].label == label) return i;
  }
  return std::nullopt;
}

Side side_of(const NamedReport& named, std::size_t shim) {
  const std::vector<ShimRecord>& shims = named.report.shims;
  const std::string name =
      shims.size() == 1 ? named.name : fmt::format("{} ({})", named.name, shims[shim].label);
  return {name, &named.report, shim};
}

/// The one that was asked for, or the only one; none if that leaves several.
std::optional<std::size_t> chosen(const NamedReport& named, const std::string& label,
                                  const char* option) {
  if (named.report.shims.empty()) {
    throw Error(ErrorKind::usage, named.name + ": shims: found none; expected at least one");
  }
  if (label.empty()) {
    return named.report.shims.size() == 1 ? std::optional<std::size_t>(0) : std::nullopt;
  }
  const auto index = index_of(named.report, label);
  if (!index) {
    throw Error(ErrorKind::usage,
                fmt::format("{} {}: {} has no shim of this label; it has {}", option, label,
                            named.name, join(labels_of(named.report))));
  }
  return index;
}

[[noreturn]] void refuse(const NamedReport& base, const NamedReport& next) {
  throw Error(ErrorKind::usage,
              fmt::format("which shims are meant? {} has {}, {} has {}, and no label is in both: "
                          "give --shim-of-base LABEL, --shim-of-new LABEL",
                          base.name, join(labels_of(base.report)), next.name,
                          join(labels_of(next.report))));
}

}  // namespace

ShimPairs pair_shims(std::span<const NamedReport> baselines, const NamedReport& next,
                     const ShimChoice& choice) {
  const std::optional<std::size_t> after = chosen(next, choice.of_new, "--shim-of-new");
  std::vector<std::optional<std::size_t>> before;
  for (const NamedReport& base : baselines) {
    before.push_back(chosen(base, choice.of_base, "--shim-of-base"));
  }
  ShimPairs result;
  for (std::size_t i = 0; i < next.report.shims.size(); ++i) {
    if (after && *after != i) continue;
    ShimPair pair{{}, side_of(next, i)};
    const std::string& label = next.report.shims[i].label;
    for (std::size_t b = 0; b < baselines.size(); ++b) {
      // A shim that stands alone has whatever label; of several, the label decides.
      const bool alone = before[b] && after;
      const auto shim = alone ? before[b] : index_of(baselines[b].report, label);
      if (shim && (!before[b] || *before[b] == *shim)) {
        pair.baselines.push_back(side_of(baselines[b], *shim));
      }
    }
    if (pair.baselines.size() == baselines.size()) {
      result.pairs.push_back(std::move(pair));
    } else {
      result.alone.push_back(pair.candidate.name);
    }
  }
  if (result.pairs.empty()) refuse(baselines.front(), next);
  for (std::size_t b = 0; b < baselines.size(); ++b) {
    if (before[b]) continue;
    for (std::size_t i = 0; i < baselines[b].report.shims.size(); ++i) {
      const bool used =
          std::any_of(result.pairs.begin(), result.pairs.end(),
                      [b, i](const ShimPair& pair) { return pair.baselines[b].shim == i; });
      if (!used && !after) result.alone.push_back(side_of(baselines[b], i).name);
    }
  }
  return result;
}

}  // namespace fa2bench
