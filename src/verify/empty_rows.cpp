// SPDX-License-Identifier: MIT
#include "verify/empty_rows.hpp"

#include <cstddef>
#include <optional>

namespace fa2bench {
namespace {

EmptyOut out_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::canary:
      return EmptyOut::unwritten;
    case ValueKind::zero:
      return EmptyOut::zero;
    case ValueKind::nan:
      return EmptyOut::nan;
    case ValueKind::positive_infinity:
    case ValueKind::negative_infinity:
    case ValueKind::other:
      break;
  }
  return EmptyOut::other;
}

EmptyLse lse_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::canary:
      return EmptyLse::unwritten;
    case ValueKind::nan:
      return EmptyLse::nan;
    case ValueKind::positive_infinity:
      return EmptyLse::pos_inf;
    case ValueKind::negative_infinity:
      return EmptyLse::neg_inf;
    case ValueKind::zero:
    case ValueKind::other:
      break;
  }
  return EmptyLse::other;
}

/// What all counted elements are by `name_of`, or `mixed`.
template <typename Name>
Name common_name(const ValueCounts& counts, Name (*name_of)(ValueKind), Name mixed) {
  std::optional<Name> common;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const Name name = name_of(static_cast<ValueKind>(i));
    if (common.value_or(name) != name) return mixed;
    common = name;
  }
  return common.value_or(mixed);
}

}  // namespace

const char* to_text(EmptyOut value) {
  switch (value) {
    case EmptyOut::zero:
      return "zero";
    case EmptyOut::nan:
      return "nan";
    case EmptyOut::unwritten:
      return "unwritten";
    case EmptyOut::other:
      return "other";
    case EmptyOut::mixed:
      break;
  }
  return "mixed";
}

const char* to_text(EmptyLse value) {
  switch (value) {
    case EmptyLse::neg_inf:
      return "neg_inf";
    case EmptyLse::pos_inf:
      return "pos_inf";
    case EmptyLse::nan:
      return "nan";
    case EmptyLse::unwritten:
      return "unwritten";
    case EmptyLse::other:
      return "other";
    case EmptyLse::mixed:
      break;
  }
  return "mixed";
}

EmptyRows name_convention(std::int64_t rows, const ValueCounts& out, const ValueCounts& lse) {
  return {rows, common_name(out, out_of, EmptyOut::mixed),
          common_name(lse, lse_of, EmptyLse::mixed)};
}

}  // namespace fa2bench
