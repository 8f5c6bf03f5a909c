// SPDX-License-Identifier: MIT
// SHA-256 of texts and files.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace fa2bench {

/// A digest that grows. Throws Error(internal) if the crypto library refuses.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void update(std::string_view bytes);
  /// Reads the file in pieces. Throws Error(environment) if it cannot be read.
  void update_with_file(const std::filesystem::path& path);
  /// 64 hex digits; call once, last.
  [[nodiscard]] std::string hex();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// 64 hex digits.
[[nodiscard]] std::string sha256_of_text(std::string_view text);
/// 64 hex digits. Throws Error(environment) if the file cannot be read.
[[nodiscard]] std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace fa2bench
