// SPDX-License-Identifier: MIT
#include "shim/file_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"
#include "shim/elf_file.hpp"

namespace fa2bench {
namespace {

namespace fs = std::filesystem;

class Refusal {
 public:
  explicit Refusal(const fs::path& path) : path_(printable(path.string())) {}
  [[noreturn]] void operator()(const std::string& why_and_fix) const {
    throw Error(ErrorKind::environment, fmt::format("shim {}: {}", path_, why_and_fix));
  }

 private:
  std::string path_;
};

void check_exists(const fs::path& path, const Refusal& refuse) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status)) {
    if (code && code != std::errc::no_such_file_or_directory) {
      refuse(
          fmt::format("cannot be reached: {}; check the path and its permissions", code.message()));
    }
    if (fs::is_symlink(fs::symlink_status(path, code))) {
      refuse(fmt::format("a symbolic link to {}, which does not exist; mend the link",
                         printable(fs::read_symlink(path, code).string())));
    }
    if (std::find(path.begin(), path.end(), "~") != path.end()) {
      refuse("no such file; the shell left the \"~\" as it is, write $HOME instead");
    }
    refuse("no such file; check the path (a name alone is looked for in the current folder)");
  }
  if (fs::is_directory(status)) refuse("is a directory; name the .so file in it");
  if (!fs::is_regular_file(status)) refuse("is not a regular file; name a .so file");
}

/// The first bytes, which say what a file that is not ELF may be.
std::string read_head(const fs::path& path, const Refusal& refuse) {
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse("cannot be read; check its permissions");
  std::string head(64, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  if (head.empty()) refuse("is an empty file; build or copy it again");
  return head;
}

[[noreturn]] void refuse_not_elf(std::string_view head, const Refusal& refuse) {
  if (head.starts_with("\x7F"
                       "ELF"))
    refuse("its ELF header is damaged; build or copy it again");
  if (head.starts_with("!<arch>") || head.starts_with("!<thin>")) {
    refuse("is a static archive, not a shared library; link it with -shared");
  }
  const bool text = std::all_of(head.begin(), head.end(), [](char c) {
    return c == '\n' || c == '\r' || c == '\t' || static_cast<unsigned char>(c) >= 0x20;
  });
  if (!text) refuse("is not an ELF file; name a shared library (.so)");
  const std::string_view line = head.substr(0, std::min<std::size_t>(head.find('\n'), 32));
  refuse(fmt::format("is a text file (\"{}\"), not an ELF file; name a shared library (.so)",
                     printable(line)));
}

void check_elf(const fs::path& path, const ElfFacts& facts, const Refusal& refuse) {
  const std::string own = machine_name(own_machine());
  if (facts.bits == 32) {
    refuse(fmt::format("is a 32-bit library for {}, this program is 64-bit {}; build it for {}",
                       machine_name(facts.machine), own, own));
  }
  if (facts.machine != own_machine()) {
    refuse(fmt::format("is built for {}, this machine is {}; build it for {}",
                       machine_name(facts.machine), own, own));
  }
  const bool own_little_endian = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
  if (facts.little_endian != own_little_endian) {
    refuse(fmt::format("is built for {} of the other byte order; build it for this machine", own));
  }
  switch (facts.type) {
    case ElfFacts::Type::relocatable:
      refuse("is an object file, not a shared library; link it with -shared");
    case ElfFacts::Type::executable:
      refuse("is an executable, not a shared library; link it with -shared");
    case ElfFacts::Type::other:
      refuse("is not a shared library; name a .so file");
    case ElfFacts::Type::shared:
      break;
  }
  const std::uintmax_t size = fs::file_size(path);
  if (size < facts.bytes_needed) {
    refuse(fmt::format("is cut short: {} bytes of at least {}; build or copy it again", size,
                       facts.bytes_needed));
  }
}

}  // namespace

void check_shim_file(const fs::path& path) {
  const Refusal refuse(path);
  check_exists(path, refuse);
  const std::string head = read_head(path, refuse);
  const auto facts = read_elf_facts(path);
  if (!facts) refuse_not_elf(head, refuse);
  check_elf(path, *facts, refuse);
}

}  // namespace fa2bench
