// SPDX-License-Identifier: MIT
// The parser: nlohmann's SAX events, with lines counted by the iterator it reads through.
#include "base/json_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "base/error.hpp"
#include "base/text.hpp"

namespace fa2bench {
namespace {

using nlohmann::json;

/// Where the parser is. The lexer reads one character past a number; counting up to the last
/// character that is not white space keeps such a number on its own line.
struct Position {
  int line = 1;        ///< of the last character read
  int token_line = 1;  ///< of the last character that is not white space
};

class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, Position* position) : at_(at), position_(position) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    const char c = *at_;
    if (c == '\n') {
      ++position_->line;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      position_->token_line = position_->line;
    }
    ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) {
    return a.at_ == b.at_;
  }
  friend bool operator!=(const CountingIterator& a, const CountingIterator& b) { return !(a == b); }

 private:
  const char* at_;
  Position* position_;
};

/// Builds the tree; a fault is thrown as Error straight through the parser.
class TreeBuilder : public nlohmann::json_sax<json> {
 public:
  TreeBuilder(const std::string& name, std::string_view text, const Position& position,
              std::uint64_t most_values, JsonValue& root)
      : name_(name), text_(text), position_(position), most_values_(most_values), root_(root) {}

  bool null() override {
    add(JsonValue::Kind::null);
    return true;
  }
  bool boolean(bool value) override {
    add(JsonValue::Kind::boolean).boolean = value;
    return true;
  }
  bool number_integer(number_integer_t value) override {
    JsonValue& place = add(JsonValue::Kind::integer);
    place.negative = value < 0;
    place.magnitude =
        value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    return true;
  }
  bool number_unsigned(number_unsigned_t value) override {
    add(JsonValue::Kind::integer).magnitude = value;
    return true;
  }
  bool number_float(number_float_t value, const string_t& raw) override {
    JsonValue& place = add(JsonValue::Kind::number);
    place.number = value;
    place.text = raw;
    return true;
  }
  bool string(string_t& value) override {
    add(JsonValue::Kind::string).text = std::move(value);
    return true;
  }
  bool binary(binary_t& /*value*/) override { return false; }  // not in JSON text
  bool start_object(std::size_t /*size*/) override {
    open(JsonValue::Kind::object);
    keys_.emplace_back();
    return true;
  }
  bool end_object() override {
    keys_.pop_back();
    open_.pop_back();
    return true;
  }
  bool start_array(std::size_t /*size*/) override {
    open(JsonValue::Kind::array);
    return true;
  }
  bool end_array() override {
    open_.pop_back();
    return true;
  }
  bool key(string_t& name) override {
    count();
    if (!is_new(name)) {
      fail(fmt::format("duplicate key \"{}\"; expected each key once",
                       printable(name.substr(0, 80))));
    }
    open_.back()->members.push_back({std::move(name), {}});
    return true;
  }
  bool parse_error(std::size_t byte, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    constexpr int kNumberTooLarge = 406;
    if (error.id == kNumberTooLarge) {
      fail(fmt::format("the number {} is too large; expected at most about 1.8e308",
                       printable(token.substr(0, 40))));
    }
    fail(syntax_fault(byte, token));
  }

 private:
  /// Whether the open object lacks this key. Few keys are compared one by one: most objects are
  /// small, and a set for each would cost more than the object.
  bool is_new(const std::string& name) {
    constexpr std::size_t kFew = 16;
    const std::vector<JsonMember>& members = open_.back()->members;
    if (members.size() >= kMaxJsonMembers) {
      fail(fmt::format("more keys; expected at most {} keys in one object", kMaxJsonMembers));
    }
    if (members.size() < kFew) {
      return std::none_of(members.begin(), members.end(),
                          [&](const JsonMember& member) { return member.name == name; });
    }
    std::unordered_set<std::string>& keys = keys_.back();
    if (keys.empty()) {
      for (const JsonMember& member : members) keys.insert(member.name);
    }
    return keys.insert(name).second;
  }

  void count() {
    if (++values_ > most_values_) {
      fail(fmt::format("more values; expected at most {} values in one file", most_values_));
    }
  }

  JsonValue& add(JsonValue::Kind kind) {
    count();
    JsonValue* place = &root_;
    if (!open_.empty()) {
      JsonValue& parent = *open_.back();
      place = parent.kind == JsonValue::Kind::array ? &parent.elements.emplace_back()
                                                    : &parent.members.back().value;
    }
    place->kind = kind;
    place->line = position_.token_line;
    return *place;
  }

