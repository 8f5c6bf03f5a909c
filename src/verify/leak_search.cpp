// SPDX-License-Identifier: MIT
#include "verify/leak_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <vector>

#include "base/half.hpp"
#include "verify/block_mistakes.hpp"
#include "verify/poison.hpp"
#include "verify/tolerance.hpp"

namespace fa2bench {
namespace {

/// One is a number and the other is not, or they are further apart than a correct call may err.
bool differ(double a, double b, double bound) {
  return std::isfinite(a) != std::isfinite(b) || std::abs(a - b) > bound;
}

bool differ(const Reference& reference, const Observed& a, const Observed& b) {
  if (a.out_scan.non_finite != b.out_scan.non_finite) return true;
  if (a.lse_scan.non_finite != b.lse_scan.non_finite) return true;
  for (std::size_t row = 0; row < reference.rows.size(); ++row) {
    const std::int64_t keys = reference.rows[row].visible_keys;
    for (int head = 0; head < reference.num_heads; ++head) {
      const HeadReference& exact = reference.at(row, head);
      const std::uint16_t* left = a.out_at(reference, row, head);
      const std::uint16_t* right = b.out_at(reference, row, head);
      for (std::size_t d = 0; d < exact.out.size(); ++d) {
        if (differ(static_cast<double>(half_to_float(left[d])),
                   static_cast<double>(half_to_float(right[d])),
                   element_tolerance(exact, d, keys).bound)) {
          return true;
        }
      }
      if (differ(static_cast<double>(a.lse_at(reference, row, head)),
                 static_cast<double>(b.lse_at(reference, row, head)), lse_tolerance(exact))) {
        return true;
      }
    }
  }
  return false;
}

class LeakSearch {
 public:
  LeakSearch(const Verifier& verifier, Device& device, const WorkloadBuffers& buffers,
             const std::function<bool()>& call)
      : keeps_unused_blocks_(is_too_large_to_fill(device, verifier.plan())),
        verifier_(verifier),
        device_(device),
        buffers_(buffers),
        call_(call) {}

  std::string run() {
    const BlockTable harmless = table_with({false, keeps_unused_blocks_, false});
    const std::optional<Observed> plain = call_with(harmless);
    if (!plain) return "";
    if (std::string name = verifier_.name(*plain, harmless); !name.empty()) return name;

    std::vector<std::string> leaks;
    if (matters({true, keeps_unused_blocks_, false}, *plain)) {
      leaks.emplace_back("reads slots past seq_len");
    }
    if (matters({false, keeps_unused_blocks_, true}, *plain)) {
      leaks.push_back(fmt::format("follows unused table entries (unused: {})",
                                  to_text(verifier_.workload().table.unused)));
    }
    if (!keeps_unused_blocks_ && matters({false, true, false}, *plain)) {
      leaks.emplace_back(kUnusedBlocks);
    }
    if (leaks.empty()) return without_leak(harmless, *plain);
    if (!is_constant(harmless, *plain)) return "differs from call to call on the same inputs";
    // An offset that wraps leads there too.
    const std::string offset = leaks.size() == 1 && leaks.front() == kUnusedBlocks
                                   ? offset_suspicion(evidence(harmless, *plain), true)
                                   : "";
    return fmt::format("{}{}{}", fmt::join(leaks, " and "), offset.empty() ? "" : ", ", offset);
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// To make ordinary data of all unused blocks takes a CPU a second for so many elements.
  static bool is_too_large_to_fill(const Device& device, const Plan& plan) {
    return device.facts().kind == DeviceKind::host && plan.memory.k_pool > mib(256);
  }

  [[nodiscard]] BlockTable table_with(const Poison& poison) const {
    return with_poison(verifier_.workload(), verifier_.table(), poison);
  }

  /// None once a call has failed or the search has become too long.
  std::optional<Observed> call_with(const BlockTable& table) {
    const Clock::time_point start = Clock::now();
    if (ended_ || start - start_ + longest_ > kMostTime) {
      ended_ = true;
      return std::nullopt;
    }
    buffers_.refill(verifier_.workload(), table);
    buffers_.poison_outputs();
    ended_ = !call_();
    ++calls_;
    if (ended_) return std::nullopt;
    Observed observed = verifier_.observe(device_, buffers_);
    longest_ = std::max<Seconds>(longest_, Clock::now() - start);
    return observed;
  }

  /// Whether the call leaves something else with this poison than with none.
  bool matters(const Poison& poison, const Observed& plain) {
    const std::optional<Observed> poisoned = call_with(table_with(poison));
    return poisoned && differ(verifier_.reference(), plain, *poisoned);
  }

  /// As many calls again as the search has made: what changes by itself is nobody's poison.
  bool is_constant(const BlockTable& table, const Observed& plain) {
    for (int i = calls_; i > 0; --i) {
      const std::optional<Observed> again = call_with(table);
      if (again && differ(verifier_.reference(), plain, *again)) return false;
    }
    return true;
  }

  [[nodiscard]] Evidence evidence(const BlockTable& table, const Observed& left) const {
    return {verifier_.workload(), verifier_.plan(), table, verifier_.reference(), left};
  }

  [[nodiscard]] std::string without_leak(const BlockTable& table, const Observed& plain) const {
    const PairLists pairs = list_pairs(evidence(table, plain));
    if (pairs.wrong_out.empty() && pairs.wrong_lse.empty()) {
      return ended_ ? "" : "wrong in one call and right in those after it";
    }
    const bool finite = plain.out_scan.non_finite + plain.lse_scan.non_finite == 0;
    if (!finite && !keeps_unused_blocks_ && !ended_) {
      return "NaN or infinite whatever the memory holds that it must not read";
    }
    return offset_suspicion(evidence(table, plain), true);
  }

  static constexpr Seconds kMostTime{15.0};
  static constexpr const char* kUnusedBlocks = "reads unused blocks";

  bool keeps_unused_blocks_;
  bool ended_ = false;
  int calls_ = 0;
  Clock::time_point start_ = Clock::now();
  Seconds longest_{};
  const Verifier& verifier_;
  Device& device_;
  const WorkloadBuffers& buffers_;
  const std::function<bool()>& call_;
};

}  // namespace

std::string find_leak(const Verifier& verifier, Device& device, const WorkloadBuffers& buffers,
                      const std::function<bool()>& call) {
  return LeakSearch(verifier, device, buffers, call).run();
}

}  // namespace fa2bench
