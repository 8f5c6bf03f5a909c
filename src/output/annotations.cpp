// SPDX-License-Identifier: MIT
#include "output/annotations.hpp"

#include <fmt/format.h>

#include <string_view>
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
    text += line(kind, fmt::format("{}: {}", outcome_text(of), case_name(of)),
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
       {Outcome::wrong, Outcome::failed, Outcome::not_run, Outcome::slower, Outcome::missed}) {
    for (const Case& of : cases) {
      if (of.outcome == outcome) errors.push_back(&of);
    }
  }
  for (const Case& of : cases) {
    if (of.outcome == Outcome::inconclusive) warnings.push_back(&of);
  }
  const std::string text = lines("error", errors) + lines("warning", warnings);
  return text + line("notice", "ferrum-fa2-bench", summary_of(report, cases));
}

std::string without_commands(const std::string& text) {
  std::string safe;
  bool starts = true;  // nothing but blanks on this line so far
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i);
    if (rest.starts_with("##[")) {
      safe += "\\x23";
    } else if (starts && rest.starts_with("::")) {
      safe += "\\x3a";
    } else {
      safe += text[i];
    }
    starts = text[i] == '\n' || (starts && (text[i] == ' ' || text[i] == '\t'));
  }
  return safe;
}

}  // namespace fa2bench
