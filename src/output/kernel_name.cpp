// SPDX-License-Identifier: MIT
#include "output/kernel_name.hpp"

#include <cctype>
#include <string_view>

namespace fa2bench {
namespace {

constexpr std::string_view kEllipsis = "…";

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// How deep a place is in brackets.
struct Depth {
  int angles = 0;
  int parentheses = 0;
  void pass(char c) {
    angles += (c == '<') - (c == '>');
    parentheses += (c == '(') - (c == ')');
  }
  [[nodiscard]] bool top() const { return angles == 0 && parentheses == 0; }
};

/// Without the brackets that it ends with.
std::string without_parameters(const std::string& name) {
  if (!name.ends_with(')')) return name;
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    depth += (name[i] == ')') - (name[i] == '(');
    if (depth == 0) return i == 0 ? name : name.substr(0, i);
  }
  return name;
}

/// Without what comes before the last space outside brackets.
std::string without_return_type(const std::string& name) {
  Depth depth;
  std::size_t start = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == ' ' && depth.top()) start = i + 1;
    depth.pass(name[i]);
  }
  return start < name.size() ? name.substr(start) : name;
}

/// Whether the brackets at `at` hold words only and something stands behind them: "(bool)1", and
/// "(anonymous namespace)::" with its colons. Where that ends, or `at`.
std::size_t after_cast(const std::string& name, std::size_t at) {
  std::size_t end = at + 1;
  while (end < name.size() && (is_word(name[end]) || name[end] == ' ')) ++end;
  if (end == at + 1 || end + 1 >= name.size() || name[end] != ')') return at;
  ++end;
  if (name.compare(end, 2, "::") == 0) return end + 2;
  return is_word(name[end]) || name[end] == '-' ? end : at;
}

std::string without_casts(const std::string& name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const std::size_t after = name[i] == '(' ? after_cast(name, i) : i;
    if (after == i) {
      text += name[i];
    } else {
      i = after - 1;
    }
  }
  return text;
}

/// Without "a::b::" before words.
std::string without_namespaces(const std::string& name) {
  std::string text;
  for (std::size_t i = 0; i < name.size();) {
    if (name.compare(i, 2, "::") != 0 || text.empty() || !is_word(text.back())) {
      text += name[i++];
      continue;
    }
    while (!text.empty() && is_word(text.back())) text.pop_back();
    i += 2;
  }
  return text;
}

/// With "<…>" for the arguments of arguments.
std::string without_inner_arguments(const std::string& name) {
  std::string text;
  int depth = 0;
  for (const char c : name) {
    if (c == '>') --depth;
    if (depth < 2) text += c;
    if (c == '<' && ++depth == 2) text += kEllipsis;
  }
  return text;
}

/// The first bytes, and no half of a letter.
std::string cut(const std::string& name, std::size_t bytes) {
  std::size_t end = bytes;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;
  return name.substr(0, end) + std::string(kEllipsis);
}

}  // namespace

std::string short_kernel_name(const std::string& demangled, std::size_t longest) {
  std::string name =
      without_namespaces(without_casts(without_return_type(without_parameters(demangled))));
  if (name.size() > longest) name = without_inner_arguments(name);
  return name.size() > longest ? cut(name, longest) : name;
}

}  // namespace fa2bench
