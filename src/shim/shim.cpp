// SPDX-License-Identifier: MIT
// The call and its text. A shim may leave the buffer empty, unterminated, or full of bytes that are
// not text; none of it may reach a terminal or a result file unfiltered.
#include "shim/shim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <utility>

#include "base/text.hpp"

namespace fa2bench {
namespace {

/// Behind the buffer, so that an overrun is seen and harms nothing of ours.
constexpr std::size_t kGuardBytes = 512;
constexpr char kGuard = '\x5A';

}  // namespace

std::string_view code_meaning(int code) {
  switch (code) {
    case FERRUM_FA2_OK:
      return "ok";
    case FERRUM_FA2_NULL_POINTER:
      return "null pointer";
    case FERRUM_FA2_BAD_SIZE:
      return "bad size";
    case FERRUM_FA2_UNSUPPORTED:
      return "unsupported shape";
    case FERRUM_FA2_LAUNCH_FAILED:
      return "launch failed";
    case FERRUM_FA2_EXCEPTION:
      return "exception";
    case FERRUM_FA2_EXCEPTION + 1:
      return "exception that is not a std::exception";
    default:
      return "a code of its own";
  }
}

std::string err_buf_text(std::span<const char> err_buf) {
  const auto nul = std::find(err_buf.begin(), err_buf.end(), '\0');
  const std::string_view text(err_buf.data(), static_cast<std::size_t>(nul - err_buf.begin()));
  if (text.empty()) return "the shim gave no text";
  const bool cut = nul == err_buf.end();
  return printable(text) + (cut ? " [err_buf filled without a NUL]" : "");
}

Shim::Shim(std::filesystem::path path, PagedVarlenFn function, ShimDescription description,
           std::vector<std::filesystem::path> libraries)
    : path_(std::move(path)),
      entry_(function),
      description_(std::move(description)),
      libraries_(std::move(libraries)) {}

CallOutcome Shim::call(const PagedVarlenCall& arguments, void* stream) const {
  std::array<char, kErrBufBytes + kGuardBytes> memory{};
  const std::span<char> err_buf(memory.data(), kErrBufBytes);
  const std::span<char> guard(memory.data() + kErrBufBytes, kGuardBytes);
  std::fill(guard.begin(), guard.end(), kGuard);

  CallOutcome outcome;
  try {
    outcome.code = invoke(entry_, arguments, stream, err_buf.data(), err_buf.size());
    if (outcome.code != 0) outcome.message = err_buf_text(err_buf);
  } catch (const std::exception& error) {
    outcome.code = FERRUM_FA2_EXCEPTION;
    outcome.message =
        fmt::format("a C++ exception left the shim, which ends its caller: {}",
                    printable(std::string_view(error.what()).substr(0, kErrBufBytes)));
  } catch (...) {
    outcome.code = FERRUM_FA2_EXCEPTION;
    outcome.message = "a C++ exception left the shim, which ends its caller";
  }
  outcome.wrote_past_err_buf =
      std::any_of(guard.begin(), guard.end(), [](char c) { return c != kGuard; });
  return outcome;
}

}  // namespace fa2bench
