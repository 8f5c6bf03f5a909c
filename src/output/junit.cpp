// SPDX-License-Identifier: MIT
#include "output/junit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "base/units.hpp"
#include "compare/outcome.hpp"
#include "output/cases.hpp"
#include "output/comparison_table.hpp"

namespace fa2bench {
namespace {

/// For text and attributes. XML 1.0 has no way to write a control character or U+FFFE, U+FFFF.
std::string escaped(const std::string& text) {
  std::string safe;
  const std::string line = printable(text);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string_view rest = std::string_view(line).substr(i);
    if (rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF")) {
      i += 2;
      continue;
    }
    switch (line[i]) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&apos;";
        break;
      default:
        safe += line[i];
    }
  }
  return safe;
}

double seconds(const Case& of) { return of.timing == nullptr ? 0.0 : of.timing->samples.wall_s; }

const char* element_of(const Case& of) {
  switch (of.outcome) {
    case Outcome::wrong:
    case Outcome::slower:
    case Outcome::missed:
    case Outcome::inconclusive:
      return "failure";
    case Outcome::failed:
      return "error";
    case Outcome::not_run:
    case Outcome::skipped:
      return "skipped";
    case Outcome::passed:
      break;
  }
  return "";
}

std::string figures(const Case& of) {
  std::string text;
  if (of.timing != nullptr) {
    text =
        fmt::format("median {} of a call, host {}", to_text(Microseconds(of.timing->device.median)),
                    to_text(Microseconds(of.timing->host.median)));
  }
  if (of.comparison != nullptr) {
    if (!text.empty()) text += "; ";
    text += fmt::format("against {}: {}, {}", of.comparison->baseline, change_text(*of.comparison),
                        verdict_text(*of.comparison));
  }
  return text;
}

std::string test_case(const Case& of) {
  std::string text = fmt::format(R"(    <testcase name="{}" classname="{}" time="{:.3f}">)",
                                 escaped(case_name(of)), escaped(of.shim), seconds(of));
  text += '\n';
  const std::string element = element_of(of);
  if (element == "skipped") {
    text += fmt::format("      <skipped message=\"{}\"/>\n", escaped(of.message));
  } else if (!element.empty()) {
    const char* type = of.outcome == Outcome::failed ? to_text(of.status) : to_text(of.outcome);
    text += fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{2}</{0}>\n", element, type,
                        escaped(of.message));
  }
  const std::string out = figures(of);
  if (!out.empty()) text += fmt::format("      <system-out>{}</system-out>\n", escaped(out));
  if (of.run != nullptr && !of.run->output.empty()) {
    text += fmt::format("      <system-err>{}</system-err>\n", escaped(of.run->output));
  }
  return text + "    </testcase>\n";
}

/// tests="3" failures="1" errors="0" skipped="0" time="1.250"
template <typename Holds>
std::string counts(const std::vector<Case>& cases, const Holds& holds) {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
  double time = 0.0;
  for (const Case& of : cases) {
    if (!holds(of)) continue;
    const std::string_view element = element_of(of);
    ++tests;
    failures += element == "failure" ? 1 : 0;
    errors += element == "error" ? 1 : 0;
    skipped += element == "skipped" ? 1 : 0;
    time += seconds(of);
  }
  return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}" time="{:.3f}")", tests,
                     failures, errors, skipped, time);
}

}  // namespace

std::string to_junit(const Report& report) {
  const std::vector<Case> cases = cases_of(report);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuites name=\"ferrum-fa2-bench\" {}>\n",
                      counts(cases, [](const Case&) { return true; }));
  // The time zone is left out, as the JUnit schema wants it.
  const std::string started = report.started.substr(0, report.started.find('Z'));
  for (const std::string& shim : shims_of(cases)) {
    text += fmt::format("  <testsuite name=\"{}\" {}", escaped(shim),
                        counts(cases, [&](const Case& of) { return of.shim == shim; }));
    if (!started.empty()) text += fmt::format(" timestamp=\"{}\"", escaped(started));
    if (!report.host.hostname.empty()) {
      text += fmt::format(" hostname=\"{}\"", escaped(report.host.hostname));
    }
    text += ">\n";
    for (const Case& of : cases) {
      if (of.shim == shim) text += test_case(of);
    }
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

}  // namespace fa2bench