  // A pointer into a parent's vector stays good: the parent does not grow while a child is open.
  void open(JsonValue::Kind kind) {
    if (open_.size() >= kMaxJsonDepth) {
      fail(fmt::format("nested too deeply; expected at most {} levels", kMaxJsonDepth));
    }
    open_.push_back(&add(kind));
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::usage, fmt::format("{}:{}: {}", name_, position_.token_line, what));
  }

  /// Says what people get wrong most; `byte` is the 1-based offset just read.
  [[nodiscard]] std::string syntax_fault(std::size_t byte, std::string_view token) const {
    const bool ended = byte > text_.size();
    const std::size_t at = ended ? trimmed_end(text_).size() : (byte == 0 ? 0 : byte - 1);
    const std::size_t line_start = text_.rfind('\n', at == 0 ? 0 : at - 1);
    const std::size_t column = line_start == std::string_view::npos ? at + 1 : at - line_start;
    const std::string_view before = trimmed_end(text_.substr(0, at));
    const char here = ended ? '\0' : text_[at];
    std::string cause;
    if (ended) {
      cause = "the file ends too early; expected the rest of the JSON";
    } else if ((here == '}' || here == ']') && before.ends_with(',')) {
      cause = "a trailing comma; expected none in JSON";
    } else if ((here == '/' || here == '#') && !is_open_string(token)) {
      cause = "a comment; expected none in JSON (a key that starts with \"_\" is free for notes)";
    } else {
      cause = fmt::format("syntax error at \"{}\"; expected strict JSON",
                          printable(token.substr(0, 40)));
    }
    return fmt::format("column {}: {}", column, cause);
  }

  /// A string that is not closed. The parser's token is what it read since the last string or
  /// number began, so one that is closed only stands before the fault.
  static bool is_open_string(std::string_view token) {
    if (!token.starts_with('"')) return false;
    for (std::size_t i = 1; i < token.size(); ++i) {
      if (token[i] == '"') return false;
      if (token[i] == '\\') ++i;
    }
    return true;
  }

  static std::string_view trimmed_end(std::string_view text) {
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    return last == std::string_view::npos ? std::string_view{} : text.substr(0, last + 1);
  }

  const std::string& name_;
  std::string_view text_;
  const Position& position_;
  std::uint64_t most_values_;
  JsonValue& root_;
  std::uint64_t values_ = 0;
  std::vector<JsonValue*> open_;
  std::vector<std::unordered_set<std::string>> keys_;
};

void refuse_other_encodings(const std::string& name, std::string_view text) {
  const auto refuse = [&](const char* what) {
    throw Error(ErrorKind::usage, fmt::format("{}:1: {}; expected UTF-8 JSON", name, what));
  };
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF") ||
      (text.size() >= 2 && (text[0] == '\0') != (text[1] == '\0'))) {
    refuse("found UTF-16 or UTF-32 text");
  }
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) refuse("the file is empty");
  // The lexer takes a NUL for the end of the text and would not see what follows.
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(nul), '\n');
    throw Error(ErrorKind::usage, fmt::format("{}:{}: a NUL byte; expected text", name, line));
  }
}

}  // namespace

JsonDocument parse_json(std::string name, std::string_view text, const JsonBounds& bounds) {
  if (text.size() > bounds.bytes) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: {} bytes; expected at most {}", name, text.size(), bounds.bytes));
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  refuse_other_encodings(name, text);
  JsonDocument document{std::move(name), {}};
  Position position;
  TreeBuilder builder(document.name, text, position, bounds.values, document.root);
  json::sax_parse(CountingIterator(text.data(), &position),
                  CountingIterator(text.data() + text.size(), &position), &builder);
  return document;
}

JsonDocument load_json(const std::filesystem::path& path, std::string* bytes,
                       const JsonBounds& bounds) {
  const std::string name = printable(path.string());
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::usage, fmt::format("{}: {}", name, why));
  };
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (!std::filesystem::exists(status)) refuse("no such file; expected a JSON file");
  if (std::filesystem::is_directory(status)) refuse("is a directory; expected a JSON file");
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse("cannot be read; check its permissions");
  std::string text;
  std::vector<char> chunk(1U << 16U);
  while (file.read(chunk.data(), static_cast<std::streamsize>(chunk.size())) || file.gcount() > 0) {
    text.append(chunk.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > bounds.bytes) break;  // parse_json says so
  }
  if (file.bad()) refuse("reading failed");
  JsonDocument document = parse_json(name, text, bounds);
  if (bytes != nullptr) *bytes = std::move(text);
  return document;
}

}  // namespace fa2bench
