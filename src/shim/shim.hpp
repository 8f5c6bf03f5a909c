// SPDX-License-Identifier: MIT
// A loaded shim: its entry point, what it says of itself, and how to call it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "abi/call.hpp"

namespace fa2bench {

/// What a shim says of itself. The defaults hold for one that says nothing.
struct ShimDescription {
  std::string name;                  ///< "" if not given
  std::string version;               ///< "" if not given
  bool device_memory = true;         ///< false: its pointers are host memory
  std::vector<int> head_dims{128};   ///< never empty
  std::vector<int> block_sizes{16};  ///< never empty
  bool described = false;            ///< false: it exports no ferrum_fa2_shim_describe
};

/// The size of err_buf that Ferrum passes, and so do we.
inline constexpr std::size_t kErrBufBytes = 512;

/// How one call ended.
struct CallOutcome {
  int code = 0;         ///< 0: FERRUM_FA2_OK
  std::string message;  ///< printable, one line; empty if and only if code == 0
  /// The shim wrote behind the err_buf_len bytes it was given: it corrupts its caller's memory.
  bool wrote_past_err_buf = false;
};

/// A return code in words: "unsupported shape"; "a code of its own" if the contract has no such.
[[nodiscard]] std::string_view code_meaning(int code);

/// The text a shim left in `err_buf`: up to its NUL or the end, printable and on one line. Says so
/// where there is no text or no NUL. Made for the buffer of call_timed() after a code != 0.
[[nodiscard]] std::string err_buf_text(std::span<const char> err_buf);

/// A shared library in this process with its entry point. Move-only, and never unloaded: device
/// code may stay registered, and the library's threads may live on, until the process ends.
class Shim {
 public:
  /// For load_shim(), and for tests that call a function of their own.
  Shim(std::filesystem::path path, PagedVarlenFn function, ShimDescription description,
       std::vector<std::filesystem::path> libraries);
  Shim(const Shim&) = delete;
  Shim& operator=(const Shim&) = delete;
  Shim(Shim&&) noexcept = default;
  Shim& operator=(Shim&&) noexcept = default;
  ~Shim() = default;

  /// Absolute, symbolic links not followed.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] PagedVarlenFn entry() const { return entry_; }
  [[nodiscard]] const ShimDescription& description() const { return description_; }
  /// The libraries that came with it: mapped by the same dlopen, or needed by it and there before.
  [[nodiscard]] const std::vector<std::filesystem::path>& libraries() const { return libraries_; }

  /// One call with an error buffer of its own. `stream` is null for a host shim. A C++ exception
  /// that leaves the shim is caught: code FERRUM_FA2_EXCEPTION, and the message says so.
  [[nodiscard]] CallOutcome call(const PagedVarlenCall& arguments, void* stream) const;

  /// The bare call, for timing: no text, no allocation. The caller fills `err_buf` with zeros once
  /// and reads it with err_buf_text() if the code is not 0. An exception ends the process.
  [[nodiscard]] int call_timed(const PagedVarlenCall& arguments, void* stream,
                               std::span<char> err_buf) const noexcept {
    return invoke(entry_, arguments, stream, err_buf.data(), err_buf.size());
  }

 private:
  std::filesystem::path path_;
  PagedVarlenFn entry_;
  ShimDescription description_;
  std::vector<std::filesystem::path> libraries_;
};

/// Opens the library with RTLD_NOW and local scope, finds the entry point and reads the
/// description. This runs the library's own code (constructors, describe). Throws
/// Error(environment), one line with the path, the cause and the fix. `rtld_global` is the way out
/// for torch-linked shims whose parts look for each other's symbols.
[[nodiscard]] Shim load_shim(const std::filesystem::path& path, bool rtld_global = false);

}  // namespace fa2bench
