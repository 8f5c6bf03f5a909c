// SPDX-License-Identifier: MIT
#include "base/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"

namespace fa2bench {

struct Sha256::Context {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> state{EVP_MD_CTX_new(), &EVP_MD_CTX_free};
};

namespace {

void require(bool done) {
  if (!done) throw Error(ErrorKind::internal, "SHA-256 is refused by the crypto library");
}

}  // namespace

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  require(context_->state != nullptr &&
          EVP_DigestInit_ex(context_->state.get(), EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() = default;

void Sha256::update(std::string_view bytes) {
  require(EVP_DigestUpdate(context_->state.get(), bytes.data(), bytes.size()) == 1);
}

void Sha256::update_with_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> chunk(1U << 20U);
  while (file.read(chunk.data(), static_cast<std::streamsize>(chunk.size())) || file.gcount() > 0) {
    update({chunk.data(), static_cast<std::size_t>(file.gcount())});
  }
  if (!file.eof()) {
    throw Error(ErrorKind::environment,
                fmt::format("{}: cannot be read to hash it", printable(path.string())));
  }
}

std::string Sha256::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  require(EVP_DigestFinal_ex(context_->state.get(), digest.data(), &length) == 1);
  std::string text;
  for (unsigned i = 0; i < length; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

std::string sha256_of_text(std::string_view text) {
  Sha256 digest;
  digest.update(text);
  return digest.hex();
}

std::string sha256_of_file(const std::filesystem::path& path) {
  Sha256 digest;
  digest.update_with_file(path);
  return digest.hex();
}

}  // namespace fa2bench
