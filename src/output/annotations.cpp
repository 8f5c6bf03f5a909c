// SPDX-License-Identifier: MIT
#include "output/annotations.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/text.hpp"
#include "output/cases.hpp"

namespace fa2bench {
namespace {

/// What the runner would take for the end of a message, or of a property.
std::string escaped(const std::string& text, bool property) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '%':
        safe += "%25";
        break;
      case '\r':
        safe += "%0D";
        break;
      case '\n':
        safe += "%0A";
        break;
      case ':':
        safe += property ? "%3A" : ":";
        break;
      case ',':
        safe += property ? "%2C" : ",";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string line(const char* kind, const std::string& title, const std::string& message) {
  return fmt::format("::{} title={}::{}\n", kind, escaped(title, true), escaped(message, false));
}

std::string lines(const char* kind, const std::vector<const Case*>& cases) {
  constexpr std::size_t kShown = 10;
  std::string text;
  const std::size_t single = cases.size() <= kShown ? cases.size() : kShown - 1;
  for (std::size_t i = 0; i < single; ++i) {
    const Case& of = *cases[i];
    text += line(kind, fmt::format("{}: {}", to_text(of.outcome), case_name(of)),
                 fmt::format("{}: {}", of.shim, of.message));
  }
  if (single < cases.size()) {
    text += line(kind, "ferrum-fa2-bench",
                 fmt::format("and {} more of this kind; see the result", cases.size() - single));
  }
  return text;
}

}  // namespace

std::string github_annotations(const Report& report) {
  const std::vector<Case> cases = cases_of(report);
  std::vector<const Case*> errors;
  std::vector<const Case*> warnings;
  for (const Outcome outcome :
       {Outcome::wrong, Outcome::failed, Outcome::not_run, Outcome::slower}) {
    for (const Case& of : cases) {
      if (of.outcome == outcome) errors.push_back(&of);
    }
  }
  for (const Case& of : cases) {
    if (of.outcome == Outcome::inconclusive) warnings.push_back(&of);
  }
  std::string text = lines("error", errors) + lines("warning", warnings);
  if (!report.unmet_requirement.empty()) {
    text += line("error", "requirement not met", printable(report.unmet_requirement));
  }
  return text + line("notice", "ferrum-fa2-bench", summary_of(report, cases));
}

}  // namespace fa2bench
