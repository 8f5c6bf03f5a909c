// SPDX-License-Identifier: MIT
// A JSON file as a tree that remembers lines, and a reader that reports faults by place.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fa2bench {

struct JsonMember;

/// One JSON value with the line it ends on. Objects keep file order.
struct JsonValue {
  enum class Kind { null, boolean, integer, number, string, array, object };

  Kind kind = Kind::null;
  int line = 0;                 ///< 1-based
  bool boolean = false;         ///< kind boolean
  bool negative = false;        ///< kind integer: sign of `magnitude`
  std::uint64_t magnitude = 0;  ///< kind integer
  double number = 0.0;          ///< kind number: a fraction, exponent, or an integer past 64 bits
  std::string text;             ///< kind string: its value; kind number: as written
  std::vector<JsonValue> elements;  ///< kind array
  std::vector<JsonMember> members;  ///< kind object, no duplicate keys

  /// The value as it would be quoted in a message, cut to one short line.
  [[nodiscard]] std::string quote() const;
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

/// A parsed file. `name` is what messages call it.
struct JsonDocument {
  std::string name;
  JsonValue root;
};

/// Bounds against hostile input; those of configs, which are written by hand.
inline constexpr int kMaxJsonDepth = 64;
inline constexpr std::uint64_t kMaxJsonBytes = 64ULL << 20U;
/// An object's member counts twice, for its key. A value takes about 110 bytes here, whatever its
/// text is, so this is what bounds the memory.
inline constexpr std::uint64_t kMaxJsonValues = 3ULL << 20U;
inline constexpr std::size_t kMaxJsonMembers = std::size_t{1} << 16U;  ///< of one object

/// What bounds the size of a file; the others hold for all.
struct JsonBounds {
  std::uint64_t bytes = kMaxJsonBytes;
  std::uint64_t values = kMaxJsonValues;
};

/// Parses strict JSON; a UTF-8 byte-order mark is accepted. Throws Error(usage) that names file,
/// line and cause: syntax, comment, trailing comma, duplicate key, UTF-16, empty, too deep, too
/// big, too many values.
JsonDocument parse_json(std::string name, std::string_view text, const JsonBounds& bounds = {});
/// Reads and parses. Throws Error(usage) if the file is missing or not readable. `bytes`, if given,
/// receives what was read: a pipe cannot be read twice.
JsonDocument load_json(const std::filesystem::path& path, std::string* bytes = nullptr,
                       const JsonBounds& bounds = {});

class JsonElements;
class JsonMembers;

/// A place in a document. Borrows the document. Every mismatch throws Error(usage) as
///   file:line: path: found X; expected Y
class JsonReader {
 public:
  explicit JsonReader(const JsonDocument& document)
      : name_(&document.name), value_(&document.root) {}
  /// A value made elsewhere (a sweep's copy); `path` is its place in `name`.
  JsonReader(const std::string& name, const JsonValue& value, std::string path)
      : name_(&name), value_(&value), path_(std::move(path)) {}

  [[nodiscard]] const JsonValue& value() const { return *value_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& document_name() const { return *name_; }
  [[nodiscard]] int line() const { return value_->line; }

  /// Throws; `found` is the value's own text if empty.
  [[noreturn]] void fail(std::string_view expected, std::string_view found = {}) const;

  /// Requires an object whose keys are all in `known`; keys that start with "_" are notes.
  void require_keys(const std::vector<std::string>& known) const;
  /// Requires an object; the member, if there.
  [[nodiscard]] std::optional<JsonReader> find(std::string_view key) const;
  /// Requires an object that has the member.
  [[nodiscard]] JsonReader at(std::string_view key) const;
  /// Requires an array.
  [[nodiscard]] JsonElements elements() const;
  /// Requires an object; its members less the notes, in file order.
  [[nodiscard]] JsonMembers members() const;

  /// Requires an integer in [lowest, highest]; "1e3" and "2.0" are not integers.
  [[nodiscard]] std::int64_t integer(std::int64_t lowest, std::int64_t highest) const;
  /// Requires an unsigned 64-bit integer, as a number or as a decimal string.
  [[nodiscard]] std::uint64_t unsigned64() const;
  /// Requires a finite number in [lowest, highest].
  [[nodiscard]] double number(double lowest, double highest) const;
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] const std::string& text() const;
  /// Requires a string from `choices`; returns its index.
  [[nodiscard]] std::size_t one_of(const std::vector<std::string>& choices) const;

 private:
  [[nodiscard]] JsonReader child(const JsonValue& value, std::string path) const {
    return {*name_, value, std::move(path)};
  }

  friend class JsonElements;
  friend class JsonMembers;

  const std::string* name_;
  const JsonValue* value_;
  std::string path_;
};

/// The elements of an array. A reader is made when it is asked for: a million of them, each with
/// its path, would take more memory than the array.
class JsonElements {
 public:
  class Iterator {
   public:
    Iterator(const JsonElements* list, std::size_t index) : list_(list), index_(index) {}
    JsonReader operator*() const { return (*list_)[index_]; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return index_ != other.index_; }

   private:
    const JsonElements* list_;
    std::size_t index_;
  };

  explicit JsonElements(JsonReader array) : array_(std::move(array)) {}

  [[nodiscard]] std::size_t size() const { return array_.value().elements.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] JsonReader operator[](std::size_t index) const;
  [[nodiscard]] Iterator begin() const { return {this, 0}; }
  [[nodiscard]] Iterator end() const { return {this, size()}; }

 private:
  JsonReader array_;
};

/// The members of an object less the notes, likewise.
class JsonMembers {
 public:
  class Iterator {
   public:
    Iterator(const JsonMembers* list, std::size_t index) : list_(list), index_(index) {
      skip_notes();
    }
    std::pair<const std::string&, JsonReader> operator*() const;
    Iterator& operator++() {
      ++index_;
      skip_notes();
      return *this;
    }
    bool operator!=(const Iterator& other) const { return index_ != other.index_; }

   private:
    void skip_notes();

    const JsonMembers* list_;
    std::size_t index_;
  };

  explicit JsonMembers(JsonReader object) : object_(std::move(object)) {}

  [[nodiscard]] Iterator begin() const { return {this, 0}; }
  [[nodiscard]] Iterator end() const { return {this, object_.value().members.size()}; }

 private:
  JsonReader object_;
};

}  // namespace fa2bench
